import type { MaskedEmail } from "../../../server/addresses/email-address.ts";
import type { DueDate } from "../../../server/calendar/business-days.ts";
import type {
  NewLinkResult,
  Status,
  VisitResult,
} from "../../../server/deletion-requests/asking/visits.ts";
import { undoMinutes } from "../../../server/deletion-requests/life/life.ts";
import {
  isPartlyKept,
  type Receipt,
  toReceipt,
} from "../../../server/deletion-requests/telling/receipt.ts";
import type { Words } from "../../words.ts";
import type { Stop } from "./journey.tsx";

/** What a page behind a mail's link shows: facts and sentences, ready to be read. */
export type VisitView =
  | {
      kind: "confirm";
      visit: string;
      facts: Fact[];
      due: string;
      stops: Stop[];
      skipped: string[];
    }
  | {
      kind: "status";
      visit: string;
      state: Status["state"];
      facts: Fact[];
      /** When what happened, for the receipt. */
      dates: Fact[];
      stops: Stop[];
      skipped: string[];
      extensions: { when: string; explanation: string }[];
      refusal?: { reason: string; explanation: string };
      /** Of a completed request: how it stands in the ledger. */
      proof: Fact[];
      /** Why it waits, and until when. */
      hold?: { until: string; reason: string; explanation: string };
      /** That the promised day has passed, as HTML. */
      late?: string;
      /** When the receipt leaves, while what was done is looked at once more. */
      done?: string;
      /** Slips that were put right, each in a sentence. */
      corrections: { what: string; explanation: string }[];
      receipt: Receipt;
      /** Something had to stay that the public table does not name. */
      isPartlyKept: boolean;
      /** Where cancelling stands: possible, being asked about, refused just now, or not offered. */
      cancel: "offered" | "asked" | "too-late" | "none";
    }
  | { kind: "link-used" | "link-expired"; visit: string; reference: string; waits?: string }
  | { kind: "request-ended"; reference: string }
  | { kind: "entered"; facts: Fact[] }
  | { kind: "new-link-sent"; facts: Fact[] }
  | { kind: "visit-expired" }
  | { kind: "unknown" };

/** `masked` is set where the value is a masked address, which is spoken differently. */
export type Fact = { label: string; value: string; masked?: MaskedEmail };

type StopName = keyof Words["mail"]["route"]["reached"];

function address(
  { deletion }: Words,
  masked: MaskedEmail | undefined,
  label = deletion.visit.facts.address,
): Fact[] {
  return masked ? [{ label, value: masked.text, masked }] : [];
}

/** Turns what the store answers into what the page shows. */
export function toVisitView(
  spoken: Words,
  result: VisitResult,
  visit: string,
  cancelling: { asked?: boolean; tooLate?: boolean } = {},
): VisitView {
  const { dates } = spoken;
  const words = spoken.deletion.visit;
  switch (result.kind) {
    case "confirm":
      return {
        kind: "confirm",
        visit,
        facts: [
          { label: words.facts.reference, value: result.reference },
          ...address(spoken, result.maskedEmail),
        ],
        due: words.confirm.due.replace("{date}", dates.day(result.dueIfConfirmedToday.date)),
        stops: route(
          spoken,
          [["received", result.receivedAt]],
          ["confirmed", "in-progress", "completed"],
          { dueOn: result.dueIfConfirmedToday.date },
          result.validUntil,
        ),
        skipped: skippedDays(spoken, result.dueIfConfirmedToday),
      };
    case "status":
      return statusView(spoken, result.status, visit, cancelling);
    case "link-used":
      return { kind: result.kind, visit, reference: result.reference };
    case "link-expired": {
      const { kind, reference, waitsUntil } = result;
      const waits =
        waitsUntil && words.linkExpired.waits.replace("{date}", dates.moment(waitsUntil));
      return { kind, visit, reference, ...(waits && { waits }) };
    }
    case "request-ended":
      return result;
    case "entered":
      return {
        kind: "entered",
        facts: [
          { label: words.facts.reference, value: result.reference },
          ...address(spoken, result.maskedEmail),
          ...address(spoken, result.maskedContact, words.facts.contact),
          { label: words.facts.received, value: dates.moment(result.receivedAt) },
        ],
      };
    case "visit-expired":
    case "unknown":
      return { kind: result.kind };
  }
}

function receiptOf({ dataKinds, dates, mail }: Words, { completion }: Status): Receipt {
  const day = (date: string) => dates.day(Temporal.PlainDate.from(date));
  return toReceipt(completion, dataKinds, mail.receipt, day);
}

function skippedDays({ dates, deletion }: Words, due: DueDate): string[] {
  return dates.skipped(due.skipped, deletion.visit.skipped.weekend, dates.day);
}

