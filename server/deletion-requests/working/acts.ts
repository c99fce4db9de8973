import {
  addBusinessDays,
  type Calendar,
  type DueDate,
  dateAt,
  skippedToText,
} from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import type { OutboxRecord } from "../../outbox/outbox.ts";
import type { Tally } from "../ledger/monthly-counters.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import {
  type Actor,
  businessDaysAfterHold,
  type HoldReason,
  isSameName,
  type LifeEvent,
  outlasts,
  type Refusal,
  type RefusalReason,
  type WorkingLife,
} from "../life/life.ts";
import type { ReasonCode } from "../life/reasons.ts";
import {
  type ConfirmedRequest,
  type Hold,
  isEnded,
  isWorking,
  type StoredRequest,
  type WorkingRequest,
  waitOf,
} from "../store/request.ts";
import { type PersonNews, promisedTo } from "../telling/messages.ts";

/**
 * Every act that changes the life of a request, each declared once: what it says, what it is to that life, which date it
 * promises, and what its person is told of it.
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

/** What can happen without an operator. */
export type SystemAct = Extract<Act, { type: "take" | "complete" | "hold" | "release" }>;

type ActOf<Type extends Act["type"]> = Extract<Act, { type: Type }>;

/** When an act happens, by whom, and the date that it promises. */
type When = { office: Office; by: By; on: Temporal.PlainDate; dueOn: Temporal.PlainDate };

/** What an act made of a request, for its person. */
type Made = {
  by: By;
  before: StoredRequest;
  after: ConfirmedRequest;
  today: Temporal.PlainDate;
  proof: Proof | undefined;
};

type Declaration<Type extends Act["type"]> = {
  /** The date that it promises; without one, what was promised stays. */
  promise?(
    office: Office,
    request: StoredRequest,
    act: ActOf<Type>,
    now: Temporal.Instant,
  ): DueDate | undefined;
  toEvent(act: ActOf<Type>, when: When): LifeEvent;
  /** Its own last day, which the trail has beside the date that it promises. */
  until?(act: ActOf<Type>): Temporal.PlainDate;
  /** As what it is counted, beside what it makes of the request. */
  counted?: Tally;
  /** Undefined where nobody is told: of what concerns operators alone, or can still be undone. */
  tell?(act: ActOf<Type>, made: Made): PersonNews | undefined;
};

/** The promise that a confirmation at this instant would make. */
export function dueDateFrom(office: Office, confirmedAt: Temporal.Instant): DueDate {
  const { calendar, businessDays } = office;
  return addBusinessDays(calendar, dateAt(calendar, confirmedAt), businessDays);
}

const confirmed = ({ after }: Made): PersonNews => ({
  kind: "confirmed",
  dueOn: after.dueOn.toString(),
  skipped: skippedToText(after.skipped),
});

const promisedBy = ({ after, today }: Made) => promisedTo(after.dueOn, today);

/** What was promised before, where that has moved. */
function movedFrom({ before, after }: Made) {
  return isWorking(before) && !before.dueOn.equals(after.dueOn)
    ? { previouslyDueOn: before.dueOn.toString(), skipped: skippedToText(after.skipped) }
    : undefined;
}

const declared: { [Type in Act["type"]]: Declaration<Type> } = {
  confirm: {
    promise: (office, _request, _act, now) => dueDateFrom(office, now),
    toEvent: (_, { on, dueOn }) => ({ type: "confirm", on, dueOn }),
    tell: (_, made) => confirmed(made),
  },
  approve: {
    promise: (office, _request, _act, now) => dueDateFrom(office, now),
    toEvent: (_, { office, by, on, dueOn }) => ({
      ...{ type: "approve", by: by.name ?? "", on, dueOn },
      bySecond: office.secondPerson !== false,
    }),
    tell: (_, made) => confirmed(made),
  },
  cancel: {
    toEvent: () => ({ type: "cancel" }),
    tell: ({ explanation = "" }, { by }) =>
      by.actor === "person" ? { kind: "cancelled" } : { kind: "cancelled-for-you", explanation },
  },
  take: {
    toEvent: ({ from }, { by, on }) => ({ type: "take", by: by.name, from, on }),
    tell: (_, made) =>
      made.before.state === "confirmed" ? { kind: "in-progress", ...promisedBy(made) } : undefined,
  },
  "hand-back": { toEvent: () => ({ type: "hand-back" }) },
  complete: {
    toEvent: (_, { by, on }) => ({ type: "complete", by: by.name, isFinal: isByClock(by), on }),
    tell: ({ completion }, { after, proof }) =>
      isEnded(after)
        ? { ...receiptOf(after, after.endedAt, completion), ...(proof && { proof }) }
        : undefined,
  },
  undo: { toEvent: () => ({ type: "undo" }) },
  refuse: {
    toEvent: ({ reason }, { on }) => ({ type: "refuse", reason, on }),
    tell: ({ reason, explanation }) => ({ kind: "refused", reason, explanation }),
  },
  extend: {
    promise: (office, request, { businessDays }, now) =>
      isWorking(request) ? laterBy(office, request, businessDays, now) : undefined,
    toEvent: (_, { on, dueOn }) => ({ type: "extend", on, dueOn }),
    tell: ({ explanation }, made) => {
      const { dueOn, skipped } = made.after;
      const moved = { previouslyDueOn: dueOn.toString(), skipped: skippedToText(skipped) };
      return {
        ...{ kind: "extended", dueOn: dueOn.toString(), explanation },
        ...(movedFrom(made) ?? moved),
      };
    },
  },
  hold: {
    until: ({ until }) => until,
    counted: "held",
    promise: (office, request, { until, businessDays }, now) => {
      if (!isWorking(request)) return undefined;
      if (businessDays !== undefined) return laterBy(office, request, businessDays, now);
      return outlasts(until, request.dueOn)
        ? further(office, request, until, businessDaysAfterHold)
        : undefined;
    },
    toEvent: ({ until }, { on, dueOn }) => ({ type: "hold", on, until, dueOn }),
    tell: ({ until, reason, explanation }, made) => {
      const moved = movedFrom(made);
      return {
        ...{ kind: "held", dueOn: made.after.dueOn.toString(), ...(moved && { moved }) },
        ...{ until: until.toString(), reason, explanation },
      };
    },
  },
  release: {
    toEvent: (_, { on }) => ({ type: "release", on }),
    tell: (_, made) => ({ kind: "released", ...promisedBy(made) }),
  },
  reopen: {
    toEvent: () => ({ type: "reopen" }),
    tell: ({ explanation }, made) => ({ kind: "reopened", ...promisedBy(made), explanation }),
  },
};

