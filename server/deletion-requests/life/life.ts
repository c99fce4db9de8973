import {
  addBusinessDays,
  type Calendar,
  type DueDate,
  dateAt,
} from "../../calendar/business-days.ts";
import { approvalDays, noticeHours } from "../../terms.ts";
import type { Completion } from "./completion.ts";
import {
  type Actor,
  businessDaysAfterHold,
  type ConfirmedRequest,
  type Ended,
  type EndedRequest,
  formsKeptWhole,
  type Hold,
  type HoldReason,
  isEnded,
  type ReasonCode,
  type ReceivedRequest,
  type RefusalReason,
  type StoredRequest,
  untouchedUntil,
  type WalkAnswers,
  type WorkingRequest,
} from "./request.ts";

/**
 * The life of a request, as a function without side effects: what may happen in which state, who may do it, what the
 * request has become by it, and what has happened then. Everything that stores, sends or tells the time stands around it.
 */

export type Act =
  /** Its person sends another form. */
  | ({ type: "repeat" } & Form)
  /**
   * An operator enters it for somebody whose mailbox is closed, who asked at `receivedAt`: mails go to the contact from now on.
   * `proof` is how ownership was shown.
   */
  | ({
      type: "enter";
      contact: string;
      receivedAt: Temporal.Instant;
      proof: string;
      /** What the operator saw of the proof. */
      explanation?: string | undefined;
    } & Form)
  | { type: "confirm"; reference: string; reason: ReasonCode }
  /** An operator approves what another one entered. */
  | { type: "approve" }
  /** The contact is asked for another proof; `asks` are the campus's, in each of its languages. */
  | { type: "ask"; explanation: string; asks: readonly Readonly<Record<string, string>>[] }
  | { type: "cancel"; explanation?: string }
  /** `from` whoever had it, where an operator takes it over. */
  | { type: "take"; from?: string | undefined }
  | { type: "hand-back" }
  /** Keeps the answers of the walk. With the first place in which something was done (`begins`) the work has begun. */
  | { type: "tick"; walk: WalkAnswers; begins: boolean; ticked?: readonly string[] }
  /** It can be undone for ten minutes; by the clock it is final. `ticked` are the places that somebody has gone through. */
  | { type: "complete"; completion: Completion; ticked?: readonly string[] }
  /** Gives back what was there before an act, of which its person has heard nothing. */
  | { type: "undo"; undone: Undone }
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
  /** Its day may be over. */
  | { type: "release" }
  | { type: "reopen"; explanation: string };

/** An act as its event kept it: what it changed, and what undoing it has to set right besides. */
export type Undone = {
  /** The act's name in the history. */
  act: Act["type"];
  at: Temporal.Instant;
  /** The request as it was before. */
  to: WorkingRequest | ReceivedRequest;
  /** Columns of the request's row as they were before, encoded. */
  row: Readonly<Record<string, unknown>>;
  /** Emails that tell of the act, by id. None has left. */
  mails: readonly number[];
  /** Emails that the act held back, by id, with the state in which each was. */
  parked: readonly (readonly [id: number, state: string])[];
};

type Form = Pick<ReceivedRequest, "reference" | "reason" | "language">;

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
  | "notice-unsent"
  | "notice-runs"
  | "untouched"
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
  | "not-before-due"
  | "not-ended"
  | "another-open"
  | "persons-own-wish"
  | "not-handed-over"
  /** Its person still has time to cancel. */
  | "after-restore"
  | "erased";

/** What is stored and what has happened by it, where it may. */
export type Decision =
  | { ok: true; after: StoredRequest; happened: readonly LifeEvent[] }
  | { ok: false; refusal: Refusal };

/**
 * The clock of the law runs from receipt. CCPA regulations section 7021: an answer within 45 days, and where the person
 * was told of an extension within 90 at most. GDPR article 12(3): an extension is told within one month.
 */
const answerWithinDays = 45;
const extendedWithinDays = 90;
const tellWithinMonths = 1;

/** What an act makes of a request in one kind of state, or why it may not happen there. */
type Step<Kind, One> = (request: Kind, act: One, how: How) => StoredRequest | Refusal;

