import {
  changeMessageState,
  delayMessages,
  dropMessage,
  dropUnsentMessages,
  listMessages,
  type OutboxRecord,
} from "../../delivery/outbox.ts";
import { statusDays, undoMinutes } from "../../periods.ts";
import { matchEmail } from "../../platform/addresses/email-address.ts";
import { type Calendar, countDaysLeft, dateAt } from "../../platform/calendar/business-days.ts";
import type { Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { decodeRow, type RowIn } from "../../platform/database/rows.ts";
import type { Write } from "../../platform/database/statement.ts";
import { recordEnd, recordUndo } from "../ledger/entries.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { type EventContext, mailsOf } from "../mails/event-mails.ts";
import { enqueuePersonMail, enqueueTeamMail } from "../mails/mails.ts";
import type { PersonMessage } from "../mails/messages.ts";
import { addEvent } from "../repository/audit-log.ts";
import { closeLinks, reviveConfirmTokens, spendConfirmTokens } from "../repository/links.ts";
import { findOpenRequest, findRow, restoreRow, saveRequest } from "../repository/requests.ts";
import {
  type EndedRequest,
  fieldsOf,
  isEnded,
  type StoredRequest,
} from "../state-machine/request.ts";
import {
  type Act,
  acts,
  type By,
  type Decision,
  type RequestEvent,
  type Rules,
  transition,
  type Undone,
} from "../state-machine/state-machine.ts";
import { canBeUndone, writeChange } from "./undo.ts";

export type Work<Services = ActServices> = {
  services: Services;
  transaction: Write;
  now: Temporal.Instant;
};

/**
 * Applies an act to a stored request and notifies the subscriber, both in the caller's transaction.
 */
export async function applyAct(
  work: Work,
  before: StoredRequest,
  act: Act,
  by: By,
): Promise<Decision> {
  const decision = await recordAct(work, before, act, by);
  if (decision.ok) await work.services.onEvents?.(work, { ...decision, before });
  return decision;
}

/**
 * Applies an act without notifying the subscriber, for callers that already know about the change.
 * Stores the result of `transition`. The history, figures, ledger entry and emails are derived from
 * its events.
 */
export async function recordAct(
  work: Work,
  before: StoredRequest,
  act: Act,
  by: By,
): Promise<Decision> {
  const { services, transaction, now } = work;
  const { keys } = services;
  const decision = transition(before, act, { rules: services, by, now });
  if (!decision.ok) return decision;
  const { after, happened } = decision;
  if (isEnded(before) && (await findOpenRequest(transaction, before.email ?? ""))) {
    return { ok: false, refusal: "another-open" };
  }
  if (act.type === "repeat") {
    // Sends these statements in one round trip so that response times don't reveal whether the
    // store knows an address.
    await transaction.together([
      () => saveRequest(transaction, before, after),
      () => count(work, { before, after, happened }),
      () => recordEvents(work, { before, after, happened }, by),
    ]);
    return decision;
  }
  const ended = isEnded(after)
    ? { ...after, account: keys.hash("ledger", matchEmail(after.email ?? "")) }
    : undefined;
  const undone = act.type === "undo" ? act.undone : undefined;
  const keeping = canBeUndone(act, by) ? await readUndoState(transaction, before) : undefined;
  if (undone) await undoAct(transaction, before.id, undone);
  else await saveRequest(transaction, before, after, ended?.account);
  const change = { before, after, happened };
  await count(work, change);
  const heldBack = keeping && ended ? await holdBackEmails(transaction, keeping) : [];
  if (isEnded(before) !== isEnded(after) && !undone) {
    await dropUnsentMessages(transaction, { requestId: after.id });
  }
  if (isEnded(before)) await recordUndo(transaction, keys, after, now);
  const proof = ended && (await recordEnd(transaction, keys, ended, now));
  await enqueueMails(work, { ...change, by, proof }, delayOf(act, by));
  const kept = keeping && (await encodeUndoState(transaction, keeping, heldBack));
  await recordEvents(work, change, by, kept);
  await moveLinks(work, change);
  return decision;
}

/**
 * Closes a request's links when the request ends, and reopens them when the end is undone or the
 * request is reopened. Marks confirmation links as used when the request is confirmed, or when it
 * ends unconfirmed. Reactivates them when that act is undone.
 */
async function moveLinks(
  { transaction, now }: Work,
  { before, after, happened }: Change,
): Promise<void> {
  const of = { requestId: after.id };
  if (isEnded(before) || isEnded(after)) {
    const closesAt = isEnded(after) ? now.add({ hours: statusDays * 24 }) : undefined;
    await closeLinks(transaction, { ...of, closesAt });
  }
  if (before.state === "received" && after.state !== "received") {
    await spendConfirmTokens(transaction, { ...of, usedAt: now });
  }
  for (const event of happened) {
    if (event.type !== "undo" || after.state !== "received") continue;
    await reviveConfirmTokens(transaction, { ...of, spentAt: event.undone.at });
  }
}

/** Adds the events to the history. Only the first event stores the undo data (`kept`). */
async function recordEvents(
  { transaction, now }: Work,
  { before, after, happened }: Change,
  { actor, name, formKey }: By,
  kept?: string,
): Promise<void> {
  const common = { at: now, actor, name, formKey };
  let change = kept;
  for (const event of happened) {
    const { type, code, places, note, dueFrom, dueTo, fromState = before.state } = fieldsOf(event);
    const fields = { type, code, places, note, dueFrom, dueTo, fromState, change };
    await addEvent(transaction, after, { ...common, ...fields });
    change = undefined;
  }
}

type UndoState = { row: RowIn<"requests">; mails: OutboxRecord[] };

async function readUndoState(transaction: Write, { id }: { id: number }): Promise<UndoState> {
  const row = await findRow(transaction, { id });
  if (!row) throw new Error(`Request ${id} not found`);
  return { row, mails: await listMessages(transaction, { requestId: id }) };
}

async function encodeUndoState(
  transaction: Write,
  { row, mails }: UndoState,
  heldBack: Undone["heldBack"],
): Promise<string> {
  const after = await readUndoState(transaction, row);
  const known = new Set(mails.map(({ id }) => id));
  const emails = after.mails.filter(
    ({ id, recipient }) => recipient === "person" && !known.has(id),
  );
  return writeChange(row, after.row, { mails: emails.map(({ id }) => id), parked: [...heldBack] });
}

/** Holds back unsent emails to the requester while the request's outcome can be undone. */
async function holdBackEmails(
  transaction: Write,
  { mails }: UndoState,
): Promise<Undone["heldBack"]> {
  const unsent = mails.filter(
    ({ recipient, state }) =>
      recipient === "person" && (state === "waiting" || state === "needs-person"),
  );
  for (const { id, recipient } of unsent) {
    await changeMessageState(transaction, { id, recipient, state: "held-back" });
  }
  return unsent.map(({ id, state }) => [id, state] as const);
}

/** Restores the row, deletes the act's emails, and releases the emails that the act held back. */
async function undoAct(transaction: Write, id: number, undone: Undone): Promise<void> {
  const row = await findRow(transaction, { id });
  if (!row) throw new Error(`Request ${id} not found`);
  await restoreRow(transaction, { ...row, ...(decodeRow(undone.row) as Partial<typeof row>) });
  for (const mail of undone.mails) await dropMessage(transaction, { id: mail });
  for (const [mail, state] of undone.heldBack) {
    await changeMessageState(transaction, { id: mail, recipient: "person", state });
  }
}

function delayOf(act: Act, by: By): { minutes: number } | undefined {
  // Emails wait until the act can no longer be undone. When the account system takes a request, the
  // "in-progress" email waits too, because the receipt may replace it.
  const waits = canBeUndone(act, by) || (by.isAccountSystem && act.type === "take");
  return waits ? { minutes: undoMinutes } : undefined;
}

async function enqueueMails(
  { services, transaction, now }: Work,
  { happened, ...change }: Change & Pick<EventContext, "by" | "proof">,
  delay: { minutes: number } | undefined,
): Promise<void> {
  const { calendar, keys, isCarriedOut } = services;
  const { after } = change;
  const sending = delay ? { notBefore: now.add(delay) } : {};
  const context = { ...change, calendar, isCarriedOut, today: dateAt(calendar, now) };
  for (const event of happened) {
    const { person, closedMailbox, team } = mailsOf(event, context);
    for (const content of [person, closedMailbox]) {
      if (content) await enqueuePersonMail({ transaction, keys, now }, after, content, sending);
    }
    if (team) await enqueueTeamMail({ transaction, keys, now }, team, sending);
    // Delays the "in-progress" email until the completion is final, because the receipt then
    // replaces it.
    if (event.type === "complete" && !event.isFinal) {
      const notice = { requestId: after.id, kind: "in-progress" };
      await delayMessages(transaction, {
        ...notice,
        nextAt: now.add({ minutes: 2 * undoMinutes }),
      });
    }
  }
}

/**
 * Adds the events to the current month's counters, in campus time. An undo subtracts the undone
 * events from the month that counted them.
 */
async function count(
  { services: { calendar }, transaction, now }: Work,
  { before, after, happened }: Change,
): Promise<void> {
  for (const event of happened) {
    const isUndo = event.type === "undo";
    const on = dateAt(calendar, isUndo ? event.undone.at : now);
    const sign = isUndo ? -1 : 1;
    for (const type of isUndo ? eventsOf(event.undone) : [event.type]) {
      const { counts: name } = acts[type];
      if (name) await tally(transaction, on, name, sign);
      if (name === "confirmed") await tally(transaction, on, `reason:${after.reason}`, sign);
    }
  }
  if (isEnded(after)) await tallyEnd(calendar, transaction, after, 1);
  // Reopening, or undoing the outcome, subtracts the outcome that was counted earlier.
  if (isEnded(before)) await tallyEnd(calendar, transaction, before, -1);
}

/**
 * Lists the event types that the undone act caused. A hold that moved the due date caused two
 * events.
 */
function eventsOf({ act, row }: Undone): readonly RequestEvent["type"][] {
  return act === "hold" && Object.hasOwn(row, "due_on") ? [act, "extend"] : [act];
}

/**
 * Counts the outcome of a request.
 * @param by -1 to subtract an outcome that was undone or reopened
 */
async function tallyEnd(
  calendar: Calendar,
  transaction: Write,
  request: EndedRequest,
  by: 1 | -1,
): Promise<void> {
  const on = dateAt(calendar, request.endedAt);
  await tally(transaction, on, request.state, by);
  if (request.state === "refused") {
    await tally(transaction, on, `refused:${request.refusalReason}`, by);
  }
  if (request.state !== "completed") return;
  const days = request.endedAt.since(request.confirmedAt).total("hours") / 24;
  await tally(transaction, on, `days:${Math.max(0, Math.round(days * 10) / 10)}`, by);
  const businessDays = Math.max(0, countDaysLeft(calendar, request.confirmedOn, on));
  await tally(transaction, on, `business-days:${businessDays}`, by);
  if (Temporal.PlainDate.compare(on, request.onTimeBy) <= 0) {
    await tally(transaction, on, "completed-on-time", by);
  }
}

/**
 * Previews the email that an act would send to the requester. Returns undefined if the act would be
 * refused or would send no email. Nothing is stored, so the link contains the given `token` and the
 * receipt is unsigned.
 */
export function draftMail(
  { rules, by, now }: { rules: Rules; by: By; now: Temporal.Instant },
  before: StoredRequest,
  act: Act,
  token: string,
): PersonMessage | undefined {
  const decision = transition(before, act, { rules, by, now });
  if (!decision.ok) return undefined;
  const { after, happened } = decision;
  const { calendar } = rules;
  const context = { before, after, by, calendar, today: dateAt(calendar, now) };
  const content = happened.map((event) => mailsOf(event, context).person).find((news) => news);
  return content && { ...content, token, reference: after.reference };
}

/** Handles a change and its events, in the transaction of the change. */
type Subscriber = (
  at: { transaction: Write; now: Temporal.Instant },
  change: Change,
) => Promise<void>;

export type ActServices = Rules & {
  keys: Keys;
  /**
   * Whether a connected account system deletes confirmed accounts. If so, no email asks the team to
   * delete them.
   */
  isCarriedOut?: boolean;
  onEvents?: Subscriber;
};

export type RequestServices = ActServices & {
  database: Database;
  clock: () => Temporal.Instant;
  /** Called after a transaction that may have queued messages. */
  onOutbox?: () => void;
};

export type Change = {
  before: StoredRequest;
  after: StoredRequest;
  happened: readonly RequestEvent[];
};
