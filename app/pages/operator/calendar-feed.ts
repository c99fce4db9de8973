import { writeCalendarFile } from "../../../server/deletion-requests/calendar-file.ts";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { getServices } from "../../services-context.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/calendar-feed";

export const handle: PageHandle = { operators: true };

/** Due dates for a calendar program, which signs in nowhere: whoever has the address sees them. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { watch, clock, publicUrl } = getServices(context);
  const { operator: words, settings, to } = wordsAt(new URL(request.url));
  const { feed } = words.watch;
  const found = await watch.readFeed(params.token?.replace(/\.ics$/, ""));
  if (!found) throw new Response(null, { status: 404 });
  const { host } = new URL(publicUrl);
  const file = writeCalendarFile(
    {
      name: `${settings.product}: ${feed.name}`,
      entries: found.requests.map((request) => ({
        uid: `${request.id}@${host}`,
        date: request.dueOn,
        title: feed.entry.replace("{reference}", request.reference),
        text: [request.owner ? feed.yours : feed.nobodys, request.hold && feed.held]
          .filter(Boolean)
          .join(". "),
        url: publicUrl + to(paths.operatorRequest(request.reference)),
      })),
    },
    clock(),
  );
  return new Response(file, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": 'inline; filename="due-dates.ics"',
    },
  });
}
