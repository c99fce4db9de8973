import {
  addBusinessDays,
  type Calendar,
  findSkipReason,
  skippedToText,
} from "../../calendar/business-days.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import { holdReasons, refusalReasons } from "../life/life.ts";
import type { Message, Promised } from "./messages.ts";

/**
 * Messages of every kind with invented facts: what a build writes once to know that a campus's words can become mails.
 * Their dates are those of the campus's own calendar.
 */

type MessagesByKind = { [Kind in Message["kind"]]: Extract<Message, { kind: Kind }>[] };

const token = "t".repeat(43);
const reference = "K7RM-4XQP";
const receivedAt = "2026-11-22T04:00:00.000Z";
const from = Temporal.PlainDate.from("2026-11-22");

/** Where nothing depends on the campus. */
const anyCalendar: Calendar = {
  timeZone: "UTC",
  weekend: [6, 7],
  holidays: [{ date: "2026-12-02", name: "holiday" }],
};

/** A day that the calendar's next holiday on a working day is soon after. */
function findDayBeforeHoliday(calendar: Calendar): Temporal.PlainDate {
  for (let days = 1; days <= 366; days++) {
    const date = from.add({ days });
    const isHoliday = findSkipReason(calendar, date)?.reason === "holiday";
    if (isHoliday && !calendar.weekend.includes(date.dayOfWeek)) return date.subtract({ days: 3 });
  }
  return from;
}

/** Of a User: no papers, an unpaid fare. */
export const sampleCompletion: Completion = {
  lines: [
    { store: "accounts", kind: "identity", outcome: "deleted" },
    {
      store: "rides",
      kind: "ride-details",
      outcome: "kept",
      reason: "open-matter",
      until: "2027-03-01",
    },
    { store: "papers", kind: "driver-papers", outcome: "none" },
    { store: "deletion-page", kind: "deletion-request", outcome: "due", by: "2026-12-22" },
    { store: "deletion-page", kind: "proof", outcome: "kept", reason: "as-listed" },
  ],
  told: [{ store: "wallet", on: "2026-11-22" }],
  backupsGoneBy: "2026-12-22",
};

/** Not signed by anybody. */
const sampleProof: Proof = {
  entry: 17,
  hash: "5c1f".repeat(16),
  text: "Deletion ledger, entry 17\n",
  signature: `${"A".repeat(86)}==`,
  keyVersion: 1,
  number: "h0kX".repeat(10),
};

