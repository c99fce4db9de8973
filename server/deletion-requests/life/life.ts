/**
 * The life of a request, as a function without side effects: what may happen in which state, who may do it, and what
 * it changes. Everything that stores, sends or tells the time stands around it.
 */
export type State =
  | "received"
  | "confirmed"
  | "in-progress"
  | "completed"
  | "cancelled"
  | "refused"
  | "expired";

export const openStates = ["received", "confirmed", "in-progress"] as const satisfies State[];

export function isOpen(state: State): boolean {
  return openStates.some((open) => open === state);
}

export const refusalReasons = [
  "no-account",
  "not-the-owner",
  "open-matter",
  "legal-duty",
  "other",
] as const;

export type RefusalReason = (typeof refusalReasons)[number];

/** Why a request waits. */
export const holdReasons = ["open-ride", "dues", "dispute", "legal-hold", "other"] as const;

export type HoldReason = (typeof holdReasons)[number];

/** Who set a hold: an operator, or the account system, which ends its own only. */
export type Holder = "operator" | "system";

/** Not ended, with a promised date. */
export type WorkingLife = {
  state: "confirmed" | "in-progress";
  receivedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  /** The last day of its hold, which may have passed. */
  heldUntil: Temporal.PlainDate | undefined;
  /** Who keeps it waiting. */
  heldBy: Holder | undefined;
  /** The operator who is at work on it. */
  owner: string | undefined;
  /** Somebody says that it is done, and an operator can still take that back. */
  done: boolean;
};

export type ReceivedLife = {
  state: "received";
  expiresAt: Temporal.Instant;
  /** The operator who entered it for somebody whose mailbox is closed. */
  enteredBy: string | undefined;
};

export type EndedLife = {
  state: "completed" | "cancelled" | "refused";
  receivedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  /** Nothing is left that says whose it was. */
  erased: boolean;
  /** The person ended it, not an operator or an account system. */
  byPerson: boolean;
};

export type Life = ReceivedLife | WorkingLife | EndedLife | { state: "expired" };

export type LifeEvent =
  | { type: "repeat"; expiresAt: Temporal.Instant }
  | { type: "confirm"; on: Temporal.PlainDate; dueOn: Temporal.PlainDate }
  | {
      type: "approve";
      by: string;
      /** Whether it must be somebody else than who entered it. */
      bySecond: boolean;
      on: Temporal.PlainDate;
      dueOn: Temporal.PlainDate;
    }
  | { type: "cancel" }
  | {
      type: "take";
      by: string | undefined;
      /** Whose work it was when they looked, where they take it from somebody. */
      from?: string | undefined;
      on: Temporal.PlainDate;
    }
  | { type: "hand-back" }
  | {
      type: "complete";
      by: string | undefined;
      /** The clock makes final what somebody called done. */
      isFinal: boolean;
      on: Temporal.PlainDate;
    }
  | { type: "undo" }
  | { type: "refuse"; reason: RefusalReason; on: Temporal.PlainDate }
  | { type: "extend"; on: Temporal.PlainDate; dueOn: Temporal.PlainDate }
  | {
      type: "hold";
      on: Temporal.PlainDate;
      until: Temporal.PlainDate;
      /** The date that is promised instead, where it is later or the hold does not end before the one that is. */
      dueOn: Temporal.PlainDate;
    }
  | { type: "release"; on: Temporal.PlainDate }
  | { type: "reopen" }
  | { type: "expire"; at: Temporal.Instant };

export const actors = ["person", "operator", "system"] as const;

export type Actor = (typeof actors)[number];

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
  | "erased"
  | "not-due-to-expire";

export type Decision = { ok: true; life: Life } | { ok: false; refusal: Refusal };

/**
 * The clock of the law runs from receipt. CCPA regulations section 7021: an answer within 45 days, and where the person
 * was told of an extension within 90 at most. GDPR article 12(3): an extension is told within one month.
 */
export const answerWithinDays = 45;
export const extendedWithinDays = 90;
export const tellWithinMonths = 1;

/** So many characters an explanation of an act may have for its person. */
export const maxExplanation = 1000;

/** A hold that outlasts the promised date promises one so long after its end. */
export const businessDaysAfterHold = 2;

/**
 * How long what an operator or an account system called done, or ended, can be taken back before its person is told; and
 * how long a machine that has begun may take to be done before its person is told that it has.
 */
export const undoMinutes = 10;
/** Where the end could not be told: how long the address stays for trying. */
export const eraseAfterDays = 30;

/** How long the link in a mail confirms; a request that nobody confirms goes with its last link. */
export const linkHours = 48;

/** So many mails that somebody caused by typing an address go to that address in 24 hours. */
export const linkMailsPerDay = 3;

const whoMay: Record<LifeEvent["type"], readonly Actor[]> = {
  repeat: ["person"],
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
  expire: ["system"],
};

export function decide(life: Life, event: LifeEvent, actor: Actor): Decision {
  if (!whoMay[event.type].includes(actor)) return refuse("not-yours-to-do");
  switch (life.state) {
    case "expired":
      return refuse("already-ended");
    case "received":
      return decideReceived(life, event);
    case "confirmed":
    case "in-progress":
      return decideWorking(life, event, actor);
    default:
      return event.type === "reopen" ? decideReopening(life) : refuse("already-ended");
  }
}

function decideReopening(life: EndedLife): Decision {
  if (life.erased) return refuse("erased");
  if (life.state === "cancelled" && life.byPerson) return refuse("persons-own-wish");
  return accept(workingLife(life.receivedOn, life.dueOn));
}

