import { matchEmail } from "../addresses/email-address.ts";
import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  type DueDate,
  dateAt,
  skippedToText,
} from "../calendar/business-days.ts";
import type { Write } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage, dropUnsentMessages } from "../outbox/outbox.ts";
import { enterInLedger } from "./chain.ts";
import { type EntryFacts, numberOf, sealAddress } from "./chain-entry.ts";
import {
  type Actor,
  decide,
  type Life,
  type LifeEvent,
  type Refusal,
  type RefusalReason,
} from "./life.ts";
import { addStatusToken, closeLinksLater } from "./links.ts";
import type { PersonMessage } from "./messages.ts";
import type { ReasonCode } from "./reasons.ts";
import { enterConfirmation, enterDueDate, enterEnd, enterStart } from "./store/changes.ts";
import { findRequestById } from "./store/finding.ts";
import {
  type ConfirmedRequest,
  type EndedRequest,
  isEnded,
  isWorking,
  type StoredRequest,
} from "./store/request.ts";
import { addEvent } from "./store/trail.ts";
import { tally, tookDays } from "./tallies.ts";

/**
 * Makes an event happen to a stored request: what `decide` allows becomes a changed row, a row of the audit trail, a
 * count and the mails that are owed, all in the caller's transaction.
 */
export type Office = {
  calendar: Calendar;
  keys: Keys;
  /** Business days from confirmation to the promised date. */
  businessDays: number;
  /** Told of every act, in its transaction. */
  onChange?: OnChange | undefined;
};

/** What an act made of a request. */
export type Change = { before: StoredRequest; after: ConfirmedRequest; by: By };
export type OnChange = (transaction: Write, change: Change, now: Temporal.Instant) => Promise<void>;

export type By = { actor: Actor /** Of the operator. */; name?: string };

export type Act =
  | { type: "confirm"; reference: string; reason: ReasonCode }
  | { type: "cancel" }
  | { type: "take" }
  | { type: "complete" }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string };

export type ActResult = { ok: true; request: ConfirmedRequest } | { ok: false; refusal: Refusal };

/** A request that nobody confirms goes this long after it was last sent. */
export const unconfirmedDays = 7;

export function expiryFrom(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: unconfirmedDays * 24 });
}

/** The promise that a confirmation at this instant would make. */
export function dueDateFrom(office: Office, confirmedAt: Temporal.Instant): DueDate {
  return addBusinessDays(
    office.calendar,
    dateAt(office.calendar, confirmedAt),
    office.businessDays,
  );
}

