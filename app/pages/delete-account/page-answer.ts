import type {
  StoredSubmission,
  SubmissionAnswer,
} from "../../../server/deletion-requests/asking/submitting.ts";
import type { FormField } from "../../../server/deletion-requests/life/submission.ts";
import { tellRoad } from "../../../server/deletion-requests/telling/tell-request.ts";
import type { Text } from "../../../server/language/message.ts";
import type { Words } from "../../words.ts";
import { layRoad, type Stop } from "./journey.tsx";

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
