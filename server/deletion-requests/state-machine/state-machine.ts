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
  type ChecklistAnswers,
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
  type WorkingRequest,
} from "./request.ts";

/**
 * The state machine of a request. It decides which acts a state allows, who may perform them, and
 * which request and events result. It has no side effects. Callers provide storage, email and the
 * clock.
 */

export type Act =
  /** The requester submits another form. */
  | ({ type: "repeat" } & Form)
  /**
   * An operator enters the request, because the requester's mailbox is closed. `receivedAt` is when
   * the requester asked for the deletion. From now on, emails go to `contact`. `proof` is the key
   * of the proof of ownership.
   */
  | ({
      type: "enter";
      contact: string;
      receivedAt: Temporal.Instant;
      proof: string;
      /** The operator's note about the proof. */
      explanation?: string | undefined;
    } & Form)
  /** `language` is the language of the page on which the requester confirms. */
  | { type: "confirm"; reference: string; reason: ReasonCode; language?: string | undefined }
  /** An operator approves a request that another operator entered. */
  | { type: "approve" }
  /**
   * An approver asks the contact for another proof of ownership. `asks` contains the campus's
   * questions in each language.
   */
  | { type: "ask"; explanation: string; asks: readonly Readonly<Record<string, string>>[] }
  | { type: "cancel"; explanation?: string }
  /** An operator takes the request. `from` is the current owner in a takeover. */
  | { type: "take"; from?: string | undefined }
  | { type: "hand-back" }
  /**
   * An operator saves the checklist's answers. `begins` is true if a location had data, which
   * starts the work.
   */
  | { type: "tick"; checklist: ChecklistAnswers; begins: boolean; ticked?: readonly string[] }
  /**
   * An operator or the account system completes the request. The clock makes the completion final
   * after an undo period of ten minutes. `ticked` lists the locations that are done.
   */
  | { type: "complete"; completion: Completion; ticked?: readonly string[] }
  /** Restores the state before an act, if none of the act's emails has been sent. */
  | { type: "undo"; undone: Undone }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string }
  /**
   * Puts the request on hold and moves the due date by `businessDays`. Without `businessDays`,
   * moves the due date only if the hold outlasts it.
   */
  | {
      type: "hold";
      reason: HoldReason;
      until: Temporal.PlainDate;
      businessDays?: number | undefined;
      explanation: string;
    }
  /** Ends a hold, even if the hold's last day has passed. */
  | { type: "release" }
  | { type: "reopen"; explanation: string };

/** A recorded act that can be undone, with the state that undo restores. */
export type Undone = {
  /** The act's name in the history. */
  act: Act["type"];
  at: Temporal.Instant;
  to: WorkingRequest | ReceivedRequest;
  /** The columns of the request's row that the act changed, with their encoded previous values. */
  row: Readonly<Record<string, unknown>>;
  /** Ids of the act's emails, none of which have been sent. */
  mails: readonly number[];
  /** Emails that the act held back, with their previous states. */
  heldBack: readonly (readonly [id: number, state: string])[];
};

type Form = Pick<ReceivedRequest, "reference" | "reason" | "language">;

export type By = {
  actor: Actor;
  name?: string;
  /** Distinguishes the account system from the clock, which is also a "system" actor. */
  isAccountSystem?: boolean;
  formKey?: string | undefined;
};

