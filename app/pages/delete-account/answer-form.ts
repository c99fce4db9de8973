import type { FormHandler, ShownAgain } from "../../../server/app.ts";
import type {
  StoredSubmission,
  SubmissionAnswer,
} from "../../../server/deletion-requests/asking/submitting.ts";
import type { VisitAnswer, Visits } from "../../../server/deletion-requests/asking/visits.ts";
import { type FormField, formFields } from "../../../server/deletion-requests/life/submission.ts";
import { tellRoad } from "../../../server/deletion-requests/telling/tell-request.ts";
import { paths } from "../../../server/http/paths.ts";
import type { PostedFields } from "../../../server/http/posted-form.ts";
import { retryHeaders, statusOf } from "../../../server/http/submission-door.ts";
import type { Text } from "../../../server/language/message.ts";
import type { SiteServices } from "../../../server/services.ts";
import { type Words, wordsAt } from "../../words.ts";
import { visitAddress } from "./answer-place.ts";
import { layRoad, type Stop } from "./journey.tsx";

/** What was typed, by field. */
export type TypedValues = Partial<Record<FormField, string>>;

/** What the page shows after a form was posted to it: what came of it, and for the form what was typed. */
export type Shown =
  | { kind: "form"; answer: SubmissionAnswer; fields: PostedFields }
  | { kind: "visit"; answer: VisitAnswer; visit: string; notStored?: true };

/** Where the form's island posts: the same form as the page's, answered as data. */
export function answerBackgroundForm({ submissionDoor }: SiteServices): FormHandler {
  return async (posted, sender) => {
    const words = wordsAt(sender.url);
    const { language } = words.settings;
    const answer = await submissionDoor.submit(posted, { ...sender, language });
    return Response.json(wordAnswer(words, answer), {
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
    return showAgain(statusOf(answer), { kind: "form", answer, fields }, retryHeaders(answer));
  };
}

/** A pressed button of a page behind a mail's link. */
async function act(
  words: Words,
  visits: Visits,
  fields: PostedFields,
): Promise<Response | ShownAgain> {
  const visit = single(fields, "visit");
  const press = {
    confirm: visits.confirm,
    cancel: visits.cancel,
    "new-link": visits.askNewLink,
  }[single(fields, "act")];
  if (!press) return showAgain(400, { kind: "visit", answer: { kind: "unknown" }, visit });
  const answer = await press(visit);
  switch (answer.kind) {
    case "done":
      return redirectTo(words.to(visitAddress(answer.visit)));
    case "not-stored": {
      const opened = await visits.openVisit(visit);
      return showAgain(503, { kind: "visit", answer: opened, visit, notStored: true });
    }
    default:
      return showAgain(answer.kind === "new-link-sent" ? 200 : 409, {
        ...{ kind: "visit", answer, visit },
      });
  }
}

function redirectTo(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address } });
}

function showAgain(status: number, shown: Shown, headers?: Record<string, string>): ShownAgain {
  return { status, shown, headers };
}

/** What was typed, for the form to show again. A repeated field shows its first value. */
export function typedValues(fields: PostedFields): TypedValues {
  return Object.fromEntries(formFields.map((name) => [name, single(fields, name)]));
}

function single(fields: PostedFields, name: string): string {
  const value = fields[name] ?? "";
  return Array.isArray(value) ? (value[0] ?? "") : value;
}

/** What the form is told: a success panel's facts, or problems in words, each with its field where it has one. */
export type AnswerInWords =
  | { kind: "submitted"; submitted: Submitted }
  | { kind: "problems"; problems: FormProblem[] };

/** Facts of the success panel. A demonstration has no reference and no address. */
export type Submitted = {
  reference: string;
  maskedEmail: { text: string; firstLetter: string; domain: string };
  /** Where the request is, and what happens next. */
  stops: Stop[];
  /** What else is good to know, as HTML. */
  notes: string[];
  /** The days that the promised date leaps over. */
  skipped: string[];
} | null;

/** The success panel's facts about a stored submission. */
export function toSubmitted(words: Words, stored: StoredSubmission): NonNullable<Submitted> {
  const { dates, deletion, say } = words;
  const { next, notes } = deletion.success;
  const fill = (text: Text) =>
    say(text, {
      linkUntil: dates.moment(stored.linkValidUntil),
      due: dates.day(stored.dueIfConfirmedToday.date),
    });
  return {
    reference: stored.reference,
    maskedEmail: stored.maskedEmail,
    stops: layRoad(words, tellRoad("received", { received: stored.receivedAt }), {
      confirmed: fill(next.confirmed),
      "in-progress": fill(next["in-progress"]),
      completed: fill(next.completed),
    }),
    notes: notes.map(fill),
    skipped: dates.skipped(
      stored.dueIfConfirmedToday.skipped,
      deletion.visit.skipped.weekend,
      dates.day,
    ),
  };
}

/** `field` is absent where the trouble is not with one field. */
export type FormProblem = { field?: Exclude<FormField, "formKey">; words: string };

/** Puts an answer into the campus's words. */
export function wordAnswer(spoken: Words, answer: SubmissionAnswer): AnswerInWords {
  const words = spoken.deletion.problems;
  const problem = (text: string): AnswerInWords => ({
    kind: "problems",
    problems: [{ words: text }],
  });
  switch (answer.kind) {
    case "stored":
      return { kind: "submitted", submitted: toSubmitted(spoken, answer.submission) };
    case "simulated":
      return { kind: "submitted", submitted: null };
    case "refused":
      return {
        kind: "problems",
        problems: answer.problems.map(({ field, code }) => ({
          ...(field !== "formKey" && { field }),
          words: words[code],
        })),
      };
    case "too-many": {
      const minutes = Math.max(1, Math.ceil(answer.retryAfterMs / 60_000));
      return problem(spoken.say(words.tooMany, { minutes }));
    }
    case "network-full":
      return problem(words.networkFull);
    case "not-stored":
      return problem(words.notStored);
    case "foreign":
      return problem(words.foreign);
    case "too-large":
      return problem(words.tooLarge);
    case "malformed":
      return problem(words.malformed);
  }
}
