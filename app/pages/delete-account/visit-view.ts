import { campus } from "virtual:campus";
import type { MaskedEmail } from "../../../server/addresses/email-address.ts";
import type {
  NewLinkResult,
  Status,
  VisitResult,
} from "../../../server/deletion-requests/service.ts";
import { describeSkipped, formatDay, formatMoment } from "./dates.ts";

/** What a page behind a mail's link shows: facts and sentences, ready to be read. */
export type VisitView =
  | {
      kind: "confirm";
      visit: string;
      facts: Fact[];
      due: string;
      skipped: string[];
    }
  | {
      kind: "status";
      visit: string;
      state: Status["state"];
      facts: Fact[];
      skipped: string[];
      late: boolean;
      extensions: { when: string; explanation: string }[];
      refusal?: { reason: string; explanation: string };
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
          ...moment(words.facts.received, result.receivedAt),
        ],
        due: words.confirm.due.replace("{date}", formatDay(result.dueIfConfirmedToday.date)),
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
    late: open && status.daysLeft < 0,
    facts: [
      { label: facts.reference, value: status.reference },
      ...(status.otherReferences.length > 0
        ? [{ label: facts.otherReferences, value: status.otherReferences.join(", ") }]
        : []),
      ...address(status.maskedEmail),
      ...moment(facts.received, status.receivedAt),
      ...moment(facts.confirmed, status.confirmedAt),
      ...moment(facts.started, status.startedAt),
      ...moment(facts.ended, status.endedAt),
      ...(open
        ? [
            { label: facts.due, value: formatDay(status.due.date) },
            { label: facts.left, value: describeDaysLeft(status.daysLeft) },
          ]
        : []),
    ],
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
    cancel: cancelling.tooLate
      ? "too-late"
      : !status.canCancel
        ? "none"
        : cancelling.asked
          ? "asked"
          : "offered",
  };
}

/** What is shown after a new link was asked for. */
export function toNewLinkView(result: Extract<NewLinkResult, { kind: "done" }>): VisitView {
  return { kind: "new-link-sent", facts: address(result.maskedEmail) };
}