/** By whom, when and by which rules: `at` as a row has it, `on` a day of the campus. */
type How = { rules: Rules; by: By; at: Temporal.Instant; on: Temporal.PlainDate };

type Declaration<One> = {
  /** Who may. */
  by: readonly Actor[];
  /** As what a month's figures count it. */
  counts?: "confirmed" | "held" | "extended" | "reopened";
  /** Left out where it has to be confirmed first. */
  received?: (request: ReceivedRequest, act: One, how: How) => StoredRequest | Refusal | undefined;
  working: Step<WorkingRequest, One>;
  /** Not with what was called done, which the clock completes unless that is taken back first. */
  unlessDone?: true;
  /** Left out where its end has settled that. */
  ended?: Step<EndedRequest, One>;
};

/** Every act: who may do it, as what it is counted, and what becomes of a request by it in each kind of state. */
export const acts: { [One in Act as One["type"]]: Declaration<One> } = {
  repeat: {
    by: ["person"],
    // While nobody has confirmed it, the newest form names it.
    received: (request, { type: _, ...form }) => ({ ...request, ...form, sent: request.sent + 1 }),
    working: (request) => ({ ...request, sent: request.sent + 1 }),
  },
  enter: {
    by: ["operator"],
    received: (request, { type: _, proof: __, explanation: ___, ...entry }, { by, at }) => ({
      ...request,
      ...entry,
      approvableAt: at.add({ hours: noticeHours }),
      enteredBy: by.name,
      sent: request.sent + 1,
      // No link confirms it, so it does not end with one.
      expiresAt: at.add({ hours: approvalDays * 24 }),
      // The clock of the law began when the person first asked, in whichever way.
      receivedAt:
        Temporal.Instant.compare(request.receivedAt, entry.receivedAt) < 0
          ? request.receivedAt
          : entry.receivedAt,
    }),
    working: () => "already-confirmed",
  },
  confirm: {
    by: ["person"],
    counts: "confirmed",
    received: (request, { reference, reason }, how) =>
      confirm({ ...request, reference, reason }, how),
    working: () => "already-confirmed",
  },
  approve: {
    by: ["operator"],
    counts: "confirmed",
    received(request, _, how) {
      if (request.enteredBy === undefined) return "not-entered";
      const isOwn = isSameName(request.enteredBy, how.by.name ?? "");
      if (how.rules.secondPerson !== false && isOwn) return "needs-second-person";
      const { approvableAt = request.expiresAt } = request;
      return Temporal.Instant.compare(how.at, approvableAt) < 0
        ? "notice-runs"
        : confirm(request, how);
    },
    working: () => "already-confirmed",
  },
  ask: {
    by: ["operator"],
    unlessDone: true,
    received: (request, _, { at }) =>
      request.enteredBy === undefined
        ? "not-entered"
        : waitUntil(request, at.add({ hours: approvalDays * 24 })),
    working: () => "already-confirmed",
  },
  cancel: {
    // An operator cancels on the person's word.
    by: ["person", "operator"],
    unlessDone: true,
    // The old mailbox's reader stops what an operator entered.
    received: (request, _, how) => {
      const ended = endUnconfirmed(request, how);
      return ended && { ...ended, state: "cancelled" };
    },
    working: (request, _, how) =>
      request.state === "in-progress" && how.by.actor === "person"
        ? "already-taken"
        : { ...end(request, how), state: "cancelled" },
  },
  take: {
    // An account system that reports its work is the system; an operator does it by hand.
    by: ["operator", "system"],
    unlessDone: true,
    working(request, { from }, { by: { name }, at }) {
      if (!isFreeFor(request.owner, from)) return "already-taken";
      // Among the team a request is only divided up: for its person nothing has begun.
      if (name !== undefined) return { ...request, owner: name };
      return request.state === "confirmed" ? begin(request, at) : "already-taken";
    },
  },
  tick: {
    by: ["operator"],
    unlessDone: true,
    working(request, { walk, begins }, { by: { name }, at, on }) {
      if (isHeld(request.hold, on)) return "held";
      if (!isFreeFor(request.owner, name)) return "somebody-elses";
      const ticked = { ...request, owner: name ?? request.owner, walk };
      return begins ? begin(ticked, at) : ticked;
    },
  },
  "hand-back": {
    by: ["operator"],
    working: (request) =>
      request.owner === undefined ? "not-taken" : { ...request, owner: undefined },
  },
  complete: {
    by: ["operator", "system"],
    working: complete,
  },
  undo: {
    // A person undoes what they weren't told of by cancelling.
    by: ["operator", "person"],
    received: (_, { undone }) => undone.to,
    working: (_, { undone }) => undone.to,
    ended: (_, { undone }) => undone.to,
  },
  refuse: {
    // An account system that knows no such account.
    by: ["operator", "system"],
    unlessDone: true,
    // An approver who is not convinced, or the clock if no one looked.
    received: (request, { reason }, how) => {
      if (how.by.isAccountSystem) return undefined;
      const ended = endUnconfirmed(request, how);
      return ended && { ...ended, state: "refused", refusalReason: reason };
    },
    working: (request, { reason }, how) => ({
      ...end(request, how),
      state: "refused",
      refusalReason: reason,
    }),
  },
  extend: {
    by: ["operator"],
    counts: "extended",
    unlessDone: true,
    working: (request, { businessDays }, how) =>
      promise(request, laterBy(request, businessDays, how), how),
  },
  hold: {
    by: ["operator", "system"],
    counts: "held",
    unlessDone: true,
    working: keepWaiting,
  },
  release: {
    by: ["operator", "system"],
    unlessDone: true,
    working: (request) => (request.hold ? { ...request, hold: undefined } : "not-held"),
  },
  reopen: {
    by: ["operator"],
    counts: "reopened",
    received: () => "not-ended",
    working: () => "not-ended",
    ended: reopen,
  },
};