/** Settings that the transitions depend on. */
export type Rules = {
  calendar: Calendar;
  /** Number of business days from the confirmation to the due date. */
  businessDays: number;
  /** Whether another operator has to approve an entered request. Defaults to true. */
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
  /** The grace period after a restore is running, so the requester can still cancel. */
  | "after-restore"
  | "erased";

/** The resulting request and its events, or the reason for the refusal. */
export type Decision =
  | { ok: true; after: StoredRequest; happened: readonly RequestEvent[] }
  | { ok: false; refusal: Refusal };

/**
 * Legal deadlines, counted from receipt. The CCPA regulations (section 7021) require an answer
 * within 45 days, or within 90 if the requester is notified of an extension. The GDPR (article
 * 12(3)) requires notice of an extension within one month.
 */
const answerWithinDays = 45;
const extendedWithinDays = 90;
const informWithinMonths = 1;

type Outcome = { after: StoredRequest; happened: readonly RequestEvent[] } | Refusal;

type Transition<Kind, One> = (request: Kind, act: One, how: How) => Outcome;

/**
 * Context of an act. `at` is its time, with the precision of a stored instant. `on` is its date in
 * the campus's time zone.
 */
type How = { rules: Rules; by: By; at: Temporal.Instant; on: Temporal.PlainDate };

const becomes = (after: StoredRequest, ...happened: readonly RequestEvent[]): Outcome => ({
  after,
  happened,
});

type Declaration<One> = {
  by: readonly Actor[];
  /** Name of the act's counter in the monthly figures. */
  counts?: "confirmed" | "held" | "extended" | "reopened";
  /** `undefined` if the act is impossible before the confirmation. */
  received?: (request: ReceivedRequest, act: One, how: How) => Outcome | undefined;
  working: Transition<WorkingRequest, One>;
  /** Whether the act is refused while the request is marked done. */
  unlessDone?: true;
  /** `undefined` if the act is impossible once the request has ended. */
  ended?: Transition<EndedRequest, One>;
};

export const acts: { [One in Act as One["type"]]: Declaration<One> } = {
  repeat: {
    by: ["person"],
    // Before the confirmation, the request has the reference of its newest form.
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
          // This request expires later than a confirmation link would, because it needs an
          // approval.
          expiresAt: at.add({ hours: approvalDays * 24 }),
          // Legal deadlines count from the requester's first request, with or without the form.
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
    received(request, { reference, reason, language = request.language }, how) {
      const after = confirm({ ...request, reference, reason, language }, how);
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
    // Operators cancel on the requester's behalf.
    by: ["person", "operator"],
    unlessDone: true,
    // Only a request that an operator entered can be cancelled before it is confirmed, for example
    // from the old mailbox.
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
    // The system actor is an account system that has started the deletion.
    by: ["operator", "system"],
    unlessDone: true,
    working(request, { from }, { by: { name }, at }) {
      if (!isFreeFor(request.owner, from)) return "already-taken";
      // Taking only sets the owner, so the requester can still cancel.
      if (name !== undefined) return takeOver(request, { ...request, owner: name });
      return request.state === "confirmed"
        ? takeOver(request, startWork(request, at))
        : "already-taken";
    },
  },
  tick: {
    by: ["operator"],
    unlessDone: true,
    working(request, { checklist, begins, ticked: places }, { by: { name }, at, on }) {
      if (isHeld(request.hold, on)) return "held";
      if (begins && isUntouched(request, at)) return "untouched";
      if (!isFreeFor(request.owner, name)) return "somebody-elses";
      const ticked = { ...request, owner: name ?? request.owner, checklist };
      const after = begins ? startWork(ticked, at) : ticked;
      // A tick also takes the request, so no "take" event is needed.
      return isSameChecklist(checklist, request.checklist)
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
    // Requesters may undo an operator's act as part of a cancellation, if they haven't been
    // notified of the act yet.
    by: ["operator", "person"],
    received: (_, { undone }) => undo(undone),
    working: (_, { undone }) => undo(undone),
    ended: (_, { undone }) => undo(undone),
  },
  refuse: {
    // The system actor is an account system that found no such account, or the clock (`received`).
    by: ["operator", "system"],
    unlessDone: true,
    // Either an approver refuses, or the clock refuses because no one approved in time.
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

/**
 * Applies an act to a request. Returns the resulting request and its events, or the reason for the
 * refusal.
 */
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

/**
 * Refuses an act that the actor or the state doesn't allow. Otherwise runs the act's transition.
 */
function guard(request: StoredRequest, act: Act, how: How): Outcome {
  const declared = acts[act.type] as Declaration<Act>;
  const { by, on } = how;
  if (!declared.by.includes(by.actor)) return "not-yours-to-do";
  if (request.state === "received") {
    return declared.received?.(request, act, how) ?? "not-confirmed";
  }
  if (isEnded(request)) return declared.ended?.(request, act, how) ?? "already-ended";
  if (request.done && declared.unlessDone) return "already-done";
  // A hold by an operator blocks every act by the system.
  const isKept = request.hold?.by === "operator" && isHeld(request.hold, on);
  if (by.actor === "system" && isKept) return "held";
  return declared.working(request, act, how);
}

/** Counts another form. Only the first few forms cause an event. */
function repeat(request: ReceivedRequest | WorkingRequest, form: Partial<Form>): Outcome {
  const after = { ...request, ...form, sent: request.sent + 1 };
  return request.sent < formsKeptWhole ? becomes(after, { type: "repeat" }) : becomes(after);
}

/** Adds a "take" event if the owner is new or the work starts. */
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
    // The request ended when it was marked done, not when the completion became final.
    const ended = end(request, { by, at: done?.at ?? at });
    const after = { ...ended, completion, state: "completed" } as const;
    return becomes(after, { type: "complete", isFinal: true, places });
  }
  if (done) return "already-done";
  if (isHeld(hold, on)) return "held";
  if (by.actor === "operator" && isUntouched(request, at)) return "untouched";
  const event = { type: "complete", isFinal: false, places } as const;
  if (by.name === undefined) {
    if (request.state === "confirmed") return "not-taken";
    return becomes({ ...request, done: { at, completion } }, event);
  }
  if (!isFreeFor(owner, by.name)) return "somebody-elses";
  const after = startWork({ ...request, owner: by.name, done: { at, completion } }, at);
  return becomes(after, event);
}

/** Checks whether an approved request must still be left alone, so that someone can cancel it. */
function isUntouched(request: WorkingRequest, at: Temporal.Instant): boolean {
  const until = graceUntil(request);
  return until !== undefined && Temporal.Instant.compare(at, until) < 0;
}

/** Starts the work, after which the requester can't cancel. */
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

/**
 * Moves the due date of a request on hold by `businessDays`. Without `businessDays`, moves it only
 * as far as the hold requires.
 */
function promiseAfterHold(
  request: WorkingRequest,
  { until, businessDays }: Pick<Extract<Act, { type: "hold" }>, "until" | "businessDays">,
  how: How,
): WorkingRequest | Refusal {
  // The due date must be later than the hold's last day.
  const outlasts = !isAfter(request.dueOn, until);
  if (businessDays === undefined) {
    if (!outlasts) return request;
    return extendDueDate(request, addToDueDate(request, businessDaysAfterHold, how, until), how);
  }
  const due = addToDueDate(request, businessDays, how);
  return outlasts || isAfter(due.date, request.dueOn) ? extendDueDate(request, due, how) : request;
}

/** Adds a "hold" event if the hold changed, then an "extend" event if the due date moved. */
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

/** Checks whether the actor is the clock rather than a requester or the account system. */
function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

/**
 * Checks whether the request has no owner, or still the owner that the operator saw. Only one of
 * two concurrent takeovers succeeds.
 */
function isFreeFor(owner: string | undefined, from: string | undefined): boolean {
  return owner === undefined || (from !== undefined && isSameName(owner, from));
}

/** Adds business days to the given date, by default the due date. */
function addToDueDate(
  request: WorkingRequest,
  businessDays: number,
  { rules, on }: How,
  // If the due date has passed, counts from today to get a new due date in the future.
  from = isAfter(on, request.dueOn) ? on : request.dueOn,
): DueDate {
  const { date, skipped } = addBusinessDays(rules.calendar, from, businessDays);
  return { date, skipped: [...request.skipped, ...skipped] };
}

/** Moves the due date to a later day, within the legal deadlines. */
function extendDueDate(
  request: WorkingRequest,
  { date: dueOn, skipped }: DueDate,
  { rules, on }: How,
): WorkingRequest | Refusal {
  if (!isAfter(dueOn, request.dueOn) || !isAfter(dueOn, on)) return "not-later";
  const receivedOn = dateAt(rules.calendar, request.receivedAt);
  if (isAfter(dueOn, receivedOn.add({ days: extendedWithinDays }))) return "too-late-a-date";
  const needsTelling = isAfter(dueOn, receivedOn.add({ days: answerWithinDays }));
  // If the previous due date was already beyond this limit, the requester was notified of the
  // extension in time.
  const wasInformed = isAfter(request.dueOn, receivedOn.add({ days: answerWithinDays }));
  if (needsTelling && !wasInformed && isAfter(on, receivedOn.add({ months: informWithinMonths }))) {
    return "too-late-to-tell";
  }
  const onTimeBy = isAfter(on, request.dueOn) ? request.onTimeBy : dueOn;
  return { ...request, dueOn, skipped, onTimeBy };
}

/**
 * Computes the due date of a confirmation. It is the usual number of business days later, or fewer
 * (but at least one) if the legal deadline requires it. The legal deadline counts from receipt.
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

/** Postpones an unconfirmed request's expiry. Never moves it to an earlier time. */
export function postponeExpiry(request: ReceivedRequest, until: Temporal.Instant): ReceivedRequest {
  const isLater = Temporal.Instant.compare(until, request.expiresAt) > 0;
  return isLater ? { ...request, expiresAt: until } : request;
}

const freshWork = { hold: undefined, owner: undefined, done: undefined, checklist: undefined };

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
  const { state: _, hold: __, owner: ___, done: ____, checklist: _____, ...kept } = request;
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
 * Ends an entered request that no operator approved. Returns undefined for any other request. The
 * request never had a due date. Its due-date columns contain the date of the end, because older
 * versions read these columns. No page shows them.
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
  // A request that ended before its approval awaits approval again.
  if (approvableAt) {
    const { confirmedAt, confirmedOn, dueOn, skipped, firstDueOn, onTimeBy, ...received } = kept;
    const expiresAt = at.add({ hours: approvalDays * 24 });
    return { ...received, email, state: "received", approvableAt, expiresAt };
  }
  return { ...kept, ...freshWork, email, state: "confirmed" };
}

function isAfter(a: Temporal.PlainDate, b: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(a, b) > 0;
}

/** Checks whether a hold covers a day. The hold's last day is included. */
export function isHeld(hold: Hold | undefined, on: Temporal.PlainDate): boolean {
  return hold !== undefined && Temporal.PlainDate.compare(on, hold.until) <= 0;
}

/** Compares operators' names, ignoring case. */
export function isSameName(a: string, b: string): boolean {
  const [name, same] = [a, b].map((text) => text.normalize("NFC").toLowerCase());
  return name === same;
}

/**
 * An event in the history, named after its act. The history, figures, emails and calls to the
 * account system are derived only from events. A hold that moves the due date causes two events,
 * and an act that changes nothing causes none. `note` is a message to the requester, or to the
 * approver of an entered request.
 */
export type RequestEvent =
  | { type: "repeat" }
  | {
      type: "enter";
      /** Key of the proof of ownership that the operator saw. */
      code: string;
      note?: string | undefined;
      /** Set if the operator's entry created the request. */
      fromState?: "";
    }
  | { type: "confirm" | "approve"; dueTo: Temporal.PlainDate }
  | {
      type: "ask";
      asks: readonly Readonly<Record<string, string>>[];
      note: string;
      /** The request's new expiry. */
      fadesAt: Temporal.Instant;
    }
  | { type: "cancel"; note?: string | undefined }
  /** `begins` is true if the event starts the work. */
  | { type: "take"; begins: boolean }
  | { type: "hand-back" }
  | { type: "tick"; begins: boolean; places?: readonly string[] | undefined }
  /**
   * A completion causes two of these events: one when the request is marked done, and one when the
   * clock makes the completion final.
   */
  | { type: "complete"; isFinal: boolean; places?: readonly string[] | undefined }
  | { type: "undo"; code: Act["type"]; undone: Undone }
  | { type: "refuse"; code: RefusalReason; note: string }
  | {
      type: "extend";
      dueFrom: Temporal.PlainDate;
      dueTo: Temporal.PlainDate;
      note?: string;
      /** Set if a hold caused the extension. The "hold" event comes first. */
      isByHold?: true;
    }
  | {
      type: "hold";
      code: HoldReason;
      dueTo: Temporal.PlainDate;
      note: string;
      /** The due date before the hold. Set only if the hold moved it. */
      movedFrom?: Temporal.PlainDate;
    }
  /** `code` is set if the hold ended automatically after its last day. */
  | { type: "release"; code?: "by-date" }
  | { type: "reopen"; note: string };

function isSameChecklist(
  a: ChecklistAnswers | undefined,
  b: ChecklistAnswers | undefined,
): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isSame(a: Hold, b: Hold | undefined): boolean {
  return a.reason === b?.reason && a.until.equals(b.until) && a.by === b.by;
}