const declarationOf = (act: Act) => declared[act.type] as Declaration<Act["type"]>;

/** What a receipt tells, but for its proof. */
export function receiptOf(
  { receivedAt, confirmedAt }: Pick<ConfirmedRequest, "receivedAt" | "confirmedAt">,
  completedAt: Temporal.Instant,
  completion: Completion,
): Extract<PersonNews, { kind: "completed" }> {
  return {
    ...{ kind: "completed", receivedAt: toText(receivedAt), confirmedAt: toText(confirmedAt) },
    ...{ completedAt: toText(completedAt), completion },
  };
}

function further(
  { calendar }: Office,
  { skipped: before }: WorkingRequest,
  from: Temporal.PlainDate,
  businessDays: number,
): DueDate {
  const { date, skipped } = addBusinessDays(calendar, from, businessDays);
  return { date, skipped: [...before, ...skipped] };
}

function laterBy(
  office: Office,
  request: WorkingRequest,
  businessDays: number,
  now: Temporal.Instant,
): DueDate {
  const today = dateAt(office.calendar, now);
  // Counted from a date that has passed, the new one could have passed, too.
  const isLate = Temporal.PlainDate.compare(today, request.dueOn) > 0;
  return further(office, request, isLate ? today : request.dueOn, businessDays);
}

/** The date that an act promises if it happens now. */
export function promiseOf(
  office: Office,
  request: StoredRequest,
  act: Act,
  now: Temporal.Instant,
): DueDate | undefined {
  return declarationOf(act).promise?.(office, request, act, now);
}

/** What an act is to the life of a request, if it happens now. */
export function eventOf(
  office: Office,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): LifeEvent {
  const on = dateAt(office.calendar, now);
  const dueOn = promiseOf(office, request, act, now)?.date ?? on;
  return declarationOf(act).toEvent(act, { office, by, on, dueOn });
}

/** The last day that an act sets apart from what it promises. */
export function untilOf(act: Act): Temporal.PlainDate | undefined {
  return declarationOf(act).until?.(act);
}

export function countedAs(act: Act): Tally | undefined {
  return declarationOf(act).counted;
}

/** Why a request waits once an act has happened; the day and who set it are its life's. */
export function waitAfter(
  life: WorkingLife,
  act: Act,
  before: StoredRequest,
): { hold: Hold | undefined } {
  const { heldUntil: until, heldBy: by } = life;
  const reason = act.type === "hold" ? act.reason : waitOf(before)?.reason;
  return { hold: until && by && reason ? { until, by, reason } : undefined };
}

/** What a person is told of an act; undefined where they are told nothing. */
export function newsOf(act: Act, made: Made): PersonNews | undefined {
  return declarationOf(act).tell?.(act, made);
}

/** Whether only time did it: neither a person nor the system that holds the accounts. */
function isByClock({ actor, isAccountSystem }: By): boolean {
  return actor === "system" && !isAccountSystem;
}

// Taking back

/** Under which names the trail has what was taken back. */
export const takenBack = ["undo", "release", "hand-back", "reopen"] as const;

/** What taking the last step back is, and whether its person knows of that step: then they are told why it was none. */
export type TakingBack =
  | { act: "undo" | "release" | "hand-back" | "reopen"; isKnown: boolean }
  | { because: Refusal };

/** What an operator would take back now. */
export function findTakingBack(
  request: StoredRequest,
  mails: readonly Pick<OutboxRecord, "state">[],
  name: string,
): TakingBack {
  if (request.state === "received") return { because: "not-confirmed" };
  if (isEnded(request)) {
    const last = mails.at(-1);
    // The account is gone, whether its person has read so or not.
    const isKnown = request.state === "completed" || !last || !isUnsent(last);
    return { act: "reopen", isKnown };
  }
  if (request.done) return { act: "undo", isKnown: false };
  if (request.hold) return { act: "release", isKnown: true };
  return request.owner !== undefined && isSameName(request.owner, name)
    ? { act: "hand-back", isKnown: false }
    : { because: "not-done" };
}

/** A mail that has not left and can still be taken back. */
function isUnsent({ state }: Pick<OutboxRecord, "state">): boolean {
  return state === "waiting" || state === "needs-person";
}
