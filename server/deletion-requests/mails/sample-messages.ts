import type { Calendar, SkippedDay } from "../../platform/calendar/business-days.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../state-machine/completion.ts";
import { holdReasons, refusalReasons } from "../state-machine/request.ts";
import type { Message, OperatorMessage, PersonNews, Promised } from "./messages.ts";

/** Samples of every kind of message. The build renders each of them, to check a campus's texts. */

const token = "t".repeat(43);
const reference = "K7RM-4XQP";
const receivedAt = "2026-11-22T04:00:00.000Z";
const from = Temporal.PlainDate.from("2026-11-22");

/** Completion for a User account without documents that has an unpaid fare. */
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

const sampleProof: Proof = {
  entry: 17,
  hash: "5c1f".repeat(16),
  text: "Deletion receipt\n",
  signature: `${"A".repeat(86)}==`,
  keyVersion: 1,
  number: "h0kX".repeat(10),
};

/**
 * Creates the samples.
 * @param holidays the campus's holidays; a promised date skips one of them
 * @param explanation free text from the team
 */
export function sampleMessages(
  holidays: Calendar["holidays"] = [],
  explanation = "The other operator is ill, and nobody else may open the payments.\n\nSorry!",
): readonly Message[] {
  const inDays = (days: number) => from.add({ days }).toString();
  const listed = (byKind: Record<string, object[]>) =>
    Object.entries(byKind).flatMap(([kind, all]) => all.map((facts) => ({ kind, ...facts })));
  const about = { token, reference };
  const toPersons = listed(personSamples(holidays, inDays, explanation));
  return [
    ...toPersons.map((news) => ({ ...news, ...about }) as Message),
    ...(listed(teamSamples(inDays(14))) as Message[]),
  ];
}

/** Facts for samples of each kind of message, without the kind itself. */
type Samples<Any extends { kind: string }> = {
  [Kind in Any["kind"]]: Omit<Extract<Any, { kind: Kind }>, "kind">[];
};

function personSamples(
  holidays: Calendar["holidays"],
  inDays: (days: number) => string,
  explanation: string,
): Samples<PersonNews> {
  const dueOn = inDays(14);
  const next = holidays.find(({ date }) => date > dueOn) ?? { date: inDays(24), name: "holiday" };
  const holiday = Temporal.PlainDate.from(next.date);
  const skippedDays: SkippedDay[] = [
    { date: holiday.subtract({ days: 2 }).toString() },
    { date: holiday.subtract({ days: 1 }).toString() },
    { date: next.date, holiday: next.name },
  ];
  const later = holiday.add({ days: 3 }).toString();
  /** One date that is ahead, and one that has passed. */
  const promises: Promised[] = [{ dueOn }, { dueOn: inDays(-1), late: true }];
  const explained = ["", explanation].map((text) => ({ explanation: text }));
  const begun = ["confirmed", "in-progress"] as const;
  const times = { receivedAt, confirmedAt: receivedAt, completedAt: receivedAt };
  const cancelUntil = "2026-11-25T04:00:00.000Z";
  const contact = "a•••••@home.example";
  const until = inDays(5);
  const stopUntil = "2026-11-24T04:00:00.000Z";
  const moved = { previouslyDueOn: dueOn, skippedDays };
  return {
    confirm: [{ validUntil: "2026-11-24T04:00:00.000Z", receivedAt }],
    confirmed: [
      { dueOn: later, skippedDays },
      { dueOn, skippedDays: skippedDays.slice(0, 1) },
      { dueOn, skippedDays: [] },
    ],
    reminder: begun.flatMap((state) => promises.map((promised) => ({ ...promised, state }))),
    cancelled: [{}],
    "cancelled-for-you": explained,
    held: holdReasons.flatMap((reason) =>
      [{ dueOn }, { dueOn: later, moved }].flatMap((promised) =>
        explained.map((why) => ({ ...promised, until, reason, ...why })),
      ),
    ),
    released: promises,
    restored: [
      { state: "confirmed", copiedAt: receivedAt, cancelUntil, dueOn },
      { state: "confirmed", copiedAt: receivedAt, cancelUntil, dueOn: inDays(-1), late: true },
      { state: "in-progress", copiedAt: receivedAt, cancelUntil, dueOn },
      { state: "received", copiedAt: receivedAt, validUntil: cancelUntil },
      { state: "received", copiedAt: receivedAt, isEntered: true },
    ],
    reopened: [{ dueOn, explanation }],
    stopped: [{ neverConfirmed: true }, {}],
    faded: [{ neverConfirmed: true }],
    "ask-proof": explained.map((why) => ({
      asks: [{ en: "a payment: amount and day" }, { en: "a photo of your student card" }],
      fadesAt: stopUntil,
      ...why,
    })),
    entered: [{ receivedAt }],
    "notice-entered": [{ receivedAt, contact, stopUntil }],
    "notice-confirmed": [
      { dueOn, contact, untouchedUntil: stopUntil },
      { dueOn, contact },
    ],
    "in-progress": promises,
    extended: [{ ...moved, dueOn: later, explanation }],
    late: begun.map((state) => ({ dueOn, state })),
    completed: [{ ...times, completion: sampleCompletion, proof: sampleProof }, times],
    refused: [
      ...refusalReasons.flatMap((reason) => explained.map((why) => ({ reason, ...why }))),
      { reason: "not-the-owner", explanation: "", neverConfirmed: true },
    ],
  };
}

function teamSamples(dueOn: string): Samples<OperatorMessage> {
  const own = { reference, dueOn, state: "confirmed" as const };
  const event = { reference, kind: "account.deletion.requested" };
  return {
    "operator-new": [{ reference, dueOn, daysLeft: 10 }],
    "operator-due-soon": [2, 1, 0, -1, -2].map((daysLeft) => ({ ...own, daysLeft })),
    "operator-digest": [
      {
        date: dueOn,
        open: [
          { ...own, daysLeft: -2, state: "in-progress", owner: "Nadia", heldUntil: dueOn },
          { ...own, daysLeft: 1, owner: "", heldUntil: "" },
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
      },
      {
        date: dueOn,
        open: [],
        openCount: 0,
        unconfirmed: 0,
        overdue: 0,
        troubled: [],
        troubledCount: 0,
        waitingSince: "",
        calendarEnd: "none",
      },
    ],
    "operator-trouble": [
      {
        troubled: [{ reference, kind: "completed", problem: "mail server too slow" }],
        troubledCount: 1,
      },
    ],
    "operator-full": [{ unconfirmed: 100_000 }],
    "operator-invitation": [
      {
        name: "Nadia",
        link: "https://example.org/operator/enrol#sample",
        validUntil: receivedAt,
        by: "Kabir",
      },
      {
        name: "Nadia",
        link: "https://example.org/operator/enrol#sample",
        validUntil: receivedAt,
      },
    ],
    "operator-second-look": [{ reference, fadesAt: receivedAt }],
    "operator-stopped": [{ reference }],
    "operator-moved": [{ name: "Nadia", before: "nadia@uni.example" }],
    "operator-recovery": [{ name: "Nadia", device: "Firefox, Android" }],
    "operator-deleted-held": [{ reference }],
    "operator-account-system": [
      {
        troubled: [
          { ...event, problem: "no answer", dueOn },
          { ...event, problem: "did not believe the signature (401)" },
        ],
        troubledCount: 60,
      },
    ],
  };
}
