import type { FormHandler, ShownAgain, SiteServices } from "../../../server/app.ts";
import type { Visits } from "../../../server/deletion-requests/asking/visits.ts";
import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import { retryHeaders, statusOf } from "../../../server/http/submission-door.ts";
import { type Words, wordsAt } from "../../words.ts";
import type { TypedValues } from "./deletion-form.tsx";
import { type PageAnswer, toPageAnswer } from "./page-answer.ts";
import { toNewLinkView, toVisitView, type VisitView } from "./visit-view.ts";

/** What the page shows after a form was posted to it: the form again, or what became of a visit. */
export type Shown =
  | { kind: "form"; answer: PageAnswer; values: TypedValues; formKey: string }
  | { kind: "visit"; view: VisitView; problem?: string };

/** Where the form's island posts: the same form as the page's, answered as data. */
export function answerBackgroundForm({ submissionDoor }: SiteServices): FormHandler {
  return async (posted, sender) => {
    const words = wordsAt(sender.url);
    const { language } = words.settings;
    const answer = await submissionDoor.submit(posted, { ...sender, language });
    return Response.json(toPageAnswer(words, answer), {
      status: statusOf(answer),
      headers: retryHeaders(answer),
    });
  };
}

/** The page's own forms: the request itself, and the buttons behind a mail's link. */
export function answerPageForm({ submissionDoor, visits }: SiteServices): FormHandler {
  return async (posted, sender) => {
    const words = wordsAt(sender.url);
    const fields = posted.kind === "form" ? posted.fields : {};
    if (fields.act !== undefined) return act(words, visits, fields);
    const { language } = words.settings;
    const answer = await submissionDoor.submit(posted, { ...sender, language });
    if (answer.kind === "stored") {
      return redirectTo(words.to(`${paths.deletion}?submitted=${answer.submission.formKey}`));
    }
    const shown: Shown = {
      kind: "form",
      answer: toPageAnswer(words, answer),
      values: typedValues(fields),
      formKey: single(fields, "formKey"),
    };
    return showAgain(statusOf(answer), shown, retryHeaders(answer));
  };
}

/** A pressed button of a page behind a mail's link. */
async function act(
  words: Words,
  visits: Visits,
  fields: PostedFields,
): Promise<Response | ShownAgain> {
  const visit = single(fields, "visit");
  const result = await perform(visits, single(fields, "act"), visit);
  if (!result) return showAgain(400, { kind: "visit", view: { kind: "unknown" } });
  if (result.kind === "done") {
    return "visit" in result
      ? redirectTo(words.to(visitAddress(result.visit)))
      : showAgain(200, { kind: "visit", view: toNewLinkView(words, result) });
  }
  if (result.kind === "not-stored") {
    const view = toVisitView(words, await visits.openVisit(visit), visit);
    return showAgain(503, { kind: "visit", view, problem: words.deletion.visit.notStored });
  }
  const view =
    result.kind === "too-late"
      ? toVisitView(words, { kind: "status", status: result.status }, visit, { tooLate: true })
      : toVisitView(words, result, visit);
  return showAgain(409, { kind: "visit", view });
}

/** Undefined for a button that no page has. */
function perform(visits: Visits, name: string, visit: string) {
  switch (name) {
    case "confirm":
      return visits.confirm(visit);
    case "cancel":
      return visits.cancel(visit);
    case "new-link":
      return visits.askNewLink(visit);
    default:
      return undefined;
  }
}

export function visitAddress(visit: string): string {
  return `${paths.deletion}?visit=${encodeURIComponent(visit)}`;
}

function redirectTo(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address } });
}

function showAgain(status: number, shown: Shown, headers?: Record<string, string>): ShownAgain {
  return { status, shown, headers };
}

/** What was typed, for the form to show again. A repeated field shows its first value. */
function typedValues(fields: PostedFields): TypedValues {
  return {
    email: single(fields, "email"),
    reason: single(fields, "reason"),
    feedback: single(fields, "feedback"),
    confirmed: single(fields, "confirmation") !== "",
  };
}

function single(fields: PostedFields, name: string): string {
  const value = fields[name] ?? "";
  return Array.isArray(value) ? (value[0] ?? "") : value;
}
