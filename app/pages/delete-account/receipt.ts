import { redirect } from "react-router";
import { writeProof } from "../../../server/deletion-requests/proof.ts";
import {
  describeReceiptLine,
  type ReceiptLine,
} from "../../../server/deletion-requests/receipt.ts";
import { paths } from "../../../server/http/paths.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/receipt";
import { visitAddress } from "./answer-form.ts";
import { toVisitView } from "./visit-view.ts";

/**
 * The receipt of a completed request as a text file, for whoever holds a visit to its status page. A visit that has ended
 * says so on the page.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const url = new URL(request.url);
  const words = wordsAt(url);
  const visit = url.searchParams.get("visit") ?? "";
  const { visits, publicUrl } = getServices(context);
  const result = await visits.openVisit(visit);
  const view = toVisitView(words, result, visit);
  if (result.kind !== "status" || view.kind !== "status" || view.state !== "completed") {
    throw redirect(words.to(visitAddress(visit)), 303);
  }
  const { receipt, status } = words.deletion.visit;
  const { product, developer, email } = words.settings;
  const { proof } = result.status;
  const titles = words.mail.receipt;
  const list = (title: string, outcome: ReceiptLine["outcome"]) => {
    const lines = view.receipt.lines.filter((line) => line.outcome === outcome);
    return lines.length === 0
      ? []
      : ["", title, ...lines.map((line) => `- ${describeReceiptLine(line)}`)];
  };
  const text = [
    `${product}, ${developer}: ${receipt.title}`,
    "",
    status.states.completed.title,
    ...[...view.facts, ...view.dates].map((fact) => `${fact.label}: ${fact.value}`),
    ...list(titles.deletedTitle, "deleted"),
    ...list(titles.noneTitle, "none"),
    ...list(titles.keptTitle, "kept"),
    ...(view.receipt.backups ? ["", view.receipt.backups] : []),
    "",
    email,
    "",
    ...(proof
      ? [
          ...receipt.proof.lines,
          publicUrl + words.to(paths.receiptKeys),
          "",
          ...writeProof(proof, `${publicUrl}${paths.receiptKey(proof.keyVersion)}`),
        ]
      : []),
  ].join("\r\n");
  const name = receipt.fileName.replace("{reference}", result.status.reference);
  return new Response(text, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
    },
  });
}
