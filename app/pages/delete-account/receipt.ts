import { redirect } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { servicesContext } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/receipt";

/**
 * Responds with a completed request's receipt, byte-identical to the email's attachment. If the
 * visit session has expired, redirects to the status page, where a message explains that.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const words = wordsAt(url);
  const visit = url.searchParams.get("visit") ?? "";
  const { visits, writeReceipt } = context.get(servicesContext);
  const result = await visits.openVisit(visit);
  const file =
    result.kind === "status" ? writeReceipt(result.status, words.settings.language) : undefined;
  if (!file) throw redirect(words.to(paths.deletion, { visit }), 303);
  return new Response(file.text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${file.name}"`,
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}
