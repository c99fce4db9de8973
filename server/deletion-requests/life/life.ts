import {
  addBusinessDays,
  type Calendar,
  type DueDate,
  dateAt,
} from "../../calendar/business-days.ts";
import type { Completion } from "./completion.ts";
import {
  type Actor,
  businessDaysAfterHold,
  type ConfirmedRequest,
  type Ended,
  type EndedRequest,
  type HoldReason,
  isHeld,
  isSameName,
  isWorking,
  type ReasonCode,
  type ReceivedRequest,
  type RefusalReason,
  type StoredRequest,
  type WorkingRequest,
} from "./request.ts";

/**
 * The life of a request, as a function without side effects: what may happen in which state, who may do it, and what
 * the request has become by it. Everything that stores, sends or tells the time stands around it.
 */

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

export type By = {
  actor: Actor;
  /** Of the operator. */
  name?: string;
  /** Of the systems the one that holds the accounts, and not the clock. */
  isAccountSystem?: boolean;
  /** Of the form that was sent: sent twice, it is one act. */
  formKey?: string | undefined;
};

/** What the team has agreed. */
export type Rules = {
  calendar: Calendar;
  /** Business days from confirmation to the promised date. */
  businessDays: number;
  /** Whether a request that an operator entered needs another operator's approval; it does unless this is false. */
  secondPerson?: boolean;
};

export type Refusal =
  | "not-yours-to-do"
  | "not-confirmed"
  | "already-confirmed"
  | "not-entered"
  | "needs-second-person"
  | "not-taken"
  | "already-taken"
  | "somebody-elses"
  | "already-ended"
  | "held"
  | "not-held"
  | "already-done"
  | "not-done"
  | "not-later"
  | "too-late-to-tell"
  | "too-late-a-date"
  | "in-the-past"
  | "not-ended"
  | "another-open"
  | "persons-own-wish"
  | "erased";

/** What is stored, where it may happen. */
export type Decision = { ok: true; after: ConfirmedRequest } | { ok: false; refusal: Refusal };

/**
 * The clock of the law runs from receipt. CCPA regulations section 7021: an answer within 45 days, and where the person
 * was told of an extension within 90 at most. GDPR article 12(3): an extension is told within one month.
 */
const answerWithinDays = 45;
const extendedWithinDays = 90;
const tellWithinMonths = 1;

const whoMay: Record<Act["type"], readonly Actor[]> = {
  confirm: ["person"],
  approve: ["operator"],
  // An operator cancels on the person's word.
  cancel: ["person", "operator"],
  // An account system that reports its work is the system; an operator does it by hand.
  take: ["operator", "system"],
  "hand-back": ["operator"],
  complete: ["operator", "system"],
  undo: ["operator"],
  // An account system that knows no such account.
  refuse: ["operator", "system"],
  extend: ["operator"],
  hold: ["operator", "system"],
  release: ["operator", "system"],
  reopen: ["operator"],
};

/** When an act happens: as a row has it, and on which day of the campus. */
type When = { at: Temporal.Instant; on: Temporal.PlainDate };