export function decide(
  rules: Rules,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Decision {
  const at = now.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const how = { rules, by, at, on: dateAt(rules.calendar, now) };
  const after = become(acts[act.type] as Declaration<Act>, request, act, how);
  return typeof after === "string"
    ? { ok: false, refusal: after }
    : { ok: true, after, happened: tellAct(request, after, act, by) };
}

function become(
  declared: Declaration<Act>,
  request: StoredRequest,
  act: Act,
  how: How,
): StoredRequest | Refusal {
  const { by, on } = how;
  if (!declared.by.includes(by.actor)) return "not-yours-to-do";
  if (request.state === "received") {
    return declared.received?.(request, act, how) ?? "not-confirmed";
  }
  if (isEnded(request)) return declared.ended?.(request, act, how) ?? "already-ended";
  if (request.done && declared.unlessDone) return "already-done";
  // What an operator keeps waiting, no system begins, ends or keeps waiting for reasons of its own.
  const isKept = request.hold?.by === "operator" && isHeld(request.hold, on);
  if (by.actor === "system" && isKept) return "held";
  return declared.working(request, act, how);
}

function complete(
  request: WorkingRequest,
  { completion }: Extract<Act, { type: "complete" }>,
  how: How,
): ConfirmedRequest | Refusal {
  const { owner, hold, done } = request;
  const { by, at, on } = how;
  if (isByClock(by)) {
    if (request.state === "confirmed") return "not-taken";
    // It was done when somebody said so, ten minutes before it can no longer be undone.
    const ended = end(request, { by, at: done?.at ?? at });
    return { ...ended, completion, state: "completed" };
  }
  if (done) return "already-done";
  if (isHeld(hold, on)) return "held";
  const untouched = untouchedUntil(request);
  if (by.actor === "operator" && untouched && Temporal.Instant.compare(at, untouched) < 0) {
    return "untouched";
  }
  if (by.name === undefined) {
    return request.state === "confirmed" ? "not-taken" : { ...request, done: { at, completion } };
  }
  if (!isFreeFor(owner, by.name)) return "somebody-elses";
  return begin({ ...request, owner: by.name, done: { at, completion } }, at);
}

/** From here on its person can no longer cancel. */
function begin(request: WorkingRequest, at: Temporal.Instant): WorkingRequest {
  return request.state === "confirmed"
    ? { ...request, state: "in-progress", startedAt: at }
    : request;
}

function keepWaiting(
  request: WorkingRequest,
  { reason, until, businessDays }: Extract<Act, { type: "hold" }>,
  how: How,
): ConfirmedRequest | Refusal {
  if (isAfter(how.on, until)) return "in-the-past";
  const by = how.by.actor === "system" ? "system" : "operator";
  const hold = { reason, until, by } as const;
  const held = { ...request, hold };
  // What waits until a day is not promised for that day or one before it.
  const outlasts = !isAfter(request.dueOn, until);
  if (businessDays === undefined) {
    if (!outlasts) return held;
    return promise(held, laterBy(request, businessDaysAfterHold, how, until), how);
  }
  const due = laterBy(request, businessDays, how);
  return outlasts || isAfter(due.date, request.dueOn) ? promise(held, due, how) : held;
}

/** Whether only time did it: neither a person nor the system that holds the accounts. */
function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

/** Whoever takes what is somebody's says whose it is: two who press at once do not take it from each other. */
function isFreeFor(owner: string | undefined, from: string | undefined): boolean {
  return owner === undefined || (from !== undefined && isSameName(owner, from));
}

/** So many business days after a day; after the promised one, if none is said. */
function laterBy(
  request: WorkingRequest,
  businessDays: number,
  { rules, on }: How,
  // Counted from a date that has passed, the new one could have passed, too.
  from = isAfter(on, request.dueOn) ? on : request.dueOn,
): DueDate {
  const { date, skipped } = addBusinessDays(rules.calendar, from, businessDays);
  return { date, skipped: [...request.skipped, ...skipped] };
}

/** Promises another date, as far as the law allows. */
function promise(
  request: WorkingRequest,
  { date: dueOn, skipped }: DueDate,
  { rules, on }: How,
): WorkingRequest | Refusal {
  if (!isAfter(dueOn, request.dueOn) || !isAfter(dueOn, on)) return "not-later";
  const receivedOn = dateAt(rules.calendar, request.receivedAt);
  if (isAfter(dueOn, receivedOn.add({ days: extendedWithinDays }))) return "too-late-a-date";
  const needsTelling = isAfter(dueOn, receivedOn.add({ days: answerWithinDays }));
  // Where the date promised before is as late already, the person was told in time.
  const wasTold = isAfter(request.dueOn, receivedOn.add({ days: answerWithinDays }));
  if (needsTelling && !wasTold && isAfter(on, receivedOn.add({ months: tellWithinMonths }))) {
    return "too-late-to-tell";
  }
  const onTimeBy = isAfter(on, request.dueOn) ? request.onTimeBy : dueOn;
  return { ...request, dueOn, skipped, onTimeBy };
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

/** An unconfirmed request waits until then, if it would have gone before: the time that it has is never shortened. */
export function waitUntil(request: ReceivedRequest, until: Temporal.Instant): ReceivedRequest {
  const isLater = Temporal.Instant.compare(until, request.expiresAt) > 0;
  return isLater ? { ...request, expiresAt: until } : request;
}

const untouched = { hold: undefined, owner: undefined, done: undefined, walk: undefined };

function confirm(
  { expiresAt: _, approvableAt: __, ...request }: ReceivedRequest,
  { rules, at, on }: How,
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

function end(request: WorkingRequest, { by, at }: Pick<How, "by" | "at">): Ended {
  const { state: _, hold: __, owner: ___, done: ____, walk: _____, ...kept } = request;
  return {
    startedAt: undefined,
    ...kept,
    endedAt: at,
    endedBy: by.actor,
    completion: undefined,
    erasedAt: undefined,
    approvableAt: undefined,
  };
}

/**
 * Ends an entered request that no one approved; undefined for any other. It has no promise: the columns of one hold the day of
 * the end, because older versions read them, and nothing tells them.
 */
function endUnconfirmed(
  { expiresAt: _, ...request }: ReceivedRequest,
  { by, at, on }: How,
): Ended | undefined {
  const { approvableAt } = request;
  if (request.enteredBy === undefined || !approvableAt) return undefined;
  return {
    ...request,
    approvableAt,
    confirmedAt: at,
    confirmedOn: on,
    dueOn: on,
    skipped: [],
    firstDueOn: on,
    onTimeBy: on,
    startedAt: undefined,
    endedAt: at,
    endedBy: by.actor,
    completion: undefined,
    erasedAt: undefined,
  };
}

function reopen(request: EndedRequest, _: unknown, { at }: How): StoredRequest | Refusal {
  const { email, state, endedBy, ...ended } = { refusalReason: undefined, ...request };
  if (!email) return "erased";
  if (state === "cancelled" && endedBy === "person") return "persons-own-wish";
  const { startedAt, endedAt, completion, erasedAt, refusalReason, approvableAt, ...kept } = ended;
  // It waits for its approval again.
  if (approvableAt) {
    const { confirmedAt, confirmedOn, dueOn, skipped, firstDueOn, onTimeBy, ...received } = kept;
    const expiresAt = at.add({ hours: approvalDays * 24 });
    return { ...received, email, state: "received", approvableAt, expiresAt };
  }
  return { ...kept, ...untouched, email, state: "confirmed" };
}

function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0;
}

/** Whether a hold lasts on a day. */
export function isHeld(hold: Hold | undefined, on: Temporal.PlainDate): boolean {
  return hold !== undefined && Temporal.PlainDate.compare(on, hold.until) <= 0;
}

/** Nadia and nadia are one operator. */
export function isSameName(one: string, other: string): boolean {
  const [name, same] = [one, other].map((text) => text.normalize("NFC").toLowerCase());
  return name === same;
}

// What happened

/** As the trail has it, under the names of acts. What was called done is completed twice: then, and when it has become final. */
export type LifeEvent = {
  type: Act["type"];
  /** Where that is not the state that it was in: it begins with that. */
  fromState?: "";
  /** The key of its reason, or that its day was over. */
  code?: string;
  /** What was promised before. */
  dueFrom?: Temporal.PlainDate;
  /** What is promised now; of a hold its last day. */
  dueTo?: Temporal.PlainDate;
};

const endings = { completed: "complete", cancelled: "cancel", refused: "refuse" } as const;

function tellAct(before: StoredRequest, after: StoredRequest, act: Act, by: By): LifeEvent[] {
  return act.type === "undo"
    ? [{ type: "undo", code: act.undone.act }]
    : tellChange(before, after, by);
}

/**
 * What happened to a request, told from what it was and what it has become alone: trail, figures, mails and the account
 * system's events go by it. Of a hold that moves the promised date it is both; of what changed nothing, nothing.
 */
export function tellChange(before: StoredRequest, after: StoredRequest, by: By): LifeEvent[] {
  if (isEnded(before)) return [{ type: "reopen" }];
  if (after.state === "received" && after.sent === before.sent) return [{ type: "ask" }];
  // A form came, and its life does not go on.
  if (after.state === "received" || after.sent !== before.sent) {
    if (by.actor === "person") return before.sent < formsKeptWhole ? [{ type: "repeat" }] : [];
    return [{ type: "enter", ...(before.sent === 0 && { fromState: "" }) }];
  }
  if (isEnded(after)) {
    const code = after.state === "refused" && { code: after.refusalReason };
    return [{ type: endings[after.state], ...code }];
  }
  if (before.state === "received") {
    return [{ type: by.actor === "operator" ? "approve" : "confirm", dueTo: after.dueOn }];
  }
  const happened: LifeEvent[] = [];
  if (after.hold && !isSame(after.hold, before.hold)) {
    happened.push({ type: "hold", code: after.hold.reason, dueTo: after.hold.until });
  }
  if (before.hold && !after.hold) {
    happened.push({ type: "release", ...(isByClock(by) && { code: "by-date" }) });
  }
  if (!after.dueOn.equals(before.dueOn)) {
    happened.push({ type: "extend", dueFrom: before.dueOn, dueTo: after.dueOn });
  }
  // Who ticks or completes takes it by that.
  if (after.done && !before.done) happened.push({ type: "complete" });
  else if (!isSameWalk(after.walk, before.walk)) happened.push({ type: "tick" });
  else if (before.state !== after.state || (after.owner && after.owner !== before.owner)) {
    happened.push({ type: "take" });
  }
  if (before.owner && !after.owner) happened.push({ type: "hand-back" });
  return happened;
}

function isSameWalk(one: WalkAnswers | undefined, other: WalkAnswers | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isSame(one: Hold, other: Hold | undefined): boolean {
  return one.reason === other?.reason && one.until.equals(other.until) && one.by === other.by;
}
