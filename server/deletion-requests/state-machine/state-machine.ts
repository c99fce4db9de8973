import { approvalDays, noticeHours } from "../../periods.ts";
import {
  addBusinessDays,
  type Calendar,
  type DueDate,
  dateAt,
} from "../../platform/calendar/business-days.ts";
import type { Completion } from "./completion.ts";
import {
  type Actor,
  businessDaysAfterHold,
  type Ended,
  type EndedRequest,
  formsKeptWhole,
  graceUntil,
  type Hold,
  type HoldReason,
  isEnded,
  type ReasonCode,
  type ReceivedRequest,
  type RefusalReason,
  type StoredRequest,
  type WalkAnswers,
  type WorkingRequest,
} from "./request.ts";

/**
 * A request's state machine, without side effects: the acts that each state allows, who may perform
 * them, the resulting request and the events. Callers provide storage, email and the clock.
 */

export type Act =
  /** The requester submits another form. */
  | ({ type: "repeat" } & Form)
  /**
   * An operator enters the request for a requester with a closed mailbox, who asked for it at
   * `receivedAt`. From then on, emails go to `contact`. `proof` says how the requester proved
   * ownership.
   */
  | ({
      type: "enter";
      contact: string;
      receivedAt: Temporal.Instant;
      proof: string;
      /** The operator's note about the proof. */
      explanation?: string | undefined;
    } & Form)
  | { type: "confirm"; reference: string; reason: ReasonCode }
  /** An operator approves a request that a colleague entered. */
  | { type: "approve" }
  /** Asks the contact for another proof; `asks` has the campus's questions in each language. */
  | { type: "ask"; explanation: string; asks: readonly Readonly<Record<string, string>>[] }
  | { type: "cancel"; explanation?: string }
  /** `from` is the owner whom an operator takes the request over from. */
  | { type: "take"; from?: string | undefined }
  | { type: "hand-back" }
  /** Saves the checklist's answers. The work begins once data has been deleted in any place. */
  | { type: "tick"; walk: WalkAnswers; begins: boolean; ticked?: readonly string[] }
  /**
   * Can be undone for ten minutes, after which the clock makes it final. `ticked` lists the places
   * that are done.
   */
  | { type: "complete"; completion: Completion; ticked?: readonly string[] }
  /** Restores the state before an act, provided that none of the act's emails has been sent. */
  | { type: "undo"; undone: Undone }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string }
  /**
   * Moves the due date by `businessDays`; if that is undefined, moves it only if the hold lasts
   * beyond it.
   */
  | {
      type: "hold";
      reason: HoldReason;
      until: Temporal.PlainDate;
      businessDays?: number | undefined;
      explanation: string;
    }
  /** Ends a hold, even if its last day has passed. */
  | { type: "release" }
  | { type: "reopen"; explanation: string };

/** A recorded act, and the state that undoing it restores. */
export type Undone = {
  /** The act's name in the history. */
  act: Act["type"];
  at: Temporal.Instant;
  /** The request before the act. */
  to: WorkingRequest | ReceivedRequest;
  /** Encoded columns of the request's row before the act. */
  row: Readonly<Record<string, unknown>>;
  /** Ids of the act's emails, all of them unsent. */
  mails: readonly number[];
  /** Emails that the act held back: their ids and previous states. */
  parked: readonly (readonly [id: number, state: string])[];
};

type Form = Pick<ReceivedRequest, "reference" | "reason" | "language">;

export type By = {
  actor: Actor;
  /** The operator's name. */
  name?: string;
  /** Distinguishes the account system from the clock, which is also a system actor. */
  isAccountSystem?: boolean;
  /** The form's idempotency key. */
  formKey?: string | undefined;
};