export function decide(
  rules: Rules,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Decision {
  if (!whoMay[act.type].includes(by.actor)) return refuse("not-yours-to-do");
  const at = now.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const when = { at, on: dateAt(rules.calendar, now) };
  if (request.state === "received") return decideReceived(rules, request, act, by, when);
  if (isWorking(request)) return decideWorking(rules, request, act, by, when);
  return act.type === "reopen" ? reopen(request) : refuse("already-ended");
}

function decideReceived(
  rules: Rules,
  request: ReceivedRequest,
  act: Act,
  by: By,
  when: When,
): Decision {
  switch (act.type) {
    case "confirm": {
      const { reference, reason } = act;
      return accept(confirm(rules, { ...request, reference, reason }, when));
    }
    case "approve":
      if (request.enteredBy === undefined) return refuse("not-entered");
      return rules.secondPerson !== false && isSameName(request.enteredBy, by.name ?? "")
        ? refuse("needs-second-person")
        : accept(confirm(rules, request, when));
    case "reopen":
      return refuse("not-ended");
    default:
      return refuse("not-confirmed");
  }
}

function decideWorking(
  rules: Rules,
  request: WorkingRequest,
  act: Act,
  by: By,
  { at, on }: When,
): Decision {
  const { hold, owner, done } = request;
  // What was called done is completed by the clock, unless that is taken back first.
  const settled = ["complete", "undo", "confirm", "approve", "reopen"];
  if (done && !settled.includes(act.type)) return refuse("already-done");
  // What an operator keeps waiting, no system begins, ends or keeps waiting for reasons of its own.
  const isKept = hold?.by === "operator" && isHeld(hold, on);
  if (by.actor === "system" && isKept) return refuse("held");
  const startedAt = "startedAt" in request ? request.startedAt : undefined;
  switch (act.type) {
    case "confirm":
    case "approve":
      return refuse("already-confirmed");
    case "reopen":
      return refuse("not-ended");
    case "cancel":
      return startedAt && by.actor === "person"
        ? refuse("already-taken")
        : accept({ ...end(request, by, at), state: "cancelled" });
    case "take":
      // What an account system began, or somebody handed back, an operator may go on with.
      return startedAt && (by.name === undefined || !isFreeFor(owner, act.from))
        ? refuse("already-taken")
        : accept({ ...request, state: "in-progress", owner: by.name, startedAt: startedAt ?? at });
    case "hand-back":
      return owner === undefined ? refuse("not-taken") : accept({ ...request, owner: undefined });
    case "complete": {
      const { completion } = act;
      if (!startedAt) return refuse("not-taken");
      if (isByClock(by)) {
        // It was done when somebody said so, ten minutes before it can no longer be undone.
        const ended = { ...end(request, by, done?.at ?? at), completion };
        return accept({ ...ended, state: "completed" });
      }
      if (done) return refuse("already-done");
      if (isHeld(hold, on)) return refuse("held");
      if (by.name !== undefined && owner !== undefined && !isSameName(owner, by.name)) {
        return refuse("somebody-elses");
      }
      return accept({ ...request, done: { at, completion } });
    }
    case "undo":
      return done ? accept({ ...request, done: undefined }) : refuse("not-done");
    case "refuse":
      return accept({ ...end(request, by, at), state: "refused", refusalReason: act.reason });
    case "extend":
      return promise(rules, request, laterBy(rules, request, act.businessDays, on), on);
    case "hold":
      return keepWaiting(rules, request, act, by, on);
    case "release":
      return hold ? accept({ ...request, hold: undefined }) : refuse("not-held");
  }
}

function keepWaiting(
  rules: Rules,
  request: WorkingRequest,
  { reason, until, businessDays }: Extract<Act, { type: "hold" }>,
  { actor }: By,
  on: Temporal.PlainDate,
): Decision {
  if (isAfter(on, until)) return refuse("in-the-past");
  const hold = { reason, until, by: actor === "system" ? "system" : "operator" } as const;
  const held = { ...request, hold };
  // What waits until a day is not promised for that day or one before it.
  const outlasts = !isAfter(request.dueOn, until);
  if (businessDays === undefined) {
    if (!outlasts) return accept(held);
    return promise(rules, held, further(rules, request, until, businessDaysAfterHold), on);
  }
  const due = laterBy(rules, request, businessDays, on);
  return outlasts || isAfter(due.date, request.dueOn)
    ? promise(rules, held, due, on)
    : accept(held);
}

/** Whether only time did it: neither a person nor the system that holds the accounts. */
function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

/** Whoever takes what is somebody's says whose it is: two who press at once do not take it from each other. */
function isFreeFor(owner: string | undefined, from: string | undefined): boolean {
  return owner === undefined || (from !== undefined && isSameName(owner, from));
}

function laterBy(
  rules: Rules,
  request: WorkingRequest,
  businessDays: number,
  on: Temporal.PlainDate,
): DueDate {
  // Counted from a date that has passed, the new one could have passed, too.
  return further(rules, request, isAfter(on, request.dueOn) ? on : request.dueOn, businessDays);
}

function further(
  { calendar }: Rules,
  { skipped: before }: WorkingRequest,
  from: Temporal.PlainDate,
  businessDays: number,
): DueDate {
  const { date, skipped } = addBusinessDays(calendar, from, businessDays);
  return { date, skipped: [...before, ...skipped] };
}

/** Promises another date, as far as the law allows. */
function promise(
  { calendar }: Rules,
  request: WorkingRequest,
  { date: dueOn, skipped }: DueDate,
  on: Temporal.PlainDate,
): Decision {
  if (!isAfter(dueOn, request.dueOn) || !isAfter(dueOn, on)) return refuse("not-later");
  const receivedOn = dateAt(calendar, request.receivedAt);
  if (isAfter(dueOn, receivedOn.add({ days: extendedWithinDays }))) {
    return refuse("too-late-a-date");
  }
  const needsTelling = isAfter(dueOn, receivedOn.add({ days: answerWithinDays }));
  // Where the date promised before is as late already, the person was told in time.
  const wasTold = isAfter(request.dueOn, receivedOn.add({ days: answerWithinDays }));
  if (needsTelling && !wasTold && isAfter(on, receivedOn.add({ months: tellWithinMonths }))) {
    return refuse("too-late-to-tell");
  }
  const onTimeBy = isAfter(on, request.dueOn) ? request.onTimeBy : dueOn;
  return accept({ ...request, dueOn, skipped, onTimeBy });
}

/**
 * The date that a confirmation promises. Where the law's clock, which runs from receipt, ends before the usual number of
 * business days, it is as many fewer; the next business day at the earliest.
 */
export function promiseAt(
  { calendar, businessDays }: Pick<Rules, "calendar" | "businessDays">,
  receivedAt: Temporal.Instant,
  confirmedAt: Temporal.Instant,
): DueDate {
  const lawful = dateAt(calendar, receivedAt).add({ days: answerWithinDays });
  const on = dateAt(calendar, confirmedAt);
  for (let days = businessDays; ; days--) {
    const due = addBusinessDays(calendar, on, days);
    if (days <= 1 || !isAfter(due.date, lawful)) return due;
  }
}

const untouched = { hold: undefined, owner: undefined, done: undefined };

function confirm(
  rules: Rules,
  { expiresAt: _, ...request }: ReceivedRequest,
  { at, on }: When,
): WorkingRequest {
  const { date, skipped } = promiseAt(rules, request.receivedAt, at);
  return {
    ...request,
    ...untouched,
    state: "confirmed",
    confirmedAt: at,
    confirmedOn: on,
    dueOn: date,
    skipped,
    firstDueOn: date,
    onTimeBy: date,
  };
}

function end(request: WorkingRequest, by: By, endedAt: Temporal.Instant): Ended {
  const { state: _, hold: __, owner: ___, done: ____, ...kept } = request;
  return {
    startedAt: undefined,
    ...kept,
    endedAt,
    endedBy: by.actor,
    completion: undefined,
    erasedAt: undefined,
  };
}

function reopen(request: EndedRequest): Decision {
  const { email, state, endedBy } = request;
  if (!email) return refuse("erased");
  if (state === "cancelled" && endedBy === "person") return refuse("persons-own-wish");
  return accept({
    ...untouched,
    email,
    state: "confirmed",
    id: request.id,
    reference: request.reference,
    reason: request.reason,
    language: request.language,
    sent: request.sent,
    receivedAt: request.receivedAt,
    contact: request.contact,
    enteredBy: request.enteredBy,
    confirmedAt: request.confirmedAt,
    confirmedOn: request.confirmedOn,
    dueOn: request.dueOn,
    skipped: request.skipped,
    firstDueOn: request.firstDueOn,
    onTimeBy: request.onTimeBy,
  });
}

function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0;
}

function accept(after: ConfirmedRequest): Decision {
  return { ok: true, after };
}

function refuse(refusal: Refusal): Decision {
  return { ok: false, refusal };
}
