import { redirect } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { statusOf } from "../../../server/http/submission-door.ts";
import { getServices } from "../../services-context.ts";
import type { Route } from "./+types/submit-request";
import { toPageAnswer } from "./page-answer.ts";

/** Where the form's island posts: the same form as the page's, answered as data. */
export async function action({ request, context }: Route.ActionArgs) {
  const { submissionDoor, visit } = getServices(context);
  const posted = await submissionDoor.read(request, visit);
  const answer =
    posted.kind === "form" ? await submissionDoor.submit(posted.fields, visit) : posted;
  return Response.json(toPageAnswer(answer), {
    status: statusOf(answer),
    headers: { "Cache-Control": "no-store" },
  });
}

/** Nothing to see here: whoever types this address wants the form. */
export function loader() {
  throw redirect(paths.deletion, 303);
}