/** Rules that the team agreed on. */
export type Rules = {
  calendar: Calendar;
  /** Business days from the confirmation to the due date. */
  businessDays: number;
  /** Whether an entered request needs another operator's approval; defaults to true. */
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
  /** After a restore, the requester still has time to cancel. */
  | "after-restore"
  | "erased";

/** The resulting request and its events, or why the act is refused. */
export type Decision =
  | { ok: true; after: StoredRequest; happened: readonly RequestEvent[] }
  | { ok: false; refusal: Refusal };

/**
 * Legal deadlines, counted from receipt. CCPA regulations, section 7021: we answer within 45 days,
 * or within 90 if we told the requester of an extension. GDPR, article 12(3): we tell the requester
 * of an extension within one month.
 */
const answerWithinDays = 45;
const extendedWithinDays = 90;
const informWithinMonths = 1;

/** The request after an act, with the act's events, or the reason for a refusal. */
type Outcome = { after: StoredRequest; happened: readonly RequestEvent[] } | Refusal;

type Transition<Kind, One> = (request: Kind, act: One, how: How) => Outcome;

/**
 * An act's context: its time `at`, with the precision of a row, and its date `on` in the campus's
 * time zone.
 */
type How = { rules: Rules; by: By; at: Temporal.Instant; on: Temporal.PlainDate };

const becomes = (after: StoredRequest, ...happened: readonly RequestEvent[]): Outcome => ({
  after,
  happened,
});

type Declaration<One> = {
  /** Who may perform the act. */
  by: readonly Actor[];
  /** The act's name in the monthly figures. */
  counts?: "confirmed" | "held" | "extended" | "reopened";
  /** Undefined if the act needs a confirmed request. */
  received?: (request: ReceivedRequest, act: One, how: How) => Outcome | undefined;
  working: Transition<WorkingRequest, One>;
  /** Whether the act is refused while the request is marked done, until that is undone. */
  unlessDone?: true;
  /** Undefined if the act is impossible after the end. */
  ended?: Transition<EndedRequest, One>;
};

/** Transitions of every act. */
export const acts: { [One in Act as One["type"]]: Declaration<One> } = {
  repeat: {
    by: ["person"],
    // Until it is confirmed, the request has the newest form's reference.
    received: (request, { type: _, ...form }) => repeat(request, form),
    working: (request) => repeat(request, {}),
  },
  enter: {
    by: ["operator"],
    received: (request, { type: _, proof, explanation, ...entry }, { by, at }) =>
      becomes(
        {
          ...request,
          ...entry,
          approvableAt: at.add({ hours: noticeHours }),
          enteredBy: by.name,
          sent: request.sent + 1,
          // No link confirms this request, so it stays for longer than a link is valid.
          expiresAt: at.add({ hours: approvalDays * 24 }),
          // The legal deadlines count from when the requester first asked, whether by form or
          // otherwise.
          receivedAt:
            Temporal.Instant.compare(request.receivedAt, entry.receivedAt) < 0
              ? request.receivedAt
              : entry.receivedAt,
        },
        {
          type: "enter",
          code: proof,
          note: explanation,
          ...(request.sent === 0 && { fromState: "" }),
        },
      ),
    working: () => "already-confirmed",
  },
  confirm: {
    by: ["person"],
    counts: "confirmed",
    received(request, { reference, reason }, how) {
      const after = confirm({ ...request, reference, reason }, how);
      return becomes(after, { type: "confirm", dueTo: after.dueOn });
    },
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
      if (Temporal.Instant.compare(how.at, approvableAt) < 0) return "notice-runs";
      const after = confirm(request, how);
      return becomes(after, { type: "approve", dueTo: after.dueOn });
    },
    working: () => "already-confirmed",
  },
  ask: {
    by: ["operator"],
    unlessDone: true,
    received(request, { asks, explanation }, { at }) {
      if (request.enteredBy === undefined) return "not-entered";
      const after = postponeExpiry(request, at.add({ hours: approvalDays * 24 }));
      return becomes(after, { type: "ask", asks, note: explanation, fadesAt: after.expiresAt });
    },
    working: () => "already-confirmed",
  },
  cancel: {
    // An operator cancels if the requester asks for it.
    by: ["person", "operator"],
    unlessDone: true,
    // The old mailbox's owner cancels a request that an operator entered.
    received(request, { explanation: note }, how) {
      const ended = endUnconfirmed(request, how);
      return ended && becomes({ ...ended, state: "cancelled" }, { type: "cancel", note });
    },
    working: (request, { explanation: note }, how) =>
      request.state === "in-progress" && how.by.actor === "person"
        ? "already-taken"
        : becomes({ ...end(request, how), state: "cancelled" }, { type: "cancel", note }),
  },
  take: {
    // The system actor here is an account system reporting its work.
    by: ["operator", "system"],
    unlessDone: true,
    working(request, { from }, { by: { name }, at }) {
      if (!isFreeFor(request.owner, from)) return "already-taken";
      // The operator only becomes the owner; the requester can still cancel.
      if (name !== undefined) return takeOver(request, { ...request, owner: name });
      return request.state === "confirmed"
        ? takeOver(request, startWork(request, at))
        : "already-taken";
    },
  },
  tick: {
    by: ["operator"],
    unlessDone: true,
    working(request, { walk, begins, ticked: places }, { by: { name }, at, on }) {
      if (isHeld(request.hold, on)) return "held";
      if (!isFreeFor(request.owner, name)) return "somebody-elses";
      const ticked = { ...request, owner: name ?? request.owner, walk };
      const after = begins ? startWork(ticked, at) : ticked;
      // Ticking includes taking, so no separate "take" event is needed.
      return isSameWalk(walk, request.walk)
        ? takeOver(request, after)
        : becomes(after, { type: "tick", places, begins: after.state !== request.state });
    },
  },
  "hand-back": {
    by: ["operator"],
    working: (request) =>
      request.owner === undefined
        ? "not-taken"
        : becomes({ ...request, owner: undefined }, { type: "hand-back" }),
  },
  complete: {
    by: ["operator", "system"],
    working: complete,
  },
  undo: {
    // By cancelling, a requester undoes an operator's act that no email has announced yet.
    by: ["operator", "person"],
    received: (_, { undone }) => undo(undone),
    working: (_, { undone }) => undo(undone),
    ended: (_, { undone }) => undo(undone),
  },
  refuse: {
    // The system actor here is an account system that has no such account.
    by: ["operator", "system"],
    unlessDone: true,
    // Refused by an approver who isn't convinced, or by the clock if no one approved in time.
    received(request, act, how) {
      if (how.by.isAccountSystem) return undefined;
      const ended = endUnconfirmed(request, how);
      return ended && refuse(ended, act);
    },
    working: (request, act, how) => refuse(end(request, how), act),
  },
  extend: {
    by: ["operator"],
    counts: "extended",
    unlessDone: true,
    working(request, { businessDays, explanation: note }, how) {
      const after = extendDueDate(request, addToDueDate(request, businessDays, how), how);
      if (typeof after === "string") return after;
      return becomes(after, { type: "extend", dueFrom: request.dueOn, dueTo: after.dueOn, note });
    },
  },
  hold: {
    by: ["operator", "system"],
    counts: "held",
    unlessDone: true,
    working: placeOnHold,
  },
  release: {
    by: ["operator", "system"],
    unlessDone: true,
    working: (request, _, { by }) =>
      request.hold
        ? becomes(
            { ...request, hold: undefined },
            { type: "release", ...(isByClock(by) && { code: "by-date" }) },
          )
        : "not-held",
  },
  reopen: {
    by: ["operator"],
    counts: "reopened",
    received: () => "not-ended",
    working: () => "not-ended",
    ended(request, { explanation: note }, how) {
      const after = reopen(request, how);
      return typeof after === "string" ? after : becomes(after, { type: "reopen", note });
    },
  },
};

