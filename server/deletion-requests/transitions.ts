import { matchEmail } from "../addresses/email-address.ts";
import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  type DueDate,
  dateAt,
  skippedToText,
} from "../calendar/business-days.ts";
import type { Write } from "../database/database.ts";
import { toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage, dropUnsentMessages } from "../outbox/outbox.ts";
import {
  type Actor,
  decide,
  type Life,
  type LifeEvent,
  type Refusal,
  type RefusalReason,
} from "./life.ts";
import { addStatusToken } from "./links.ts";
import type { PersonMessage } from "./messages.ts";
import { addEvent, findRequestById, type RequestRecord, updateRequest } from "./store.ts";

/**
 * Makes an event happen to a stored request: what `decide` allows becomes a changed row, a row of the audit trail and
 * the mails that are owed, all in the caller's transaction.
 */
export type Office = {
  calendar: Calendar;
  keys: Keys;
  /** Business days from confirmation to the promised date. */
  businessDays: number;
};

export type By = { actor: Actor /** Of the operator. */; name?: string };

export type Act =
  | { type: "repeat" }
  | { type: "confirm"; reference: string }
  | { type: "cancel" }
  | { type: "take" }
  | { type: "complete" }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string };

export type ActResult = { ok: true; request: RequestRecord } | { ok: false; refusal: Refusal };

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
  request: RequestRecord,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Promise<ActResult> {
  const { calendar, keys } = office;
  const due = newDueDate(office, request, act, now);
  const decision = decide(toLife(request), toEvent(act, due, calendar, now), by.actor);
  if (!decision.ok) return decision;
  const { life } = decision;

  const confirming = act.type === "confirm";
  const ended =
    life.state === "completed" || life.state === "cancelled" || life.state === "refused";
  const hash = ended ? keys.hash("ledger", matchEmail(request.email)) : undefined;
  await updateRequest(transaction, request.id, {
    state: life.state,
    ...(life.state === "received" && { expires_at: toText(life.expiresAt) }),
    ...(confirming && {
      reference: act.reference,
      confirmed_at: toText(now),
      confirmed_on: dateAt(calendar, now).toString(),
      expires_at: null,
    }),
    ...(due && { due_on: due.date.toString(), skipped: skippedToText(due.skipped) }),
    ...(act.type === "take" && { started_at: toText(now) }),
    ...(act.type === "refuse" && { refusal_reason: act.reason }),
    ...(hash && {
      ended_at: toText(now),
      address_hash: hash.hash,
      address_hash_version: hash.version,
    }),
  });
  await addEvent(transaction, request.id, {
    at: now,
    actor: by.actor,
    name: by.name ?? "",
    type: act.type,
    fromState: request.state,
    toState: life.state,
    code: act.type === "refuse" ? act.reason : "",
    note: "explanation" in act ? act.explanation : "",
    dueFrom: due && request.dueOn,
    dueTo: due?.date,
  });
  const changed = await findRequestById(transaction, request.id);
  if (!changed) throw new Error("A request vanished inside its own transaction");

  if (ended) await dropUnsentMessages(transaction, request.id);
  if (act.type !== "repeat") {
    const token = await addStatusToken(transaction, request.id, "system", now);
    await addMessage(transaction, keys, now, {
      message: toMessage(act, request, changed, token),
      requestId: request.id,
    });
  }
  if (confirming && due) {
    await addMessage(transaction, keys, now, {
      message: {
        kind: "operator-new",
        reference: changed.reference,
        dueOn: due.date.toString(),
        daysLeft: countDaysLeft(calendar, dateAt(calendar, now), due.date),
      },
      requestId: null,
    });
  }
  return { ok: true, request: changed };
}

export function toLife(request: RequestRecord): Life {
  switch (request.state) {
    case "received":
      return {
        state: "received",
        expiresAt: request.expiresAt ?? expiryFrom(request.receivedAt),
      };
    case "confirmed":
    case "in-progress":
      if (!request.confirmedOn || !request.dueOn) {
        throw new Error(`Request ${request.reference} is ${request.state} without a due date`);
      }
      return { state: request.state, confirmedOn: request.confirmedOn, dueOn: request.dueOn };
    default:
      return { state: request.state };
  }
}

function newDueDate(
  office: Office,
  request: RequestRecord,
  act: Act,
  now: Temporal.Instant,
): DueDate | undefined {
  if (act.type === "confirm") return dueDateFrom(office, now);
  if (act.type !== "extend" || !request.dueOn) return undefined;
  const later = addBusinessDays(office.calendar, request.dueOn, act.businessDays);
  return { date: later.date, skipped: [...request.skipped, ...later.skipped] };
}

function toEvent(
  act: Act,
  due: DueDate | undefined,
  calendar: Calendar,
  now: Temporal.Instant,
): LifeEvent {
  const today = dateAt(calendar, now);
  switch (act.type) {
    case "repeat":
      return { type: "repeat", expiresAt: expiryFrom(now) };
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
  act: Exclude<Act, { type: "repeat" }>,
  before: RequestRecord,
  after: RequestRecord,
  token: string,
): PersonMessage {
  const { reference } = after;
  const dueOn = after.dueOn?.toString() ?? "";
  switch (act.type) {
    case "confirm":
      return {
        kind: "confirmed",
        token,
        reference,
        dueOn,
        skipped: skippedToText(after.skipped),
      };
    case "cancel":
      return { kind: "cancelled", token, reference };
    case "take":
      return { kind: "in-progress", token, reference, dueOn };
    case "extend":
      return {
        kind: "extended",
        token,
        reference,
        previouslyDueOn: before.dueOn?.toString() ?? "",
        dueOn,
        skipped: skippedToText(after.skipped),
        explanation: act.explanation,
      };
    case "complete":
      return {
        kind: "completed",
        token,
        reference,
        receivedAt: toText(after.receivedAt),
        confirmedAt: toText(after.confirmedAt ?? after.receivedAt),
        completedAt: toText(after.endedAt ?? after.receivedAt),
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