function later(one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant {
  return Temporal.Instant.compare(one, other) > 0 ? one : other;
}

function decideReceived(life: ReceivedLife, event: LifeEvent): Decision {
  switch (event.type) {
    case "repeat":
      return accept({ ...life, expiresAt: later(life.expiresAt, event.expiresAt) });
    case "confirm":
      return accept(workingLife(event.on, event.dueOn));
    case "approve":
      if (life.enteredBy === undefined) return refuse("not-entered");
      return event.bySecond && isSameName(life.enteredBy, event.by)
        ? refuse("needs-second-person")
        : accept(workingLife(event.on, event.dueOn));
    case "expire":
      return Temporal.Instant.compare(event.at, life.expiresAt) < 0
        ? refuse("not-due-to-expire")
        : accept({ state: "expired" });
    case "reopen":
      return refuse("not-ended");
    default:
      return refuse("not-confirmed");
  }
}

function decideWorking(life: WorkingLife, event: LifeEvent, actor: Actor): Decision {
  // What was called done is completed by the clock, unless that is taken back first.
  const settled = ["repeat", "complete", "undo", "confirm", "approve", "expire", "reopen"];
  if (life.done && !settled.includes(event.type)) return refuse("already-done");
  // What an operator keeps waiting, no system begins, ends or keeps waiting for reasons of its own.
  const isKept = life.heldBy === "operator" && "on" in event && isHeld(life, event.on);
  if (actor === "system" && isKept) return refuse("held");
  const begun = life.state === "in-progress";
  switch (event.type) {
    case "repeat":
      return accept(life);
    case "confirm":
    case "approve":
    case "expire":
      return refuse("already-confirmed");
    case "reopen":
      return refuse("not-ended");
    case "cancel":
      return begun && actor === "person"
        ? refuse("already-taken")
        : accept({ ...ended(life), state: "cancelled", byPerson: actor === "person" });
    case "take":
      // What an account system began, or somebody handed back, an operator may go on with.
      return begun && (event.by === undefined || !isFreeFor(life.owner, event.from))
        ? refuse("already-taken")
        : accept({ ...life, state: "in-progress", owner: event.by });
    case "hand-back":
      return life.owner === undefined ? refuse("not-taken") : accept({ ...life, owner: undefined });
    case "complete":
      if (!begun) return refuse("not-taken");
      if (event.isFinal) return accept({ ...ended(life), state: "completed" });
      if (life.done) return refuse("already-done");
      if (isHeld(life, event.on)) return refuse("held");
      if (event.by !== undefined && life.owner !== undefined && !isSameName(life.owner, event.by)) {
        return refuse("somebody-elses");
      }
      return accept({ ...life, done: true });
    case "undo":
      return life.done ? accept({ ...life, done: false }) : refuse("not-done");
    case "refuse":
      return accept({ ...ended(life), state: "refused" });
    case "extend":
      return extend(life, event);
    case "hold": {
      if (isAfter(event.on, event.until)) return refuse("in-the-past");
      const heldBy = actor === "system" ? "system" : "operator";
      const held = { ...life, heldUntil: event.until, heldBy } as const;
      const moves = outlasts(event.until, life.dueOn) || isAfter(event.dueOn, life.dueOn);
      return moves ? extend(held, event) : accept(held);
    }
    case "release":
      return life.heldUntil === undefined
        ? refuse("not-held")
        : accept({ ...life, heldUntil: undefined, heldBy: undefined });
  }
}

/** Whoever takes what is somebody's says whose it is: two who press at once do not take it from each other. */
function isFreeFor(owner: string | undefined, from: string | undefined): boolean {
  return owner === undefined || (from !== undefined && isSameName(owner, from));
}

function extend(
  life: WorkingLife,
  { on, dueOn }: { on: Temporal.PlainDate; dueOn: Temporal.PlainDate },
): Decision {
  if (!isAfter(dueOn, life.dueOn) || !isAfter(dueOn, on)) return refuse("not-later");
  const { receivedOn } = life;
  if (isAfter(dueOn, receivedOn.add({ days: extendedWithinDays })))
    return refuse("too-late-a-date");
  const needsTelling = isAfter(dueOn, receivedOn.add({ days: answerWithinDays }));
  // Where the date promised before is as late already, the person was told in time.
  const wasTold = isAfter(life.dueOn, receivedOn.add({ days: answerWithinDays }));
  if (needsTelling && !wasTold && isAfter(on, receivedOn.add({ months: tellWithinMonths }))) {
    return refuse("too-late-to-tell");
  }
  return accept({ ...life, dueOn });
}

/** Whether what waits until a day is promised too early, so that a later date is promised in the same breath. */
export function outlasts(heldUntil: Temporal.PlainDate, dueOn: Temporal.PlainDate): boolean {
  return !isAfter(dueOn, heldUntil);
}

/** Whether a hold lasts on a day. */
export function isHeld(
  { heldUntil }: { heldUntil: Temporal.PlainDate | undefined },
  on: Temporal.PlainDate,
): boolean {
  return heldUntil !== undefined && !isAfter(on, heldUntil);
}

/** Nadia and nadia are one operator. */
export function isSameName(one: string, other: string): boolean {
  return matchName(one) === matchName(other);
}

export function matchName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0;
}

function workingLife(receivedOn: Temporal.PlainDate, dueOn: Temporal.PlainDate): WorkingLife {
  const [heldUntil, heldBy, owner] = [undefined, undefined, undefined];
  return { state: "confirmed", receivedOn, dueOn, heldUntil, heldBy, owner, done: false };
}

function ended({ receivedOn, dueOn }: WorkingLife) {
  return { receivedOn, dueOn, erased: false, byPerson: false };
}

function accept(life: Life): Decision {
  return { ok: true, life };
}

function refuse(refusal: Refusal): Decision {
  return { ok: false, refusal };
}
