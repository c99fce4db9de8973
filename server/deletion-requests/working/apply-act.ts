import { maskEmail, matchEmail } from "../../addresses/email-address.ts";
import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  type DueDate,
  dateAt,
  skippedToText,
} from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { addMessage, delayMessages, dropUnsentMessages } from "../../outbox/outbox.ts";
import { enterInLedger, findProof, takeBackInLedger } from "../ledger/chain.ts";
import { type EntryFacts, numberOf, sealAddress } from "../ledger/entry.ts";
import { tally, tookDays } from "../ledger/monthly-counters.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import {
  type Actor,
  businessDaysAfterHold,
  decide,
  type HoldReason,
  type Life,
  type LifeEvent,
  outlasts,
  type Refusal,
  type RefusalReason,
  undoMinutes,
} from "../life/life.ts";
import type { ReasonCode } from "../life/reasons.ts";
import { saveLife } from "../store/changes.ts";
import { addEvent } from "../store/events.ts";
import { findOpenRequest } from "../store/finding.ts";
import { addStatusToken, closeLinksLater, keepLinks } from "../store/links.ts";
import {
  type Confirmed,
  type ConfirmedRequest,
  type EndedRequest,
  isConfirmed,
  isEnded,
  isWorking,
  type StoredRequest,
  toLife,
} from "../store/request.ts";
import { type PersonMessage, promisedTo } from "../telling/messages.ts";

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
  /** Whether a request that an operator entered needs another operator's approval; it does unless this is false. */
  secondPerson?: boolean;
};

/** What an act made of a request. */
export type Change = { before: StoredRequest; after: ConfirmedRequest; by: By };
export type OnChange = (transaction: Write, change: Change, now: Temporal.Instant) => Promise<void>;

export type By = {
  actor: Actor;
  /** Of the operator. */
  name?: string;
  /** Of the systems the one that holds the accounts, and not the clock. */
  isAccountSystem?: boolean;
  /** Of the form that was sent: sent twice, it is one act. */
  formKey?: string | undefined;
};

function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

export type Act =
  | { type: "confirm"; reference: string; reason: ReasonCode }
  /** An operator approves what another one entered. */
  | { type: "approve" }
  | { type: "cancel"; explanation?: string }
  /** `from` whoever had it, where an operator takes it over. */
  | { type: "take"; from?: string | undefined }
  | { type: "hand-back" }
  /** It can be undone for ten minutes; by the clock it is final. `ticked` are the places that somebody has gone through. */
  | { type: "complete"; completion: Completion; ticked?: readonly string[] }
  | { type: "undo" }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string }
  /** With `businessDays`, the promised date is so much later; without, only as far as the hold makes it. */
  | {
      type: "hold";
      reason: HoldReason;
      until: Temporal.PlainDate;
      businessDays?: number | undefined;
      explanation: string;
    }
  /** Without a reason it is somebody's decision; its day may be over. */
  | { type: "release"; reason?: "by-date" }
  | { type: "reopen"; explanation: string };

export type ActResult = { ok: true; request: ConfirmedRequest } | { ok: false; refusal: Refusal };

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
  const { keys } = office;
  const today = dateAt(office.calendar, now);
  const due = newDueDate(office, request, act, now);
  const decision = decide(toLife(office, request), toEvent(office, act, by, due, today), by.actor);
  if (!decision.ok) return decision;
  if (act.type === "reopen" && (await findOpenRequest(transaction, request.email ?? ""))) {
    return { ok: false, refusal: "another-open" };
  }
  const after = become(request, decision.life, act, by, { due, today, now });
  const change: Change = { before: request, after, by };
  await saveLife(transaction, after, keys.hash("ledger", matchEmail(request.email ?? "")));
  await count(office, transaction, change, act, today);
  await enterEvents(transaction, change, act, due, now);

  const takenBack =
    isEnded(after) || act.type === "reopen"
      ? await dropUnsentMessages(transaction, { ownerId: after.id })
      : 0;
  if (isEnded(after)) await enterEndInLedger(keys, transaction, after, now);
  if (act.type === "reopen") await takeBackInLedger(transaction, keys, after, now);
  // Whoever was not told of the end need not hear that it was none.
  const silent = act.type === "reopen" && takenBack > 0;
  if (!silent) await tellPerson(office, transaction, change, act, now);
  if (isEnded(after)) await closeLinksLater(transaction, after.id, now);
  if (act.type === "reopen") await keepLinks(transaction, { requestId: after.id });
  if (request.state === "received") await tellOfNew(office, transaction, after, now);
  await office.onChange?.(transaction, change, now);
  return { ok: true, request: after };
}