/** Applies an act to a request. Returns the resulting request and its events, or a refusal. */
export function transition(
  request: StoredRequest,
  act: Act,
  { rules, by, now }: { rules: Rules; by: By; now: Temporal.Instant },
): Decision {
  const at = now.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const how = { rules, by, at, on: dateAt(rules.calendar, now) };
  const outcome = guard(request, act, how);
  return typeof outcome === "string" ? { ok: false, refusal: outcome } : { ok: true, ...outcome };
}

/** Refuses an act that the actor or the state rules out; otherwise runs its transition. */
function guard(request: StoredRequest, act: Act, how: How): Outcome {
  const declared = acts[act.type] as Declaration<Act>;
  const { by, on } = how;
  if (!declared.by.includes(by.actor)) return "not-yours-to-do";
  if (request.state === "received") {
    return declared.received?.(request, act, how) ?? "not-confirmed";
  }
  if (isEnded(request)) return declared.ended?.(request, act, how) ?? "already-ended";
  if (request.done && declared.unlessDone) return "already-done";
  // An operator's hold blocks every act of a system.
  const isKept = request.hold?.by === "operator" && isHeld(request.hold, on);
  if (by.actor === "system" && isKept) return "held";
  return declared.working(request, act, how);
}

/** Adds another form; only the first few forms get an event. */
function repeat(request: ReceivedRequest | WorkingRequest, form: Partial<Form>): Outcome {
  const after = { ...request, ...form, sent: request.sent + 1 };
  return request.sent < formsKeptWhole ? becomes(after, { type: "repeat" }) : becomes(after);
}

