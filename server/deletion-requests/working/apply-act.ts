import { maskEmail, matchEmail } from "../../addresses/email-address.ts";
import { countDaysLeft, dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { type RowIn, tell, toText } from "../../database/rows.ts";
import type { Write } from "../../database/statement.ts";
import type { Keys } from "../../keys/keys.ts";
import {
  changeMessageState,
  delayMessages,
  dropMessage,
  dropUnsentMessages,
  listMessages,
  type OutboxRecord,
} from "../../outbox/outbox.ts";
import { statusDays, undoMinutes } from "../../terms.ts";
import { enterEnd, takeBackInLedger } from "../ledger/entries.ts";
import { tally } from "../ledger/monthly-counters.ts";
import type { Proof } from "../ledger/proof.ts";
import {
  type Act,
  acts,
  type By,
  type Decision,
  decide,
  type LifeEvent,
  type Rules,
  tellChange,
  type Undone,
} from "../life/life.ts";
import {
  type ConfirmedRequest,
  type EndedRequest,
  endedUnconfirmed,
  fieldsOf,
  isEnded,
  isWorking,
  type ReceivedRequest,
  type StoredRequest,
  untouchedUntil,
} from "../life/request.ts";
import { addEvent, type EventRecord } from "../store/audit-log.ts";
import { closeLinks, reviveConfirmTokens, spendConfirmTokens } from "../store/links.ts";
import { findOpenRequest, findRow, restoreRow, saveLife } from "../store/requests.ts";
import { enqueuePersonMail, enqueueTeamMail } from "../telling/mails.ts";
import { type PersonMessage, type PersonNews, promisedTo } from "../telling/messages.ts";
import { completedNews } from "../telling/receipt.ts";
import { canBeUndone, writeChange } from "./taking-back.ts";

/**
 * Applies an act to a stored request, in the caller's transaction: stores the result of `decide`
 * and derives history, figures, ledger and emails from the request before and after. Only the texts
 * come from the act itself.
 */
export async function applyAct(
  services: ActServices,
  transaction: Write,
  before: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Promise<Decision> {
  const { keys } = services;
  const decision = decide(services, before, act, by, now);
  if (!decision.ok) return decision;
  const { after, happened } = decision;
  if (isEnded(before) && (await findOpenRequest(transaction, before.email ?? ""))) {
    return { ok: false, refusal: "another-open" };
  }
  const ended = isEnded(after)
    ? { ...after, account: keys.hash("ledger", matchEmail(after.email ?? "")) }
    : undefined;
  const change = { before, after, by, happened };
  const undone = act.type === "undo" ? act.undone : undefined;
  const keeping = canBeUndone(act, by) ? await startKeeping(transaction, before) : undefined;
  if (undone) await giveBack(transaction, before.id, undone);
  else await saveLife(transaction, before, after, ended?.account);
  await count(services, transaction, change, undone, now);
  // The caller who takes a form sends its emails.
  const isForm = happened.every(({ type }) => type === "repeat" || type === "enter");
  if (isForm) {
    await enterEvents(transaction, change, act, now);
    return decision;
  }
  const of = { requestId: after.id };
  if (after.state === "received") {
    if (isEnded(before)) {
      if (!undone) await dropUnsentMessages(transaction, of);
      await takeBackInLedger(transaction, keys, after, now);
      await closeLinks(transaction, { ...of, closesAt: undefined });
    } else if (act.type === "ask") {
      const news = askNews(after, act);
      await enqueuePersonMail(transaction, keys, after, news, now, {
        notBefore: now.add({ minutes: undoMinutes }),
      });
    } else if (undone) {
      await reviveConfirmTokens(transaction, { ...of, spentAt: undone.at });
      await services.onChange?.(transaction, change, now);
    }
    const kept = keeping && (await finishKeeping(transaction, keeping, []));
    await enterEvents(transaction, change, act, now, kept);
    return decision;
  }
  const hasTurned = isEnded(before) || isEnded(after);
  const parked = keeping && isEnded(after) ? await park(transaction, keeping) : [];
  if (hasTurned && !undone) await dropUnsentMessages(transaction, of);
  if (isEnded(before)) await takeBackInLedger(transaction, keys, after, now);
  const proof = ended && (await enterEnd(transaction, keys, ended, now));
  const told = { ...change, after, proof };
  if (!undone) await tellPerson(services, transaction, told, act, now);
  if (before.state === "received" && !isEnded(after)) {
    await tellOfNew(services, transaction, told, act, now);
  }
  const kept = keeping && (await finishKeeping(transaction, keeping, parked));
  await enterEvents(transaction, change, act, now, kept);
  const closesAt = ended && now.add({ hours: statusDays * 24 });
  if (hasTurned) await closeLinks(transaction, { ...of, closesAt });
  if (before.state === "received") {
    await spendConfirmTokens(transaction, { requestId: after.id, usedAt: now });
    if (isEnded(after) && by.actor === "person") {
      const message = { kind: "operator-stopped", reference: after.reference } as const;
      await enqueueTeamMail(transaction, keys, message, now);
    }
  }
  await services.onChange?.(transaction, told, now);
  return decision;
}

/** Adds the events to the history; only the first one has the act's texts, places and changes. */
async function enterEvents(
  transaction: Write,
  { before, after, by, happened }: Change<StoredRequest>,
  act: Act,
  now: Temporal.Instant,
  kept?: string,
): Promise<void> {
  const { actor, name, formKey } = by;
  const common = { at: now, actor, name, formKey, fromState: before.state };
  const { proof: code, ticked: places, explanation: note } = fieldsOf(act);
  let said: Partial<EventRecord> = { code, places, note, change: kept };
  for (const one of happened) {
    await addEvent(transaction, after, { ...common, ...said, ...one });
    said = {};
  }
}

type Keeping = { row: RowIn<"requests">; mails: OutboxRecord[] };

/** Reads the request's row and its emails. */
async function startKeeping(transaction: Write, { id }: { id: number }): Promise<Keeping> {
  const row = await findRow(transaction, { id });
  if (!row) throw new Error(`Request ${id} is gone`);
  return { row, mails: await listMessages(transaction, { requestId: id }) };
}

/** Encodes the changes that undoing the act reverts. */
async function finishKeeping(
  transaction: Write,
  { row, mails }: Keeping,
  parked: Undone["parked"],
): Promise<string> {
  const after = await startKeeping(transaction, row);
  const known = new Set(mails.map(({ id }) => id));
  const own = after.mails.filter(({ id, recipient }) => recipient === "person" && !known.has(id));
  return writeChange(row, after.row, { mails: own.map(({ id }) => id), parked: [...parked] });
}

/** Holds back unsent emails to the person while the end can be undone. */
async function park(transaction: Write, { mails }: Keeping): Promise<Undone["parked"]> {
  const unsent = mails.filter(
    ({ recipient, state }) =>
      recipient === "person" && (state === "waiting" || state === "needs-person"),
  );
  for (const { id, recipient } of unsent) {
    await changeMessageState(transaction, { id, recipient, state: "held-back" });
  }
  return unsent.map(({ id, state }) => [id, state] as const);
}

/** Undoes an act: restores the row, drops the act's emails and releases those that it held back. */
async function giveBack(transaction: Write, id: number, undone: Undone): Promise<void> {
  const row = await findRow(transaction, { id });
  if (!row) throw new Error(`Request ${id} is gone`);
  await restoreRow(transaction, { ...row, ...(tell(undone.row) as Partial<typeof row>) });
  for (const mail of undone.mails) await dropMessage(transaction, { id: mail });
  for (const [mail, state] of undone.parked) {
    await changeMessageState(transaction, { id: mail, recipient: "person", state });
  }
}

const explanationOf = (act: Act) => fieldsOf(act).explanation ?? "";

/** Queues the email about a change to the person, if there is one. */
async function tellPerson(
  { calendar, keys }: ActServices,
  transaction: Write,
  change: Told,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  const { after, by } = change;
  const news = newsOf(change, explanationOf(act), dateAt(calendar, now));
  // Emails wait until undo is over; the receipt may make that of an account system's start moot.
  const waits = canBeUndone(act, by) || (by.isAccountSystem && act.type === "take");
  if (news) {
    await enqueuePersonMail(transaction, keys, after, news, now, {
      ...(waits && { notBefore: now.add({ minutes: undoMinutes }) }),
    });
  }
  // The receipt makes the email about the start superfluous; it leaves only if the receipt doesn't.
  if (didHappen("complete", change) && !isEnded(after)) {
    const begun = { requestId: after.id, kind: "in-progress" };
    await delayMessages(transaction, { ...begun, nextAt: now.add({ minutes: 2 * undoMinutes }) });
  }
}

/** Queues the emails about a confirmed request to the team and to the closed mailbox. */
async function tellOfNew(
  { calendar, keys, isCarriedOut }: ActServices,
  transaction: Write,
  { after, by }: Change,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  const { reference, contact } = after;
  const dueOn = after.dueOn.toString();
  const notBefore = canBeUndone(act, by) ? now.add({ minutes: undoMinutes }) : now;
  // If someone still reads the closed mailbox, they may cancel.
  const untouched = isWorking(after) ? untouchedUntil(after) : undefined;
  if (contact !== undefined) {
    const news = {
      kind: "notice-confirmed",
      dueOn,
      contact: maskEmail(contact).text,
      ...(untouched && { untouchedUntil: toText(untouched) }),
    } as const;
    await enqueuePersonMail(transaction, keys, after, news, now, { notBefore });
  }
  if (isCarriedOut) return;
  const daysLeft = countDaysLeft(calendar, dateAt(calendar, now), after.dueOn);
  const message = { kind: "operator-new", reference, dueOn, daysLeft } as const;
  await enqueueTeamMail(transaction, keys, message, now, { notBefore });
}

/** Counts the events on their day in the campus's time zone; an undo subtracts them. */
async function count(
  services: ActServices,
  transaction: Write,
  { before, after, by, happened }: Change<StoredRequest>,
  undone: Undone | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const on = dateAt(services.calendar, undone?.at ?? now);
  const counted = undone ? tellChange(after, before, by) : happened;
  for (const { type } of counted) {
    const { counts: name } = acts[type];
    const sign = undone ? -1 : 1;
    if (name) await tally(transaction, on, name, sign);
    if (name === "confirmed") await tally(transaction, on, `reason:${after.reason}`, sign);
  }
  if (isEnded(after)) await tallyEnd(services, transaction, after, 1);
  // Reopening subtracts the end.
  if (isEnded(before)) await tallyEnd(services, transaction, before, -1);
}

/** @param by -1 to subtract an end that was undone or reopened */
async function tallyEnd(
  { calendar }: ActServices,
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
 * Previews the email that an act would send to the person now, a receipt without its proof;
 * undefined if the act is refused or sends none. Changes nothing and creates no link: the link has
 * `token`.
 */
export function draftMail(
  services: ActServices,
  request: StoredRequest,
  act: Act,
  by: By,
  token: string,
  now: Temporal.Instant,
): PersonMessage | undefined {
  const decision = decide(services, request, act, by, now);
  if (!decision.ok) return undefined;
  const { after, happened } = decision;
  if (act.type === "ask" && after.state === "received") {
    return { ...askNews(after, act), token, reference: after.reference };
  }
  if (after.state === "received") return undefined;
  const change = { before: request, after, by, happened };
  const news = newsOf(change, explanationOf(act), dateAt(services.calendar, now));
  return news && { ...news, token, reference: after.reference };
}

/** Builds the email that asks the contact for another proof. */
function askNews(
  { expiresAt }: ReceivedRequest,
  { asks, explanation }: Extract<Act, { type: "ask" }>,
): PersonNews {
  return { kind: "ask-proof", asks, explanation, fadesAt: toText(expiresAt) };
}

export type ActServices = Rules & {
  keys: Keys;
  /** A connected account system deletes confirmed accounts, so no email asks the team to. */
  isCarriedOut?: boolean;
  /** Called in the transaction of each change of state, and of an undone approval. */
  onChange?: (
    transaction: Write,
    change: Change<StoredRequest>,
    now: Temporal.Instant,
  ) => Promise<void>;
};

/** Services that handle requests: those of the acts, the database and the clock. */
export type RequestServices = ActServices & {
  database: Database;
  clock: () => Temporal.Instant;
  /** Called after a transaction that may have filled the outbox. */
  onOutbox?: () => void;
};

/** A request before and after an act. */
export type Change<After = ConfirmedRequest> = {
  before: StoredRequest;
  after: After;
  by: By;
  happened: readonly LifeEvent[];
};

/** Tells if a change has an event of that type. */
export function didHappen(
  wanted: LifeEvent["type"],
  { happened }: Pick<Change, "happened">,
): boolean {
  return happened.some(({ type }) => type === wanted);
}

/** A change, with the receipt's proof if it is an end. */
type Told = Change & { proof?: Proof | undefined };

/** Returns the news of a change for the person; undefined if it concerns only operators. */
function newsOf(
  { before, after, by, happened, proof }: Told,
  explanation: string,
  today: Temporal.PlainDate,
): PersonNews | undefined {
  if (after.state === "completed") return completedNews(after, proof);
  const unconfirmed = endedUnconfirmed(after) ? ({ neverConfirmed: true } as const) : {};
  if (after.state === "refused") {
    // No one approved the request in time.
    if (by.actor === "system" && endedUnconfirmed(after)) return { kind: "faded", ...unconfirmed };
    return { kind: "refused", reason: after.refusalReason, explanation, ...unconfirmed };
  }
  if (isEnded(after)) {
    if (by.actor === "person" && after.contact !== undefined) {
      return { kind: "stopped", ...unconfirmed };
    }
    return by.actor === "person"
      ? { kind: "cancelled" }
      : { kind: "cancelled-for-you", explanation };
  }
  const { hold } = after;
  const dueOn = after.dueOn.toString();
  const skipped = JSON.stringify(after.skipped);
  const extension = happened.find(({ type }) => type === "extend");
  const moved = extension && { previouslyDueOn: `${extension.dueFrom}`, skipped };
  switch (happened[0]?.type) {
    case "confirm":
    case "approve":
      return { kind: "confirmed", dueOn, skipped };
    case "take":
    case "tick":
      return before.state === "confirmed" && after.state === "in-progress"
        ? { kind: "in-progress", ...promisedTo(after.dueOn, today) }
        : undefined;
    case "extend":
      return moved && { kind: "extended", dueOn, explanation, ...moved };
    case "hold":
      return (
        hold && {
          kind: "held",
          dueOn,
          ...(moved && { moved }),
          until: hold.until.toString(),
          reason: hold.reason,
          explanation,
        }
      );
    case "release":
      return { kind: "released", ...promisedTo(after.dueOn, today) };
    case "reopen":
      return { kind: "reopened", ...promisedTo(after.dueOn, today), explanation };
    default:
      return undefined;
  }
}