/** @param explanation what the team writes in its own words */
export function sampleMessages(
  calendar: Calendar = anyCalendar,
  explanation = "The other operator is ill, and nobody else may open the payments.\n\nSorry!",
): readonly Message[] {
  const inDays = (count: number) => addBusinessDays(calendar, from, count).date.toString();
  const dueOn = inDays(10);
  const overHoliday = addBusinessDays(calendar, findDayBeforeHoliday(calendar), 10);
  const later = overHoliday.date.toString();
  const skipped = skippedToText(overHoliday.skipped);
  const oneSkipped = skippedToText(overHoliday.skipped.slice(0, 1));
  /** One that can be kept, and one whose day has passed. */
  const promises: Promised[] = [{ dueOn }, { dueOn: inDays(-1), late: true }];
  const byKind: MessagesByKind = {
    confirm: [
      { kind: "confirm", token, reference, validUntil: "2026-11-24T04:00:00.000Z", receivedAt },
    ],
    confirmed: [
      { kind: "confirmed", token, reference, dueOn: later, skipped },
      { kind: "confirmed", token, reference, dueOn, skipped: oneSkipped },
      { kind: "confirmed", token, reference, dueOn, skipped: "[]" },
    ],
    reminder: (["confirmed", "in-progress"] as const).flatMap((state) =>
      promises.map((promised) => ({
        kind: "reminder" as const,
        token,
        reference,
        ...promised,
        state,
      })),
    ),
    cancelled: [{ kind: "cancelled", token, reference }],
    "cancelled-for-you": ["", explanation].map((because) => ({
      kind: "cancelled-for-you",
      token,
      reference,
      explanation: because,
    })),
    held: holdReasons.flatMap((reason) =>
      [{ dueOn }, { dueOn: later, moved: { previouslyDueOn: dueOn, skipped } }].flatMap(
        (promised) =>
          ["", explanation].map((because) => ({
            kind: "held" as const,
            token,
            reference,
            ...promised,
            until: inDays(5),
            reason,
            explanation: because,
          })),
      ),
    ),
    released: promises.map((promised) => ({ kind: "released", token, reference, ...promised })),
    reopened: [{ kind: "reopened", token, reference, dueOn, explanation }],
    entered: [{ kind: "entered", token, reference, receivedAt }],
    "notice-entered": [
      { kind: "notice-entered", token, reference, receivedAt, contact: "a•••••@home.example" },
    ],
    "notice-confirmed": [
      { kind: "notice-confirmed", token, reference, dueOn, contact: "a•••••@home.example" },
    ],
    "in-progress": promises.map((promised) => ({
      kind: "in-progress",
      token,
      reference,
      ...promised,
    })),
    extended: [
      {
        kind: "extended",
        token,
        reference,
        previouslyDueOn: dueOn,
        dueOn: later,
        skipped,
        explanation,
      },
    ],
    late: (["confirmed", "in-progress"] as const).map((state) => ({
      kind: "late",
      token,
      reference,
      dueOn,
      state,
    })),
    completed: [
      {
        kind: "completed",
        token,
        reference,
        receivedAt,
        confirmedAt: receivedAt,
        completedAt: receivedAt,
        completion: sampleCompletion,
        proof: sampleProof,
      },
      {
        kind: "completed",
        token,
        reference,
        receivedAt,
        confirmedAt: receivedAt,
        completedAt: receivedAt,
      },
    ],
    refused: refusalReasons.flatMap((reason) =>
      ["", explanation].map((because) => ({
        kind: "refused" as const,
        token,
        reference,
        reason,
        explanation: because,
      })),
    ),
    "operator-new": [{ kind: "operator-new", reference, dueOn, daysLeft: 10 }],
    "operator-due-soon": [2, 1, 0, -1, -2].map((daysLeft) => ({
      kind: "operator-due-soon",
      reference,
      dueOn,
      daysLeft,
      state: "confirmed",
    })),
    "operator-digest": [
      {
        kind: "operator-digest",
        date: dueOn,
        open: [
          {
            reference,
            dueOn,
            daysLeft: -2,
            state: "in-progress",
            owner: "Nadia",
            heldUntil: dueOn,
          },
          { reference, dueOn, daysLeft: 1, state: "confirmed", owner: "", heldUntil: "" },
        ],
        openCount: 60,
        unconfirmed: 3,
        troubled: [{ reference, kind: "confirm", problem: "recipient refused (550)" }],
        troubledCount: 2,
        overdue: 1,
        waitingSince: receivedAt,
        silentSince: receivedAt,
        freed: [reference],
        calendarEnd: "2026-12-25",
        head: { entry: 17, hash: sampleProof.hash },
      },
      {
        kind: "operator-digest",
        date: dueOn,
        open: [],
        openCount: 0,
        unconfirmed: 0,
        troubled: [],
        troubledCount: 0,
        overdue: 0,
        waitingSince: "",
        calendarEnd: "none",
      },
    ],
    "operator-trouble": [
      {
        kind: "operator-trouble",
        troubled: [{ reference, kind: "completed", problem: "mail server too slow" }],
        troubledCount: 1,
      },
    ],
    "operator-full": [{ kind: "operator-full", unconfirmed: 100_000 }],
    "operator-invitation": [
      {
        kind: "operator-invitation",
        name: "Nadia",
        link: "https://example.org/operator/enrol#sample",
        validUntil: receivedAt,
      },
    ],
    "operator-moved": [{ kind: "operator-moved", name: "Nadia", before: "nadia@uni.example" }],
    "operator-recovery": [{ kind: "operator-recovery", name: "Nadia", device: "Firefox, Android" }],
    "operator-deleted-held": [{ kind: "operator-deleted-held", reference }],
    "operator-account-system": [
      {
        kind: "operator-account-system",
        troubled: [
          { reference, kind: "account.deletion.requested", problem: "no answer", dueOn },
          {
            reference,
            kind: "account.deletion.requested",
            problem: "did not believe the signature (401)",
          },
        ],
        troubledCount: 60,
      },
    ],
  };
  return Object.values(byKind).flat();
}
