import type { MaskedEmail } from "../../../server/addresses/email-address.ts";
import type { DueDate } from "../../../server/calendar/business-days.ts";
import type { VisitAnswer } from "../../../server/deletion-requests/asking/visits.ts";
import { reasonsOf } from "../../../server/deletion-requests/telling/mail-words.ts";
import {
  isPartlyKept,
  type Receipt,
  toReceipt,
} from "../../../server/deletion-requests/telling/receipt.ts";
import {
  type FactName,
  finalAt,
  pickFacts,
  type Status,
  type Fact as ToldFact,
  type Stop as ToldStop,
} from "../../../server/deletion-requests/telling/tell-request.ts";
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
      stops: Stop[];
      skipped: string[];
      extensions: Quote[];
      /** Why it waits, or was refused. */
      why?: Quote;
      /** The day until which it waits. */
      waitsUntil?: string;
      /** Of a completed request: how it stands in the ledger. */
      proof: Fact[];
      /** That the promised day has passed, as HTML. */
      late?: string;
      /** When the receipt leaves, while what was done is looked at once more. */
      done?: string;
      /** Slips that were put right, each in a sentence. */
      corrections: Quote[];
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

export type StatusView = Extract<VisitView, { kind: "status" }>;

/** A sentence of ours, and what the team added to it. */
export type Quote = { text: string; explanation: string };

/** `masked` is set where the value is a masked address, which is spoken differently. */
export type Fact = { label: string; value: string; masked?: MaskedEmail };

/** The facts of these names, in the page's words. */
function layFacts(
  { dates, deletion }: Words,
  told: readonly ToldFact[],
  names: readonly (keyof typeof labelOf)[],
): Fact[] {
  const words = deletion.visit;
  return pickFacts(told, names).map(({ name, text = "", masked, on, at, days }) => ({
    label: words.facts[labelOf[name as keyof typeof labelOf]],
    value: on
      ? dates.day(on)
      : at
        ? dates.moment(at)
        : days === undefined
          ? text
          : dates.daysLeft(days, words),
    ...(masked && { masked }),
  }));
}

/** What the page calls them. */
const labelOf = {
  reference: "reference",
  references: "otherReferences",
  address: "address",
  contact: "contact",
  due: "due",
  left: "left",
  received: "received",
} as const satisfies Partial<Record<FactName, string>>;

/** Turns what the store answers into what the page shows. */
export function toVisitView(
  spoken: Words,
  result: VisitAnswer,
  visit: string,
  asked = false,
): VisitView {
  const { dates, say } = spoken;
  const words = spoken.deletion.visit;
  switch (result.kind) {
    case "confirm":
      return {
        kind: "confirm",
        visit,
        facts: layFacts(spoken, result.facts, ["reference", "address"]),
        due: say(words.confirm.due, { date: dates.day(result.dueIfConfirmedToday.date) }),
        stops: layRoad(spoken, result.road),
        skipped: skippedDays(spoken, result.dueIfConfirmedToday),
      };
    case "status":
    case "too-late":
      return statusView(
        spoken,
        result.status,
        visit,
        result.kind === "status" ? asked : "too-late",
      );
    case "new-link-sent": {
      const { maskedEmail: masked } = result;
      return {
        kind: result.kind,
        facts: [{ label: words.facts.address, value: masked.text, masked }],
      };
    }
    case "link-used":
      return { kind: result.kind, visit, reference: result.reference };
    case "link-expired": {
      const { kind, reference, waitsUntil } = result;
      const waits = waitsUntil && say(words.linkExpired.waits, { date: dates.moment(waitsUntil) });
      return { kind, visit, reference, ...(waits && { waits }) };
    }
    case "request-ended":
      return result;
    case "entered":
      return {
        kind: "entered",
        facts: layFacts(spoken, result.facts, ["reference", "address", "contact", "received"]),
      };
    case "visit-expired":
    case "unknown":
      return { kind: result.kind };
  }
}