/** Returns the event for a new owner or for the start of the work, if either applies. */
function takeOver(before: WorkingRequest, after: WorkingRequest): Outcome {
  const begins = after.state !== before.state;
  const isTaken = after.owner !== undefined && after.owner !== before.owner;
  return begins || isTaken ? becomes(after, { type: "take", begins }) : becomes(after);
}

function undo(undone: Undone): Outcome {
  return becomes(undone.to, { type: "undo", code: undone.act, undone });
}

function refuse(
  ended: Ended,
  { reason, explanation: note }: Extract<Act, { type: "refuse" }>,
): Outcome {
  const after = { ...ended, state: "refused", refusalReason: reason } as const;
  return becomes(after, { type: "refuse", code: reason, note });
}

function complete(
  request: WorkingRequest,
  { completion, ticked: places }: Extract<Act, { type: "complete" }>,
  how: How,
): Outcome {
  const { owner, hold, done } = request;
  const { by, at, on } = how;
  if (isByClock(by)) {
    if (request.state === "confirmed") return "not-taken";
    // The request ended when an operator or the account system marked it done, not when that could
    // no longer be undone.
    const ended = end(request, { by, at: done?.at ?? at });
    const after = { ...ended, completion, state: "completed" } as const;
    return becomes(after, { type: "complete", isFinal: true, places });
  }
  if (done) return "already-done";
  if (isHeld(hold, on)) return "held";
  const untouched = graceUntil(request);
  if (by.actor === "operator" && untouched && Temporal.Instant.compare(at, untouched) < 0) {
    return "untouched";
  }
  const event = { type: "complete", isFinal: false, places } as const;
  if (by.name === undefined) {
    if (request.state === "confirmed") return "not-taken";
    return becomes({ ...request, done: { at, completion } }, event);
  }
  if (!isFreeFor(owner, by.name)) return "somebody-elses";
  const after = startWork({ ...request, owner: by.name, done: { at, completion } }, at);
  return becomes(after, event);
}

/** Begins the work, after which the requester can't cancel. */
function startWork(request: WorkingRequest, at: Temporal.Instant): WorkingRequest {
  return request.state === "confirmed"
    ? { ...request, state: "in-progress", startedAt: at }
    : request;
}

function placeOnHold(
  request: WorkingRequest,
  { reason, until, businessDays, explanation }: Extract<Act, { type: "hold" }>,
  how: How,
): Outcome {
  if (isAfter(how.on, until)) return "in-the-past";
  const by = how.by.actor === "system" ? "system" : "operator";
  const hold = { reason, until, by } as const;
  const after = promiseAfterHold({ ...request, hold }, { until, businessDays }, how);
  return typeof after === "string" ? after : toHeld(request, { ...after, hold }, explanation);
}