export async function applyAct(
  office: Office,
  transaction: Write,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Promise<ActResult> {
  const { calendar, keys } = office;
  const today = dateAt(calendar, now);
  const due = newDueDate(office, request, act, now);
  const decision = decide(toLife(request), toEvent(act, due, today), by.actor);
  if (!decision.ok) return decision;

  await enter(office, transaction, request, act, due, now);
  await addEvent(transaction, request.id, {
    at: now,
    actor: by.actor,
    name: by.name ?? "",
    type: act.type,
    fromState: request.state,
    toState: decision.life.state,
    code: act.type === "refuse" ? act.reason : "",
    note: "explanation" in act ? act.explanation : "",
    dueFrom: due && isWorking(request) ? request.dueOn : undefined,
    dueTo: due?.date,
  });
  const changed = await findRequestById(transaction, request.id);
  if (!changed || changed.state === "received") {
    throw new Error(`Request ${request.id} did not become what was entered`);
  }

  if (isEnded(changed)) {
    await dropUnsentMessages(transaction, changed.id);
    await enterEndInLedger(keys, transaction, changed, now);
  }
  const token = await addStatusToken(transaction, changed.id, { by: "system" }, now);
  await addMessage(transaction, keys, now, {
    channel: "person",
    message: toMessage(act, request, changed, token),
    ownerId: changed.id,
  });
  if (isEnded(changed)) await closeLinksLater(transaction, changed.id, now);
  if (act.type === "confirm") {
    await addMessage(transaction, keys, now, {
      channel: "operators",
      message: {
        kind: "operator-new",
        reference: changed.reference,
        dueOn: changed.dueOn.toString(),
        daysLeft: countDaysLeft(calendar, today, changed.dueOn),
      },
      ownerId: null,
    });
  }
  await office.onChange?.(transaction, { before: request, after: changed, by }, now);
  return { ok: true, request: changed };
}

async function enterEndInLedger(
  keys: Keys,
  transaction: Write,
  ended: EndedRequest,
  now: Temporal.Instant,
): Promise<void> {
  const { id, reference, email = "" } = ended;
  const account = keys.hash("ledger", matchEmail(email));
  const number = numberOf(keys, reference, account.version) ?? "";
  const facts: EntryFacts = {
    what: ended.state,
    reference,
    receivedAt: ended.receivedAt,
    confirmedAt: ended.confirmedAt,
    dueOn: ended.dueOn,
    endedAt: ended.endedAt,
    refusalReason: ended.state === "refused" ? ended.refusalReason : undefined,
    account,
    address: sealAddress(number, email),
  };
  await enterInLedger(transaction, keys, id, facts, now);
}

/** Changes the request's row, and counts. */
async function enter(
  office: Office,
  transaction: Write,
  request: StoredRequest,
  act: Act,
  due: DueDate | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const { id } = request;
  const today = dateAt(office.calendar, now);
  const end = (
    state: "completed" | "cancelled" | "refused",
    refusalReason?: RefusalReason,
  ): Promise<void> => {
    const hash = office.keys.hash("ledger", matchEmail(request.email ?? ""));
    return enterEnd(transaction, id, { state, at: now, refusalReason, hash });
  };
  switch (act.type) {
    case "confirm": {
      const { reference, reason } = act;
      if (!due) throw new Error("A confirmation promises a date");
      await enterConfirmation(transaction, id, { reference, reason, at: now, on: today, due });
      return tally(transaction, today, "confirmed");
    }
    case "take":
      return enterStart(transaction, id, now);
    case "extend":
      if (!due) throw new Error("An extension promises a date");
      return enterDueDate(transaction, id, due);
    case "cancel":
      await end("cancelled");
      return tally(transaction, today, "cancelled");
    case "refuse":
      await end("refused", act.reason);
      return tally(transaction, today, "refused");
    case "complete": {
      await end("completed");
      await tally(transaction, today, "completed");
      if (!isWorking(request)) return;
      await tally(transaction, today, tookDays(request.confirmedAt, now));
      if (Temporal.PlainDate.compare(today, request.dueOn) <= 0) {
        await tally(transaction, today, "completed-on-time");
      }
    }
  }
}

export function toLife(request: StoredRequest): Life {
  switch (request.state) {
    case "received":
      return { state: "received", expiresAt: request.expiresAt };
    case "confirmed":
    case "in-progress":
      return { state: request.state, confirmedOn: request.confirmedOn, dueOn: request.dueOn };
    default:
      return { state: request.state };
  }
}

function newDueDate(
  office: Office,
  request: StoredRequest,
  act: Act,
  now: Temporal.Instant,
): DueDate | undefined {
  if (act.type === "confirm") return dueDateFrom(office, now);
  if (act.type !== "extend" || !isWorking(request)) return undefined;
  const later = addBusinessDays(office.calendar, request.dueOn, act.businessDays);
  return { date: later.date, skipped: [...request.skipped, ...later.skipped] };
}

function toEvent(act: Act, due: DueDate | undefined, today: Temporal.PlainDate): LifeEvent {
  switch (act.type) {
    case "confirm":
      return { type: "confirm", on: today, dueOn: due?.date ?? today };
    case "extend":
      return { type: "extend", dueOn: due?.date ?? today };
    case "refuse":
      return { type: "refuse", reason: act.reason };
    default:
      return { type: act.type };
  }
}

function toMessage(
  act: Act,
  before: StoredRequest,
  after: ConfirmedRequest,
  token: string,
): PersonMessage {
  const { reference } = after;
  const dueOn = after.dueOn.toString();
  const skipped = skippedToText(after.skipped);
  switch (act.type) {
    case "confirm":
      return { kind: "confirmed", token, reference, dueOn, skipped };
    case "cancel":
      return { kind: "cancelled", token, reference };
    case "take":
      return { kind: "in-progress", token, reference, dueOn };
    case "extend":
      return {
        kind: "extended",
        token,
        reference,
        previouslyDueOn: isWorking(before) ? before.dueOn.toString() : dueOn,
        dueOn,
        skipped,
        explanation: act.explanation,
      };
    case "complete":
      if (!isEnded(after)) throw new Error("A completed request has ended");
      return {
        kind: "completed",
        token,
        reference,
        receivedAt: toText(after.receivedAt),
        confirmedAt: toText(after.confirmedAt),
        completedAt: toText(after.endedAt),
      };
    case "refuse":
      return {
        kind: "refused",
        token,
        reference,
        reason: act.reason,
        explanation: act.explanation,
      };
  }
}
