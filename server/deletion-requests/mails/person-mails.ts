import { z } from "zod";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import { type CompletedNews, isPartlyKept } from "../presenters/receipt.ts";
import {
  type HoldReason,
  holdReasons,
  type RefusalReason,
  refusalReasons,
  type State,
} from "../state-machine/request.ts";
import { listSkipped, listSkippedLater, mail, type NewsOf, quoted, strong } from "./mail-kind.ts";
import {
  attachReceipt,
  listOutcomes,
  receiptRows,
  sampleCompletion,
  sampleProof,
} from "./receipt-mail.ts";
import type { Wording } from "./wording.ts";

/**
 * Every kind of email to a requester, to the contact for a closed mailbox, or to the closed
 * mailbox. To add a kind, add an entry here and its text to `words/LANGUAGE/mail.yaml`.
 */
export const personMails = {
  confirm: mail<{ validUntil: string; receivedAt: string }>({
    toAccount: true,
    values: ({ validUntil }, { deadline }) => ({ validUntil: deadline(validUntil) }),
    rows: ({ receivedAt }, { words, time }) => [[words.facts.received, time(receivedAt)]],
    samples: ({ at, soon }) => [{ validUntil: soon, receivedAt: at }],
  }),

  confirmed: mail<{ dueOn: string } & Skipping>({
    values: dueDate,
    ending: (news, wording) => listSkipped(wording, readSkippedDays(news)),
    samples: ({ dueOn, later, skippedDays }) => [
      { dueOn: later, skippedDays },
      { dueOn, skippedDays: skippedDays.slice(0, 1) },
      { dueOn, skippedDays: [] },
    ],
  }),

  /** Contains a new link. `toAccount` is set if the requester asked for the link. */
  reminder: mail<{ state: State; toAccount?: boolean } & Promised>({
    variant: ({ late }) => late && "late",
    values: dueDate,
    samples: ({ dueOn, passed }) =>
      workingStates.flatMap((state) => [
        { state, dueOn },
        { state, dueOn: passed, late: true },
      ]),
  }),

  cancelled: mail<object>({ end: "cancelled", samples: () => [{}] }),

  "cancelled-for-you": mail<{ explanation: string }>({
    end: "cancelled",
    details: ({ explanation }, wording) => quoted(wording, explanation),
    samples: ({ explanations }) => explanations.map((explanation) => ({ explanation })),
  }),

  /**
   * A request with a contact was cancelled, through a link sent to the contact or to the closed
   * mailbox.
   */
  stopped: mail<{ neverConfirmed?: true }>({
    end: "cancelled",
    samples: () => [{ neverConfirmed: true }, {}],
  }),

  /** The request expired because no one approved it. */
  faded: mail<{ neverConfirmed?: true }>({
    end: "refused",
    samples: () => [{ neverConfirmed: true }],
  }),

  /**
   * An approver asks for another proof of ownership. `asks` contains the questions in each of the
   * campus's languages.
   */
  "ask-proof": mail<{
    asks: readonly Readonly<Record<string, string>>[];
    explanation: string;
    fadesAt: string;
  }>({
    values: ({ fadesAt }, { deadline }) => ({ fadesAt: deadline(fadesAt) }),
    details({ asks, explanation }, wording) {
      const items = asks.flatMap((ask) => ask[wording.language] ?? Object.values(ask)[0] ?? []);
      const list = [
        { kind: "paragraph", text: wording.words["ask-proof"].oneOf },
        { kind: "list", items },
      ] as const;
      return [...(items.length > 0 ? list : []), ...quoted(wording, explanation)];
    },
    samples: ({ explanations, soon }) =>
      explanations.map((explanation) => ({
        asks: [{ en: "a payment: amount and day" }, { en: "a photo of your student card" }],
        fadesAt: soon,
        explanation,
      })),
  }),

  held: mail<{
    /** The due date after the hold. `moved` is set if the hold moved the due date. */
    dueOn: string;
    moved?: { previouslyDueOn: string } & Skipping;
    until: string;
    reason: HoldReason;
    explanation: string;
  }>({
    variant: ({ moved }) => moved && "moved",
    values: ({ dueOn, until, reason }, { words, day }) => ({
      dueDate: day(dueOn),
      until: day(until),
      reason: words.reasons[reason],
    }),
    details: ({ explanation }, wording) => quoted(wording, explanation),
    ending: ({ moved }, wording) =>
      moved ? listSkippedLater(wording, readSkippedDays(moved)) : [],
    rows: ({ moved }, { words, day }) =>
      moved ? [[words.shared.labels.previouslyDue, day(moved.previouslyDueOn)]] : [],
    samples: ({ dueOn, later, skippedDays, holdUntil: until, explanations }) =>
      holdReasons.flatMap((reason) =>
        explanations.flatMap((explanation) => [
          { dueOn, until, reason, explanation },
          {
            dueOn: later,
            moved: { previouslyDueOn: dueOn, skippedDays },
            until,
            reason,
            explanation,
          },
        ]),
      ),
  }),

  released: mail<Promised>({
    variant: ({ late }) => late && "late",
    values: dueDate,
    samples: ({ dueOn, passed }) => [{ dueOn }, { dueOn: passed, late: true }],
  }),

  /** Restore letter. Data newer than `copiedAt` is lost. */
  restored: mail<{
    state: "received" | "confirmed" | "in-progress";
    /** Set if an operator entered the request and another operator still has to approve it. */
    isEntered?: true;
    copiedAt: string;
    /**
     * Deadline to cancel. Until then, operators can't work on the request. Set when the letter is
     * sent.
     */
    cancelUntil?: string;
    /** Expiry of the confirmation link. */
    validUntil?: string;
    dueOn?: string;
    late?: true;
  }>({
    variant({ state, isEntered }) {
      if (state === "received") return isEntered ? "entered" : "unconfirmed";
      return state === "in-progress" && "begun";
    },
    values: ({ copiedAt, cancelUntil, validUntil }, { time, deadline }) => ({
      copiedAt: time(copiedAt),
      cancelUntil: cancelUntil && deadline(cancelUntil),
      validUntil: validUntil && deadline(validUntil),
    }),
    // Includes the URL in a paragraph, because in a list item only the first word would be a link.
    ending: ({ copiedAt }, { words, say, time, deletionAt }) => [
      {
        kind: "paragraph",
        text: `${say(words.restored.again, { copiedAt: time(copiedAt) })} ${deletionAt}`,
      },
    ],
    samples: ({ at: copiedAt, soon, dueOn, passed }) => [
      { state: "confirmed", copiedAt, cancelUntil: soon, dueOn },
      { state: "confirmed", copiedAt, cancelUntil: soon, dueOn: passed, late: true },
      { state: "in-progress", copiedAt, cancelUntil: soon, dueOn },
      { state: "received", copiedAt, validUntil: soon },
      { state: "received", copiedAt, isEntered: true },
    ],
  }),

  reopened: mail<{ explanation: string } & Promised>({
    values: dueDate,
    details: ({ explanation }, wording) => quoted(wording, explanation),
    samples: ({ dueOn, explanations }) =>
      explanations.map((explanation) => ({ dueOn, explanation })),
  }),

  /** To the contact: an operator has entered the request, and another operator will review it. */
  entered: mail<{ receivedAt: string }>({
    rows: ({ receivedAt }, { words, time }) => [[words.facts.received, time(receivedAt)]],
    samples: ({ at }) => [{ receivedAt: at }],
  }),

  /** To the closed mailbox: an operator has entered a request for its account. */
  "notice-entered": mail<{
    receivedAt: string;
    contact: string;
    /** Earliest time of approval. Missing in messages of versions up to 1.11. */
    stopUntil?: string;
  }>({
    toAccount: true,
    why: "whyNotice",
    values: ({ contact, stopUntil }, { deadline }) => ({
      contact,
      stopUntil: stopUntil && deadline(stopUntil),
    }),
    rows: ({ receivedAt }, { words, time }) => [[words.facts.received, time(receivedAt)]],
    samples: ({ at, contact, soon }) => [{ receivedAt: at, contact, stopUntil: soon }],
  }),

  /** To the closed mailbox: the request is confirmed, but the email's link can still cancel it. */
  "notice-confirmed": mail<{
    dueOn: string;
    contact: string;
    /**
     * Earliest time at which the deletion can start. Missing in messages of versions up to 1.11.
     */
    untouchedUntil?: string;
  }>({
    toAccount: true,
    why: "whyNotice",
    variant: ({ untouchedUntil }) => !untouchedUntil && "unnamed",
    values: ({ dueOn, contact, untouchedUntil }, { day, deadline }) => ({
      dueDate: day(dueOn),
      contact,
      untouchedUntil: untouchedUntil && deadline(untouchedUntil),
    }),
    samples: ({ dueOn, contact, soon }) => [
      { dueOn, contact, untouchedUntil: soon },
      { dueOn, contact },
    ],
  }),

  "in-progress": mail<Promised>({
    variant: ({ late }) => late && "late",
    values: dueDate,
    samples: ({ dueOn, passed }) => [{ dueOn }, { dueOn: passed, late: true }],
  }),

  extended: mail<{ previouslyDueOn: string; dueOn: string; explanation: string } & Skipping>({
    values: dueDate,
    details: ({ explanation }, wording) =>
      explanation === ""
        ? [strong(wording.words.extended.usualReason)]
        : quoted(wording, explanation),
    ending: (news, wording) => listSkippedLater(wording, readSkippedDays(news)),
    rows: ({ previouslyDueOn }, { words, day }) => [
      [words.shared.labels.previouslyDue, day(previouslyDueOn)],
    ],
    samples: ({ dueOn, later, skippedDays, explanations }) =>
      explanations.map((explanation) => ({
        previouslyDueOn: dueOn,
        dueOn: later,
        skippedDays,
        explanation,
      })),
  }),

  /** Late notice from a job: the promised day has passed without an update from an operator. */
  late: mail<{ dueOn: string; state: "confirmed" | "in-progress" }>({
    values: ({ dueOn, state }, { words, day }) => ({
      dueDate: day(dueOn),
      reason: words.late.reasons[state],
    }),
    samples: ({ dueOn }) => workingStates.map((state) => ({ dueOn, state })),
  }),

  completed: mail<Omit<CompletedNews, "kind">>({
    end: "completed",
    variant: ({ completion }) => isPartlyKept(completion) && "kept",
    details: (receipt, wording) => [
      ...listOutcomes(receipt, wording),
      ...(receipt.proof
        ? [{ kind: "paragraph", text: wording.words.completed.proof } as const]
        : []),
    ],
    rows: receiptRows,
    attachment: attachReceipt,
    samples: ({ at }) => {
      const times = { receivedAt: at, confirmedAt: at, completedAt: at };
      return [{ ...times, completion: sampleCompletion, proof: sampleProof }, times];
    },
  }),

  refused: mail<{ reason: RefusalReason; explanation: string; neverConfirmed?: true }>({
    end: "refused",
    values: ({ reason }, { words }) => ({ reason: words.reasons[reason] }),
    details: ({ explanation }, wording) => quoted(wording, explanation),
    samples: ({ explanations }) => [
      ...refusalReasons.flatMap((reason) =>
        explanations.map((explanation) => ({ reason, explanation })),
      ),
      { reason: "not-the-owner", explanation: "", neverConfirmed: true },
    ],
  }),
};

/** Content of an email to a requester, without the email address. */
export type PersonNews = NewsOf<typeof personMails>;

/** The promised day. `late` is set once the day has passed so that emails no longer promise it. */
export type Promised = { dueOn: string; late?: true };

export function promisedTo(dueOn: Temporal.PlainDate, today: Temporal.PlainDate): Promised {
  const late = Temporal.PlainDate.compare(today, dueOn) > 0;
  return { dueOn: dueOn.toString(), ...(late && { late }) };
}

const workingStates = ["confirmed", "in-progress"] as const;

function dueDate({ dueOn }: { dueOn: string }, { day }: Wording) {
  return { dueDate: day(dueOn) };
}

/** Days skipped in computing a due date. */
type Skipping = { skippedDays: readonly SkippedDay[] };

const days = z.array(z.object({ date: z.iso.date(), holiday: z.string().exactOptional() }));

const skipping = z.object({
  skippedDays: days.optional(),
  /** The same days as JSON text, as stored by versions up to 1.13. */
  skipped: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(days)
    .optional(),
});

/** Parses the skipped days of a stored message. */
function readSkippedDays(news: object): readonly SkippedDay[] {
  const { skippedDays, skipped = [] } = skipping.parse(news);
  return skippedDays ?? skipped;
}