function receiptOf({ dataKinds, dates, mail, say }: Words, { completion }: Status): Receipt {
  const day = (date: string) => dates.day(Temporal.PlainDate.from(date));
  return toReceipt(completion, dataKinds, mail.receipt, { day, say });
}

function skippedDays({ dates, deletion }: Words, due: DueDate): string[] {
  return dates.skipped(due.skipped, deletion.visit.skipped.weekend, dates.day);
}

function statusView(
  spoken: Words,
  status: Status,
  visit: string,
  cancelling: boolean | "too-late",
): StatusView {
  const open = status.state === "confirmed" || status.state === "in-progress";
  const { dates, say } = spoken;
  const words = spoken.deletion.visit;
  const passed = open && status.daysLeft < 0;
  const done = status.doneAt && finalAt(status.doneAt);
  const late = passed && !done;
  // What is done waits for nothing any more.
  const why = done ? undefined : status.why;
  /** Whether the promised day is still to come, and counts. */
  const promised = open && !passed && !done;
  return {
    kind: "status",
    visit,
    state: status.state,
    facts: layFacts(spoken, status.facts, [
      ...(["reference", "references", "address", "contact"] as const),
      ...(promised ? (["due", "left"] as const) : []),
    ]),
    stops: layRoad(spoken, status.road),
    skipped: promised ? skippedDays(spoken, status.due) : [],
    extensions: status.extensions.map((extension) => ({
      text: say(words.status.extension, {
        from: dates.day(extension.from),
        to: dates.day(extension.to),
      }),
      explanation: extension.explanation,
    })),
    ...(why && { why: { text: reasonOf(spoken, why), explanation: why.explanation } }),
    ...(why?.until && { waitsUntil: dates.dayNear(why.until) }),
    proof: status.proof
      ? [
          { label: words.receipt.proof.entry, value: String(status.proof.entry) },
          { label: words.receipt.proof.hash, value: status.proof.hash },
          { label: words.receipt.proof.key, value: String(status.proof.keyVersion) },
        ]
      : [],
    ...(late && { late: words.overdue }),
    done: done && dates.moment(done),
    corrections: status.corrections.map(({ at, what, explanation }) => ({
      text: say(words.status.corrections[what], { date: dates.moment(at) }),
      explanation,
    })),
    receipt: receiptOf(spoken, status),
    isPartlyKept: isPartlyKept(status.completion),
    cancel: cancelOf(status, cancelling),
  };
}

function reasonOf({ deletion, mail }: Words, why: NonNullable<Status["why"]>): string {
  const { of, reason, until, explanation } = why;
  return reason === "other" && explanation === "" && !until
    ? deletion.visit.status.refusedOther
    : (reasonsOf(mail, of)?.[reason] ?? reason);
}

function cancelOf({ canCancel }: Status, cancelling: boolean | "too-late"): StatusView["cancel"] {
  if (cancelling === "too-late") return cancelling;
  if (!canCancel) return "none";
  return cancelling ? "asked" : "offered";
}

type Ahead = Words["mail"]["route"]["ahead"];

/**
 * The stops of the road in the page's words.
 * @param texts what is said of those ahead instead
 */
export function layRoad(
  { dates, mail, say }: Words,
  road: readonly ToldStop[],
  texts?: Ahead,
): Stop[] {
  const { reached, ahead, cancelUntil, ...says } = mail.route;
  return road.map(({ name, phase, at, ahead: next }) => {
    if (phase !== "ahead") {
      return { title: reached[name], phase, ...(at && { text: dates.momentBriefly(at) }) };
    }
    const stop = name as keyof Ahead;
    const said =
      next &&
      (next.says === "cancelUntil"
        ? cancelUntil
        : say(says[next.says], {
            date: "at" in next ? dates.momentBriefly(next.at) : dates.day(next.on),
          }));
    const text = texts?.[stop] ?? said;
    return { title: ahead[stop], phase, ...(text && { text }) };
  });
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
        : view.waitsUntil
          ? spoken.say(words.status.held.title, { date: view.waitsUntil })
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