/**
 * What a request becomes by an act: the life that `decide` answers, with the facts of the act that the life does not need.
 * Nothing else says what an act changes.
 */
function become(
  request: StoredRequest,
  life: Life,
  act: Act,
  by: By,
  when: { due: DueDate | undefined; today: Temporal.PlainDate; now: Temporal.Instant },
): ConfirmedRequest {
  // As the row has it.
  const at = when.now.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const before = isWorking(request) ? request : undefined;
  const startedAt = "startedAt" in request ? request.startedAt : undefined;
  if (life.state === "received" || life.state === "expired") {
    throw new Error(`No act makes a request ${life.state}`);
  }
  const confirmed = { ...confirmedPart(request, act, { ...when, at }), dueOn: life.dueOn };
  if (life.state === "confirmed" || life.state === "in-progress") {
    const { heldUntil, heldBy, owner } = life;
    const reason = act.type === "hold" ? act.reason : before?.hold?.reason;
    const completion = act.type === "complete" ? act.completion : undefined;
    const working = {
      ...confirmed,
      email: request.email ?? "",
      hold: heldUntil && heldBy && reason ? { until: heldUntil, by: heldBy, reason } : undefined,
      owner,
      done: life.done ? (before?.done ?? (completion && { at, completion })) : undefined,
    };
    return life.state === "confirmed"
      ? { ...working, state: life.state }
      : { ...working, state: life.state, startedAt: startedAt ?? at };
  }
  const ended = {
    ...confirmed,
    email: request.email,
    startedAt,
    // It was done when somebody said so, ten minutes before it can no longer be undone.
    endedAt: (life.state === "completed" ? before?.done?.at : undefined) ?? at,
    endedBy: by.actor,
    completion: act.type === "complete" ? act.completion : undefined,
    erasedAt: undefined,
  };
  if (life.state !== "refused") return { ...ended, state: life.state };
  if (act.type !== "refuse") throw new Error("A refusal has a reason");
  return { ...ended, state: life.state, refusalReason: act.reason };
}

/** What a request has from its confirmation to its erasure. */
function confirmedPart(
  request: StoredRequest,
  act: Act,
  when: { due: DueDate | undefined; today: Temporal.PlainDate; at: Temporal.Instant },
): Confirmed {
  const { due, today, at } = when;
  const { id, language, sent, receivedAt, contact, enteredBy } = request;
  const { reference, reason } = act.type === "confirm" ? act : request;
  const received = { id, reference, reason, language, sent, receivedAt, contact, enteredBy };
  if (isConfirmed(request)) {
    const { confirmedAt, confirmedOn, dueOn, firstDueOn } = request;
    const inTime = due && Temporal.PlainDate.compare(today, dueOn) <= 0;
    return {
      ...received,
      ...{ confirmedAt, confirmedOn, dueOn, firstDueOn },
      skipped: due?.skipped ?? request.skipped,
      onTimeBy: due && inTime ? due.date : request.onTimeBy,
    };
  }
  if (!due) throw new Error("A confirmation promises a date");
  const { date, skipped } = due;
  const promised = { dueOn: date, skipped: [...skipped], firstDueOn: date, onTimeBy: date };
  return { ...received, confirmedAt: at, confirmedOn: today, ...promised };
}

/** Enters what happened in the trail; of a hold that moves the promised date, both. */
async function enterEvents(
  transaction: Write,
  { before, after, by }: Change,
  act: Act,
  due: DueDate | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const event = {
    at: now,
    actor: by.actor,
    name: by.name ?? "",
    type: act.type,
    fromState: before.state,
    code: codeOf(act),
    note: "explanation" in act ? (act.explanation ?? "") : "",
    dueFrom: due && isWorking(before) ? before.dueOn : undefined,
    dueTo: due?.date,
    formKey: by.formKey,
  };
  if (act.type !== "hold") return addEvent(transaction, after, event);
  await addEvent(transaction, after, { ...event, dueFrom: undefined, dueTo: act.until });
  if (due) await addEvent(transaction, after, { ...event, type: "extend", code: "", note: "" });
}

/** Owes the person the mail of an act, where there is one. */
async function tellPerson(
  { calendar, keys }: Office,
  transaction: Write,
  { before, after, by }: Change,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  if (isTold(act, before, after)) {
    const proof =
      after.state === "completed" ? await findProof(transaction, keys, after.id) : undefined;
    const token = await addStatusToken(transaction, after.id, { by: "system" }, now);
    await addMessage(transaction, keys, now, {
      channel: "person",
      message: toMessage(act, by, before, after, token, proof, dateAt(calendar, now)),
      ownerId: after.id,
      ...(waitsFor(by, act, after) && { notBefore: now.add({ minutes: undoMinutes }) }),
    });
  }
  // That it was begun is no news beside the receipt, and where the receipt is taken back it still is.
  if (act.type === "complete" && !isEnded(after)) {
    const begun = { ownerId: after.id, kind: "in-progress" };
    await delayMessages(transaction, { ...begun, until: now.add({ minutes: 2 * undoMinutes }) });
  }
}