/** Moves a held request's due date by `businessDays`, or as far as the hold requires. */
function promiseAfterHold(
  request: WorkingRequest,
  { until, businessDays }: Pick<Extract<Act, { type: "hold" }>, "until" | "businessDays">,
  how: How,
): WorkingRequest | Refusal {
  // The due date must be after the hold's last day.
  const outlasts = !isAfter(request.dueOn, until);
  if (businessDays === undefined) {
    if (!outlasts) return request;
    return extendDueDate(request, addToDueDate(request, businessDaysAfterHold, how, until), how);
  }
  const due = addToDueDate(request, businessDays, how);
  return outlasts || isAfter(due.date, request.dueOn) ? extendDueDate(request, due, how) : request;
}

/**
 * Returns the events of a hold: the hold if it changed, then the extension if the due date moved.
 */
function toHeld(
  before: WorkingRequest,
  after: WorkingRequest & { hold: Hold },
  note: string,
): Outcome {
  const [dueFrom, dueTo] = [before.dueOn, after.dueOn];
  const isMoved = !dueTo.equals(dueFrom);
  if (isSame(after.hold, before.hold)) {
    return isMoved ? becomes(after, { type: "extend", dueFrom, dueTo, note }) : becomes(after);
  }
  const { reason: code, until } = after.hold;
  const held = { type: "hold", code, dueTo: until, note } as const;
  return isMoved
    ? becomes(
        after,
        { ...held, movedFrom: dueFrom },
        { type: "extend", dueFrom, dueTo, isByHold: true },
      )
    : becomes(after, held);
}

/** Checks whether the actor is the clock, and not a requester or the account system. */
function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

/**
 * Compares the owner with the one that the operator saw, so that one of two concurrent takeovers
 * fails.
 */
function isFreeFor(owner: string | undefined, from: string | undefined): boolean {
  return owner === undefined || (from !== undefined && isSameName(owner, from));
}

/** Adds business days to a date, by default to the due date. */
function addToDueDate(
  request: WorkingRequest,
  businessDays: number,
  { rules, on }: How,
  // If the due date has passed, counts from today, so that the new date can't be in the past.
  from = isAfter(on, request.dueOn) ? on : request.dueOn,
): DueDate {
  const { date, skipped } = addBusinessDays(rules.calendar, from, businessDays);
  return { date, skipped: [...request.skipped, ...skipped] };
}

/** Moves the due date to a later one within the legal deadlines. */
function extendDueDate(
  request: WorkingRequest,
  { date: dueOn, skipped }: DueDate,
  { rules, on }: How,
): WorkingRequest | Refusal {
  if (!isAfter(dueOn, request.dueOn) || !isAfter(dueOn, on)) return "not-later";
  const receivedOn = dateAt(rules.calendar, request.receivedAt);
  if (isAfter(dueOn, receivedOn.add({ days: extendedWithinDays }))) return "too-late-a-date";
  const needsTelling = isAfter(dueOn, receivedOn.add({ days: answerWithinDays }));
  // If the previous due date was already this late, we told the requester in time.
  const wasTold = isAfter(request.dueOn, receivedOn.add({ days: answerWithinDays }));
  if (needsTelling && !wasTold && isAfter(on, receivedOn.add({ months: informWithinMonths }))) {
    return "too-late-to-tell";
  }
  const onTimeBy = isAfter(on, request.dueOn) ? request.onTimeBy : dueOn;
  return { ...request, dueOn, skipped, onTimeBy };
}

/**
 * Computes the due date for a confirmation: the usual number of business days or, if the legal
 * deadline (counted from receipt) is earlier, fewer, but at least one.
 */
