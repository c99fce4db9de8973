import { data, type RouterContextProvider, redirect } from "react-router";
import { presentTimeline } from "../../../server/deletion-requests/presenters/request.ts";
import type {
  PanelClosed,
  SubmissionAnswer,
  SubmissionFacts,
} from "../../../server/deletion-requests/self-service/submitting.ts";
import type { VisitAnswer, Visits } from "../../../server/deletion-requests/self-service/visits.ts";
import {
  type FormField,
  visibleFields,
} from "../../../server/deletion-requests/state-machine/request.ts";
import { cleanAddress } from "../../../server/platform/addresses/clean-address.ts";
import { type FormValues, firstValue } from "../../../server/platform/forms/form-values.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { Text } from "../../../server/platform/i18n/texts.ts";
import { requireForm, servicesContext } from "../../services-context.ts";
import type { PageWords } from "../../words.ts";
import { answerId } from "./form-problems.tsx";
import { layOutTimeline, startAtConfirming } from "./journey.tsx";

/** URL path that the page's own forms post to. */
export const postAddress = `${paths.deletion}#${answerId}`;

/**
 * Result of opening an email link, of pressing a button on the page that the link opens, or of
 * returning to a success panel that has closed.
 */
export type Visited = {
  answer: VisitAnswer | PanelClosed;
  visit: string;
  /** Whether the page prompts the visitor to confirm a cancellation. */
  asksToCancel?: boolean;
  /** Whether the database was unavailable when the visitor pressed the button. */
  isNotStored?: boolean;
};

/**
 * Content of the page: either an email link's visit session or a closed success panel, or the
 * deletion form with its answer and the submitted values.
 */
export type PageContent =
  | { kind: "form"; answer: AnswerInWords; typed: FormValues }
  | ({ kind: "visit" } & Visited);

/**
 * Submits a deletion form. Returns the stored request, or the reason why the form was refused.
 * Shared by the page and its island.
 */
export async function submitForm(
  { settings }: PageWords,
  context: Readonly<RouterContextProvider>,
): Promise<SubmissionAnswer> {
  const { posted, clientAddress } = requireForm(context);
  const { submitting } = context.get(servicesContext);
  return posted.kind === "form"
    ? submitting.submit(posted.typed, settings.language, clientAddress)
    : posted;
}

/**
 * Handles the buttons on the page that an email link opens: confirm, cancel and request a new link.
 */
export async function pressButton(words: PageWords, visits: Visits, typed: FormValues) {
  const visit = firstValue(typed, "visit");
  const press = new Map([
    ["confirm", visits.confirm],
    ["cancel", visits.cancel],
    ["new-link", visits.sendNewLink],
  ]).get(firstValue(typed, "act"));
  const show = (status: number, visited: Omit<Visited, "visit">) =>
    data<PageContent>({ kind: "visit", ...visited, visit }, { status });
  if (!press) return show(400, { answer: { kind: "unknown" } });
  const answer = await press(visit, words.settings.language);
  if (answer.kind === "done") {
    return redirect(words.to(paths.deletion, { visit: answer.visit }), 303);
  }
  if (answer.kind === "not-stored") {
    return show(503, { answer: await visits.openVisit(visit), isNotStored: true });
  }
  return show(answer.kind === "new-link-sent" ? 200 : 409, { answer });
}

/**
 * The submitted form. Only the response to the form contains it; after a reload, the panel masks
 * the email address.
 */
export type SentForm = {
  email: string;
  /**
   * Values to prefill the form with if the email address is wrong. With JavaScript, the form
   * element itself retains them.
   */
  fields?: Readonly<Record<string, string>>;
};

/** Returns the values of an accepted form, or undefined if the form has no email address. */
export function readSentForm(typed: FormValues): SentForm | undefined {
  const email = cleanAddress(firstValue(typed, "take") || firstValue(typed, "email"));
  if (!email) return undefined;
  const kept: FormField[] = ["formKey", ...visibleFields];
  const fields = Object.fromEntries(kept.map((name) => [name, firstValue(typed, name)]));
  return { email, fields: { ...fields, email } };
}

export type SubmittedWords = ReturnType<typeof wordsOfSuccess>;

/** Returns the success panel's text. It is sent with the answer, to keep the page small. */
export function wordsOfSuccess(
  { deletion, mail }: PageWords,
  { isSimulated }: { isSimulated: boolean },
) {
  const { next: _, notes: __, ...success } = deletion.success;
  return {
    ...success,
    skippedTitle: mail.shared.skippedTitle,
    simulatedNotice: isSimulated ? deletion.form.simulatedNotice : "",
  };
}