/** Owes the team, and a mailbox that is said to be closed, the news of a confirmed request. */
async function tellOfNew(
  { calendar, keys }: Office,
  transaction: Write,
  { id, reference, dueOn, contact }: ConfirmedRequest,
  now: Temporal.Instant,
): Promise<void> {
  // Whoever still reads the mailbox that is said to be closed may cancel, like every reader of an account's mailbox.
  if (contact !== undefined) {
    await addMessage(transaction, keys, now, {
      channel: "person",
      message: {
        kind: "notice-confirmed",
        token: await addStatusToken(transaction, id, { by: "system" }, now),
        reference,
        dueOn: dueOn.toString(),
        contact: maskEmail(contact).text,
      },
      ownerId: id,
    });
  }
  await addMessage(transaction, keys, now, {
    channel: "operators",
    message: {
      kind: "operator-new",
      reference,
      dueOn: dueOn.toString(),
      daysLeft: countDaysLeft(calendar, dateAt(calendar, now), dueOn),
    },
    ownerId: null,
  });
}

/** Neither an operator nor a machine that slipped is believed at once: what they end, and what a machine may have done soon. */
function waitsFor(by: By, act: Act, changed: ConfirmedRequest): boolean {
  const isMachine = by.isAccountSystem === true;
  if (act.type === "take") return isMachine;
  return isEnded(changed) && (isMachine || by.actor === "operator");
}

/** What the trail keeps of an act beside its words, as keys. */
function codeOf(act: Act): string {
  if (act.type === "complete") return act.ticked?.join(" ") ?? "";
  return "reason" in act && act.type !== "confirm" ? (act.reason ?? "") : "";
}

/**
 * The mail that an act would send to a person if it were done now; its `message` is undefined where nobody is told. Nothing
 * is changed and no link is made: the link's token is `token`.
 */
export function draftMail(
  office: Office,
  request: StoredRequest,
  act: Exclude<Act, { type: "confirm" | "approve" | "complete" }>,
  by: By,
  token: string,
  now: Temporal.Instant,
): { ok: true; message: PersonMessage | undefined } | { ok: false; refusal: Refusal } {
  const today = dateAt(office.calendar, now);
  const due = newDueDate(office, request, act, now);
  const decision = decide(toLife(office, request), toEvent(office, act, by, due, today), by.actor);
  if (!decision.ok) return decision;
  const after = become(request, decision.life, act, by, { due, today, now });
  const isSaid = isTold(act, request, after);
  return {
    ok: true,
    message: isSaid ? toMessage(act, by, request, after, token, undefined, today) : undefined,
  };
}

/** The receipt as it would be sent if the account were called deleted now, without the proof that its signature is. */
export function draftReceipt(
  request: StoredRequest,
  completion: Completion,
  token: string,
  now: Temporal.Instant,
): { ok: true; message: PersonMessage } | { ok: false; refusal: Refusal } {
  if (!isWorking(request)) return { ok: false, refusal: "not-confirmed" };
  const { reference, receivedAt, confirmedAt } = request;
  return {
    ok: true,
    message: {
      ...{ kind: "completed", token, reference, completion },
      receivedAt: toText(receivedAt),
      confirmedAt: toText(confirmedAt),
      completedAt: toText(now),
    },
  };
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
    completion: ended.completion,
  };
  await enterInLedger(transaction, keys, id, facts, now);
}

/** Counts what happened on a day of the campus. */
async function count(
  office: Office,
  transaction: Write,
  { before, after }: Change,
  act: Act,
  today: Temporal.PlainDate,
): Promise<void> {
  if (before.state === "received") {
    await tally(transaction, today, "confirmed");
    await tally(transaction, today, `reason:${after.reason}`);
  }
  if (act.type === "hold") await tally(transaction, today, "held");
  if (isWorking(before) && !before.dueOn.equals(after.dueOn)) {
    await tally(transaction, today, "extended");
  }
  if (isEnded(after)) await tallyEnd(office, transaction, after, 1);
  if (!isEnded(before)) return;
  await tally(transaction, today, "reopened");
  // It has not ended after all.
  await tallyEnd(office, transaction, before, -1);
}