function statusView(
  spoken: Words,
  status: Status,
  visit: string,
  cancelling: { asked?: boolean; tooLate?: boolean },
): VisitView {
  const open = status.state === "confirmed" || status.state === "in-progress";
  const { dates, mail } = spoken;
  const words = spoken.deletion.visit;
  const { facts } = words;
  const moment = (label: string, instant: Temporal.Instant | undefined): Fact[] =>
    instant ? [{ label, value: dates.moment(instant) }] : [];
  const passed = open && status.daysLeft < 0;
  const done = status.doneAt?.add({ minutes: undoMinutes });
  const late = passed && !done;
  /** Whether the promised day is still to come, and counts. */
  const promised = open && !passed && !done;
  return {
    kind: "status",
    visit,
    state: status.state,
    facts: [
      { label: facts.reference, value: status.reference },
      ...(status.otherReferences.length > 0
        ? [{ label: facts.otherReferences, value: status.otherReferences.join(", ") }]
        : []),
      ...address(spoken, status.maskedEmail),
      ...address(spoken, status.maskedContact, facts.contact),
      ...(promised
        ? [
            { label: facts.due, value: dates.day(status.due.date) },
            { label: facts.left, value: dates.daysLeft(status.daysLeft, words) },
          ]
        : []),
    ],
    dates: [
      ...moment(facts.received, status.receivedAt),
      ...moment(facts.confirmed, status.confirmedAt),
      ...moment(facts.started, status.startedAt),
      ...moment(facts.ended, status.endedAt),
    ],
    stops: route(
      spoken,
      [
        ["received", status.receivedAt],
        ["confirmed", status.confirmedAt],
        ["in-progress", status.startedAt],
        ...(open ? [] : [[status.state, status.endedAt] as const]),
      ],
      status.state === "confirmed"
        ? ["in-progress", "completed"]
        : status.state === "in-progress"
          ? ["completed"]
          : [],
      { dueOn: status.due.date, late, done },
    ),
    skipped: promised ? skippedDays(spoken, status.due) : [],
    extensions: status.extensions.map((extension) => ({
      when: words.status.extension
        .replace("{from}", dates.day(extension.from))
        .replace("{to}", dates.day(extension.to)),
      explanation: extension.explanation,
    })),
    refusal: status.refusal && {
      reason:
        status.refusal.reason === "other" && status.refusal.explanation === ""
          ? words.status.refusedOther
          : mail.refusalReasons[status.refusal.reason],
      explanation: status.refusal.explanation,
    },
    proof: status.proof
      ? [
          { label: words.receipt.proof.entry, value: String(status.proof.entry) },
          { label: words.receipt.proof.hash, value: status.proof.hash },
          { label: words.receipt.proof.key, value: String(status.proof.keyVersion) },
        ]
      : [],
    hold: done
      ? undefined
      : status.hold && {
          until: dates.dayNear(status.hold.until),
          reason: mail.holdReasons[status.hold.reason],
          explanation: status.hold.explanation,
        },
    ...(late && { late: words.overdue }),
    done: done && dates.moment(done),
    corrections: status.corrections.map(({ at, what, explanation }) => ({
      what: words.status.corrections[what].replace("{date}", dates.moment(at)),
      explanation,
    })),
    receipt: receiptOf(spoken, status),
    isPartlyKept: isPartlyKept(status.completion),
    cancel: cancelling.tooLate
      ? "too-late"
      : !status.canCancel
        ? "none"
        : cancelling.asked
          ? "asked"
          : "offered",
  };
}

/**
 * The stops of the route: those reached, each with its moment, the last of them being where the request is.
 * @param end when the last of them was promised for, whether that day has passed, and when what is done becomes final
 * @param confirmUntil where it still waits for that
 */
export function route(
  { dates, mail }: Words,
  reached: (readonly [StopName, Temporal.Instant | undefined])[],
  ahead: (keyof Words["mail"]["route"]["ahead"])[],
  end: { dueOn: Temporal.PlainDate; late?: boolean; done?: Temporal.Instant | undefined },
  confirmUntil?: Temporal.Instant,
): Stop[] {
  const names = mail.route;
  const past = reached.flatMap(([stop, at]) => (at ? [{ stop, at }] : []));
  return [
    ...past.map(
      ({ stop, at }, index): Stop => ({
        title: names.reached[stop],
        text: dates.momentBriefly(at),
        phase: index === past.length - 1 ? "here" : "passed",
      }),
    ),
    ...ahead.map(
      (stop): Stop => ({
        title: names.ahead[stop],
        text: {
          confirmed:
            confirmUntil && names.until.replace("{{date}}", dates.momentBriefly(confirmUntil)),
          "in-progress": names.cancelUntil,
          completed: end.done
            ? names.final.replace("{{date}}", dates.momentBriefly(end.done))
            : names[end.late ? "promised" : "by"].replace("{{date}}", dates.day(end.dueOn)),
        }[stop],
        phase: "ahead",
      }),
    ),
  ];
}

/** What the page says first: its heading and the beginning of its title. */
export function titleOf(spoken: Words, view: VisitView): string {
  const words = spoken.deletion.visit;
  switch (view.kind) {
    case "confirm":
      return words.confirm.title;
    case "status":
      return view.cancel === "asked"
        ? words.cancel.question
        : view.hold
          ? words.status.held.title.replace("{date}", view.hold.until)
          : view.done
            ? words.status.done.title
            : view.state === "completed" && view.isPartlyKept
              ? words.status.states.completed.keptTitle
              : words.status.states[view.state].title;
    case "entered":
      return words.entered.title;
    case "link-used":
      return words.linkUsed.title;
    case "link-expired":
      return words.linkExpired.title;
    case "request-ended":
      return words.requestEnded.title;
    case "new-link-sent":
      return words.newLink.sentTitle;
    case "visit-expired":
      return words.visitExpired.title;
    case "unknown":
      return words.unknown.title;
  }
}

/** What is shown after a new link was asked for. */
export function toNewLinkView(
  words: Words,
  result: Extract<NewLinkResult, { kind: "done" }>,
): VisitView {
  return { kind: "new-link-sent", facts: address(words, result.maskedEmail) };
}