function presentSubmitted(words: PageWords, stored: SubmissionFacts, formKey: string) {
  return {
    /** URL that shows this panel after a reload. */
    address: words.to(paths.deletion, { submitted: formKey }),
    reference: stored.reference,
    maskedEmail: stored.maskedEmail,
    ...presentDates(words, stored),
  };
}

type Dates = ReturnType<typeof writeDates>;

/**
 * The last texts with dates in each language. In a rush, many forms arrive in the same minute, and
 * writing their dates would take a twentieth of the time spent on a form.
 */
const lastDates = new WeakMap<PageWords, { of: string; texts: Dates }>();

function presentDates(words: PageWords, stored: SubmissionFacts): Dates {
  const minute = Math.floor(stored.linkValidUntil.epochMilliseconds / 60_000);
  const of = JSON.stringify([minute, stored.dueIfConfirmedToday]);
  const last = lastDates.get(words);
  if (last?.of === of) return last.texts;
  const texts = writeDates(words, stored);
  lastDates.set(words, { of, texts });
  return texts;
}

function writeDates(words: PageWords, { linkValidUntil, dueIfConfirmedToday }: SubmissionFacts) {
  const { dates, deletion, mail, say } = words;
  const { next, notes } = deletion.success;
  const { date, skipped } = dueIfConfirmedToday;
  const values = { linkUntil: dates.moment(linkValidUntil), due: dates.day(date) };
  const fill = (text: Text) => say(text, values);
  const stops = layOutTimeline(words, presentTimeline("received"), {
    confirmed: fill(next.confirmed),
    completed: fill(next.completed),
  });
  return {
    stops: startAtConfirming(words, stops),
    /** Additional notes, as HTML. */
    notes: notes.map(fill),
    /** Weekends and holidays that don't count toward the due date. */
    skipped: dates.skipped(skipped, mail.shared.skippedWeekend, dates.day),
  };
}

type Failure = Exclude<SubmissionAnswer["kind"], "stored" | "simulated" | "refused">;
type FailureText = Exclude<keyof PageWords["deletion"]["problems"], number | symbol>;

/**
 * Each failure's HTTP status, text and, if it is always the same, the `Retry-After` delay in
 * seconds. The rate limit computes the delay of `too-many`.
 */
const failures: Record<Failure, { status: number; words: FailureText; retryAfter?: number }> = {
  "too-many": { status: 429, words: "tooMany" },
  /** The rate limit admits more forms within an hour. */
  "network-full": { status: 429, words: "networkFull", retryAfter: 3600 },
  "not-stored": { status: 503, words: "notStored", retryAfter: 60 },
  foreign: { status: 403, words: "foreign" },
  "too-large": { status: 413, words: "tooLarge" },
  malformed: { status: 400, words: "malformed" },
};

/**
 * Facts for the success panel (null in a demo), or validation messages. A message about a single
 * field names the field.
 */
export type AnswerInWords = ReturnType<typeof presentSubmissionAnswer>["answer"];

/** Returns the HTTP response to a submission: status, headers and the answer to show. */
export function presentSubmissionAnswer(words: PageWords, result: SubmissionAnswer) {
  const texts = words.deletion.problems;
  const respond = <const Answer>(answer: Answer, status: number, headers = {}) => ({
    answer,
    status,
    headers,
  });
  switch (result.kind) {
    case "stored": {
      const submitted = presentSubmitted(words, result.submission, result.formKey);
      const success = wordsOfSuccess(words, { isSimulated: false });
      return respond({ kind: "submitted", submitted, words: success }, 200);
    }
    case "simulated": {
      const success = wordsOfSuccess(words, { isSimulated: true });
      return respond({ kind: "submitted", submitted: null, words: success }, 200);
    }
    case "refused": {
      const problems = result.wrong.map(({ field, what, suggestion }) => ({
        // Omit hidden fields, because the error summary can't link to them.
        ...(field !== "formKey" && field !== "website" && { field }),
        ...(suggestion && { suggestion }),
        words: words.say(texts[what], { address: suggestion ?? "" }),
      }));
      return respond({ kind: "problems", problems }, 422);
    }
    default: {
      const failure = failures[result.kind];
      const waitMs = result.kind === "too-many" ? result.retryAfterMs : 0;
      const minutes = Math.max(1, Math.ceil(waitMs / 60_000));
      const seconds = failure.retryAfter ?? Math.ceil(waitMs / 1000);
      const problems = [{ words: words.say(texts[failure.words], { minutes }) }];
      const headers = { ...(seconds > 0 && { "Retry-After": String(seconds) }) };
      return respond({ kind: "problems", problems }, failure.status, headers);
    }
  }
}