/** @param by -1 where it turns out that it had not ended */
async function tallyEnd(
  { calendar }: Office,
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
  await tally(transaction, on, tookDays(request.confirmedAt, request.endedAt), by);
  const businessDays = Math.max(0, countDaysLeft(calendar, request.confirmedOn, on));
  await tally(transaction, on, `business-days:${businessDays}`, by);
  if (Temporal.PlainDate.compare(on, request.onTimeBy) <= 0) {
    await tally(transaction, on, "completed-on-time", by);
  }
}

/** What an act is to the life of a request, if it happens now. */
export function eventOf(
  office: Office,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): LifeEvent {
  const due = newDueDate(office, request, act, now);
  return toEvent(office, act, by, due, dateAt(office.calendar, now));
}

function newDueDate(
  office: Office,
  request: StoredRequest,
  act: Act,
  now: Temporal.Instant,
): DueDate | undefined {
  if (act.type === "confirm" || act.type === "approve") return dueDateFrom(office, now);
  if (!isWorking(request)) return undefined;
  const later = (from: Temporal.PlainDate, businessDays: number): DueDate => {
    const { date, skipped } = addBusinessDays(office.calendar, from, businessDays);
    return { date, skipped: [...request.skipped, ...skipped] };
  };
  if (act.type !== "extend" && act.type !== "hold") return undefined;
  if (act.type === "hold" && act.businessDays === undefined) {
    return outlasts(act.until, request.dueOn) ? later(act.until, businessDaysAfterHold) : undefined;
  }
  const today = dateAt(office.calendar, now);
  const late = Temporal.PlainDate.compare(today, request.dueOn) > 0;
  // Counted from a date that has passed, the new one could have passed, too.
  return later(late ? today : request.dueOn, act.businessDays ?? 0);
}

function toEvent(
  office: Office,
  act: Act,
  by: By,
  due: DueDate | undefined,
  today: Temporal.PlainDate,
): LifeEvent {
  const dueOn = due?.date ?? today;
  switch (act.type) {
    case "confirm":
      return { type: "confirm", on: today, dueOn };
    case "approve":
      return {
        type: "approve",
        by: by.name ?? "",
        bySecond: office.secondPerson !== false,
        on: today,
        dueOn,
      };
    case "extend":
      return { type: "extend", on: today, dueOn };
    case "refuse":
      return { type: "refuse", reason: act.reason, on: today };
    case "take":
      return { type: "take", by: by.name, from: act.from, on: today };
    case "release":
      return { type: "release", on: today };
    case "complete":
      return { type: "complete", by: by.name, isFinal: isByClock(by), on: today };
    case "hold":
      return { type: "hold", on: today, until: act.until, dueOn };
    default:
      return { type: act.type };
  }
}

/** Whether the person is told. What concerns operators alone, or can still be undone, is nothing to write about. */
function isTold(act: Act, before: StoredRequest, after: ConfirmedRequest): boolean {
  switch (act.type) {
    case "hand-back":
    case "undo":
      return false;
    case "complete":
      return isEnded(after);
    case "take":
      return before.state === "confirmed";
    default:
      return true;
  }
}

function toMessage(
  act: Act,
  by: By,
  before: StoredRequest,
  after: ConfirmedRequest,
  token: string,
  proof: Proof | undefined,
  today: Temporal.PlainDate,
): PersonMessage {
  const { reference } = after;
  const promised = promisedTo(after.dueOn, today);
  const { dueOn } = promised;
  const skipped = skippedToText(after.skipped);
  switch (act.type) {
    case "confirm":
    case "approve":
      return { kind: "confirmed", token, reference, dueOn, skipped };
    case "cancel":
      return by.actor === "person"
        ? { kind: "cancelled", token, reference }
        : { kind: "cancelled-for-you", token, reference, explanation: act.explanation ?? "" };
    case "take":
      return { kind: "in-progress", token, reference, ...promised };
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
        completion: act.completion,
        ...(proof && { proof }),
      };
    case "hold":
      return {
        kind: "held",
        token,
        reference,
        dueOn,
        ...(isWorking(before) &&
          !before.dueOn.equals(after.dueOn) && {
            moved: { previouslyDueOn: before.dueOn.toString(), skipped },
          }),
        until: act.until.toString(),
        reason: act.reason,
        explanation: act.explanation,
      };
    case "release":
      return { kind: "released", token, reference, ...promised };
    case "reopen":
      return { kind: "reopened", token, reference, ...promised, explanation: act.explanation };
    case "hand-back":
    case "undo":
      throw new Error(`Nobody is told of ${act.type}`);
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
