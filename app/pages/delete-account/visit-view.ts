import { campus } from "virtual:campus";
import type { MaskedEmail } from "../../../server/addresses/email-address.ts";
import type {
  NewLinkResult,
  Status,
  VisitResult,
} from "../../../server/deletion-requests/visits.ts";
import { describeSkipped, formatDay, formatMoment, formatMomentBriefly } from "./dates.ts";
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
      /** Where cancelling stands: possible, being asked about, refused just now, or not offered. */
      cancel: "offered" | "asked" | "too-late" | "none";
    }
  | { kind: "link-used" | "link-expired"; visit: string; reference: string }
  | { kind: "new-link-sent"; facts: Fact[] }
  | { kind: "visit-expired" }
  | { kind: "unknown" };

/** `masked` is set where the value is a masked address, which is spoken differently. */
export type Fact = { label: string; value: string; masked?: MaskedEmail };

const words = campus.deletion.visit;
const { route: names } = campus.mail;
function describeDaysLeft(count: number): string {
  if (count < 0) return words.daysLeft.overdue;
  if (count === 0) return words.daysLeft.today;
  return count === 1 ? words.daysLeft.one : words.daysLeft.other.replace("{count}", String(count));
}

function address(maskedEmail: MaskedEmail | undefined): Fact[] {
  return maskedEmail
    ? [{ label: words.facts.address, value: maskedEmail.text, masked: maskedEmail }]
    : [];
}

function moment(label: string, instant: Temporal.Instant | undefined): Fact[] {
  return instant ? [{ label, value: formatMoment(instant) }] : [];
}

/** Turns what the store answers into what the page shows. */
export function toVisitView(
  result: VisitResult,
  visit: string,
  cancelling: { asked?: boolean; tooLate?: boolean } = {},
): VisitView {
  switch (result.kind) {
    case "confirm":
      return {
        kind: "confirm",
        visit,
        facts: [
          { label: words.facts.reference, value: result.reference },
          ...address(result.maskedEmail),
        ],
        due: words.confirm.due.replace("{date}", formatDay(result.dueIfConfirmedToday.date)),
        stops: route(
          [["received", result.receivedAt]],
          ["confirmed", "in-progress", "completed"],
          result.dueIfConfirmedToday.date,
        ),
        skipped: describeSkipped(result.dueIfConfirmedToday),
      };
    case "status":
      return statusView(result.status, visit, cancelling);
    case "link-used":
    case "link-expired":
      return { kind: result.kind, visit, reference: result.reference };
    case "visit-expired":
    case "unknown":
      return { kind: result.kind };
  }
}

function statusView(
  status: Status,
  visit: string,
  cancelling: { asked?: boolean; tooLate?: boolean },
): VisitView {
  const open = status.state === "confirmed" || status.state === "in-progress";
  const { facts } = words;
  return {
    kind: "status",
    visit,
    state: status.state,
    facts: [
      { label: facts.reference, value: status.reference },
      ...(status.otherReferences.length > 0
        ? [{ label: facts.otherReferences, value: status.otherReferences.join(", ") }]
        : []),
      ...address(status.maskedEmail),
      ...(open
        ? [
            { label: facts.due, value: formatDay(status.due.date) },
            { label: facts.left, value: describeDaysLeft(status.daysLeft) },
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
      status.due.date,
    ),
    skipped: open ? describeSkipped(status.due) : [],
    extensions: status.extensions.map((extension) => ({
      when: words.status.extension
        .replace("{from}", formatDay(extension.from))
        .replace("{to}", formatDay(extension.to)),
      explanation: extension.explanation,
    })),
    refusal: status.refusal && {
      reason: campus.mail.refusalReasons[status.refusal.reason],
      explanation: status.refusal.explanation,
    },
    proof: status.proof
      ? [
          { label: words.receipt.proof.entry, value: String(status.proof.entry) },
          { label: words.receipt.proof.hash, value: status.proof.hash },
          { label: words.receipt.proof.key, value: String(status.proof.keyVersion) },
        ]
      : [],
    cancel: cancelling.tooLate
      ? "too-late"
      : !status.canCancel
        ? "none"
        : cancelling.asked
          ? "asked"
          : "offered",
  };
}

/** The stops of the route: those reached, each with its moment, the last of them being where the request is. */
function route(
  reached: (readonly [keyof typeof names.reached, Temporal.Instant | undefined])[],
  ahead: (keyof typeof names.ahead)[],
  due: Temporal.PlainDate,
): Stop[] {
  const past = reached.flatMap(([stop, at]) => (at ? [{ stop, at }] : []));
  return [
    ...past.map(
      ({ stop, at }, index): Stop => ({
        title: names.reached[stop],
        text: formatMomentBriefly(at),
        phase: index === past.length - 1 ? "here" : "passed",
      }),
    ),
    ...ahead.map(
      (stop): Stop => ({
        title: names.ahead[stop],
        text: {
          confirmed: undefined,
          "in-progress": names.cancelUntil,
          completed: names.by.replace("{{date}}", formatDay(due)),
        }[stop],
        phase: "ahead",
      }),
    ),
  ];
}

/** What the page says first: its heading and the beginning of its title. */
export function titleOf(view: VisitView): string {
  switch (view.kind) {
    case "confirm":
      return words.confirm.title;
    case "status":
      return view.cancel === "asked"
        ? words.cancel.question
        : words.status.states[view.state].title;
    case "link-used":
      return words.linkUsed.title;
    case "link-expired":
      return words.linkExpired.title;
    case "new-link-sent":
      return words.newLink.sentTitle;
    case "visit-expired":
      return words.visitExpired.title;
    case "unknown":
      return words.unknown.title;
  }
}

/** What is shown after a new link was asked for. */
export function toNewLinkView(result: Extract<NewLinkResult, { kind: "done" }>): VisitView {
  return { kind: "new-link-sent", facts: address(result.maskedEmail) };
}