export function dueDateFor(
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

/** Moves an unconfirmed request's expiry to a later time, but never to an earlier one. */
export function postponeExpiry(request: ReceivedRequest, until: Temporal.Instant): ReceivedRequest {
  const isLater = Temporal.Instant.compare(until, request.expiresAt) > 0;
  return isLater ? { ...request, expiresAt: until } : request;
}

const freshWork = { hold: undefined, owner: undefined, done: undefined, walk: undefined };

function confirm(
  { expiresAt: _, approvableAt: __, ...request }: ReceivedRequest,
  { rules, at, on }: How,
): WorkingRequest {
  const { date, skipped } = dueDateFor(rules, request.receivedAt, at);
  return {
    ...request,
    ...freshWork,
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
 * Ends an entered request that no one approved; returns undefined for any other. Such a request has
 * no due date: older versions read the due date columns, so they hold the day of the end, but
 * nothing shows them.
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

function reopen(request: EndedRequest, { at }: How): StoredRequest | Refusal {
  const { email, state, endedBy, ...ended } = { refusalReason: undefined, ...request };
  if (!email) return "erased";
  if (state === "cancelled" && endedBy === "person") return "persons-own-wish";
  const { startedAt, endedAt, completion, erasedAt, refusalReason, approvableAt, ...kept } = ended;
  // The request ended without approval, so it waits for approval again.
  if (approvableAt) {
    const { confirmedAt, confirmedOn, dueOn, skipped, firstDueOn, onTimeBy, ...received } = kept;
    const expiresAt = at.add({ hours: approvalDays * 24 });
    return { ...received, email, state: "received", approvableAt, expiresAt };
  }
  return { ...kept, ...freshWork, email, state: "confirmed" };
}

function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0;
}

/** Checks whether a hold covers a day; its last day counts. */
export function isHeld(hold: Hold | undefined, on: Temporal.PlainDate): boolean {
  return hold !== undefined && Temporal.PlainDate.compare(on, hold.until) <= 0;
}

/** Compares operators' names, ignoring case. */
export function isSameName(one: string, other: string): boolean {
  const [name, same] = [one, other].map((text) => text.normalize("NFC").toLowerCase());
  return name === same;
}

// Events

/**
 * An event in the history, named after its act. History, figures, emails and the account system's
 * events depend on these events alone. A hold that moves the due date causes two events, and an act
 * that changes nothing causes none. `note` is a text for the requester, or for the approver of an
 * entered request.
 */
export type RequestEvent =
  | { type: "repeat" }
  | {
      type: "enter";
      /** Code of the proof of ownership that the operator saw. */
      code: string;
      note?: string | undefined;
      /** Set if no form was submitted before, so that the request had no earlier state. */
      fromState?: "";
    }
  | { type: "confirm" | "approve"; dueTo: Temporal.PlainDate }
  | {
      type: "ask";
      asks: readonly Readonly<Record<string, string>>[];
      note: string;
      /** New expiry of the request. */
      fadesAt: Temporal.Instant;
    }
  | { type: "cancel"; note?: string | undefined }
  /** `begins` says whether the work begins with this event. */
  | { type: "take"; begins: boolean }
  | { type: "hand-back" }
  | { type: "tick"; begins: boolean; places?: readonly string[] | undefined }
  /**
   * A request that is marked done gets two of these: one when it is marked, and one when the clock
   * makes it final.
   */
  | { type: "complete"; isFinal: boolean; places?: readonly string[] | undefined }
  | { type: "undo"; code: Act["type"]; undone: Undone }
  | { type: "refuse"; code: RefusalReason; note: string }
  | {
      type: "extend";
      dueFrom: Temporal.PlainDate;
      dueTo: Temporal.PlainDate;
      note?: string;
      /** Set if the extension follows from a hold; the hold's event comes first. */
      isByHold?: true;
    }
  | {
      type: "hold";
      code: HoldReason;
      /** The last day of the hold. */
      dueTo: Temporal.PlainDate;
      note: string;
      /** Due date before the hold, if the hold moved it. */
      movedFrom?: Temporal.PlainDate;
    }
  /** `code` is set if the hold reached its last day. */
  | { type: "release"; code?: "by-date" }
  | { type: "reopen"; note: string };

function isSameWalk(one: WalkAnswers | undefined, other: WalkAnswers | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function isSame(one: Hold, other: Hold | undefined): boolean {
  return one.reason === other?.reason && one.until.equals(other.until) && one.by === other.by;
}
