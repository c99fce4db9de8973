import { redirect } from "react-router";
import { paths } from "../../../server/platform/http/paths.ts";
import { wordsAt } from "../../words.ts";
import type { Route } from "./+types/submit-request";
import { presentSubmissionAnswer, submitForm } from "./answer-form.ts";

/** Handles the same form as the page's action, but responds to the island with JSON. */
export async function action({ request, context }: Route.ActionArgs) {
  const words = wordsAt(new URL(request.url));
  const { answer, ...init } = presentSubmissionAnswer(words, await submitForm(words, context));
  return Response.json(answer, init);
}

/** Redirects GET requests for this endpoint to the form. */
export function loader({ request }: Route.LoaderArgs) {
  throw redirect(wordsAt(new URL(request.url)).to(paths.deletion), 303);
}
