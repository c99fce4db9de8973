import { undoMinutes } from "../../periods.ts";
import { type MaskedEmail, maskEmail } from "../../platform/addresses/email-address.ts";
import { countDaysLeft, dateAt } from "../../platform/calendar/business-days.ts";
import type { Proof } from "../ledger/proof.ts";
import type { EventRecord, EventSubject } from "../repository/audit-log.ts";
import {
  type ConfirmedRequest,
  endedUnconfirmed,
  fieldsOf,
  type Hold,
  type InAnyState,
  isWorking,
  type State,
} from "../state-machine/request.ts";
import { isHeld, type Rules, transition } from "../state-machine/state-machine.ts";
import { completedNews } from "./receipt.ts";

/**
 * View model of a request: facts, progress steps and history, in order. The requester's page, the
 * operator page, emails, the command line and the data export lay it out, each with its own texts
 * and selection. An email shows its message's facts as of when it was queued.
 */

/**
 * Who reads it. The requester's pages mask the email address from bystanders, but the team has to
 * compare it.
 */
export type Reader = "person" | "team";

/** A fact: a text, a code, a date, an instant, or a number of business days. */
export type Fact = {
  text?: string;
  masked?: MaskedEmail;
  code?: string;
  on?: Temporal.PlainDate;
  at?: Temporal.Instant;
  days?: number;
};

export type FactName = keyof ReturnType<typeof presentFacts>;

export type KnownFacts = { [Name in FactName]?: Fact | undefined };

/** The known fields of a request: a stored request has those of its state, an email has fewer. */
type KnownRequest = Partial<Omit<InAnyState, "hold">> & {
  hold?: Partial<Hold> | undefined;
  /** Due date before the last change. */
  previouslyDueOn?: Temporal.PlainDate | undefined;
};

/**
 * Lists all facts in a fixed order; a layout selects from them.
 * @param more.references references of the other submissions
 * @param more.daysLeft days until the due date, negative after it
 */
export function presentFacts(
  request: KnownRequest,
  reader: Reader,
  more: { references?: readonly string[]; daysLeft?: number | undefined } = {},
) {
  const { reference, hold } = request;
  // Requests that ended without confirmation have no due date.
  const isPromised = !(request.endedAt && request.approvableAt);
  const others = more.references?.filter((one) => one !== reference) ?? [];
  const address = (email: string) =>
    reader === "team" ? { text: email } : { text: maskEmail(email).text, masked: maskEmail(email) };
  const on = (day: Temporal.PlainDate | undefined) => day && { on: day };
  const at = (moment: Temporal.Instant | undefined) => moment && { at: moment };
  const of = <Code extends string>(code?: Code) => (code === undefined ? undefined : { code });
  return {
    reference: reference === undefined ? undefined : { text: reference },
    references: others.length > 0 ? { text: others.join(", ") } : undefined,
    state: of(request.state),
    address: request.email === undefined ? undefined : address(request.email),
    contact: request.contact === undefined ? undefined : address(request.contact),
    received: at(request.receivedAt),
    expires: at(request.expiresAt),
    confirmed: isPromised ? at(request.confirmedAt) : undefined,
    started: at(request.startedAt),
    heldUntil: on(hold?.until),
    previouslyDue: on(request.previouslyDueOn),
    due: isPromised ? on(request.dueOn) : undefined,
    left: more.daysLeft === undefined || !isPromised ? undefined : { days: more.daysLeft },
    firstDue: isPromised ? on(request.firstDueOn) : undefined,
    final: at(request.done && finalAt(request.done.at)),
    ended: at(request.endedAt),
    erased: at(request.erasedAt),
    reason: of(request.reason),
    hold: of(hold?.reason),
    refusal: of(request.refusalReason),
  } satisfies Record<string, Fact | undefined>;
}

// Progress

/** A progress step. If it was reached, it has an instant; if it is ahead, it has a sentence. */
export type TimelineStep = {
  name: State;
  phase: "passed" | "here" | "ahead";
  at?: Temporal.Instant | undefined;
  ahead?:
    | { says: "until"; at: Temporal.Instant }
    | { says: "by" | "promised"; on: Temporal.PlainDate }
    | { says: "cancelUntil" };
};

const ends = ["completed", "cancelled", "refused"] as const;

/**
 * Lists the progress steps: those reached, the current one, and those ahead.
 * @param at when each step was reached, as far as known
 * @param next when the wait for confirmation ends; the due date, and whether it has passed
 */
export function presentTimeline(
  state: State,
  at: Partial<Record<State, Temporal.Instant | undefined>> = {},
  next: {
    confirmUntil?: Temporal.Instant | undefined;
    dueOn?: Temporal.PlainDate | undefined;
    isLate?: boolean;
    /** Whether the request ended without confirmation. */
    isUnconfirmed?: boolean;
  } = {},
): TimelineStep[] {
  const isBegun = state === "in-progress" || state === "completed" || at["in-progress"];
  const reached: State[] = [
    "received",
    ...(state === "received" || next.isUnconfirmed ? [] : (["confirmed"] as const)),
    ...(isBegun ? (["in-progress"] as const) : []),
    ...ends.filter((end) => end === state),
  ];
  const { confirmUntil, dueOn, isLate } = next;
  const ahead: TimelineStep[] = [
    {
      name: "confirmed",
      phase: "ahead",
      ...(confirmUntil && { ahead: { says: "until", at: confirmUntil } }),
    },
    { name: "in-progress", phase: "ahead", ahead: { says: "cancelUntil" } },
    {
      name: "completed",
      phase: "ahead",
      ...(dueOn && { ahead: { says: isLate ? "promised" : "by", on: dueOn } }),
    },
  ];
  const isOver = ends.some((end) => end === state);
  return [
    ...reached.map((name, index): TimelineStep => {
      const phase = index === reached.length - 1 ? "here" : "passed";
      return { name, phase, at: at[name] };
    }),
    ...ahead.filter(({ name }) => !isOver && !reached.includes(name)),
  ];
}

/** Lists the progress steps of a stored request with their instants. */
function roadOf(request: ConfirmedRequest, daysLeft: number): TimelineStep[] {
  const { state, startedAt, endedAt, dueOn, ...known } = fieldsOf(request);
  const at = {
    ...{ received: known.receivedAt, confirmed: known.confirmedAt, "in-progress": startedAt },
    ...(endedAt && { [state]: endedAt }),
  };
  return presentTimeline(state, at, {
    dueOn,
    isLate: daysLeft < 0,
    isUnconfirmed: endedUnconfirmed(request),
  });
}

/** Returns when the undo period ends, which makes a request final that was marked done. */
export function finalAt(doneAt: Temporal.Instant): Temporal.Instant {
  return doneAt.add({ minutes: undoMinutes });
}

// History

/** Acts that the account system's reports would cause if this weren't a dry run. */
const trialActs: Partial<Record<string, string>> = {
  started: "take",
  "not-found": "refuse",
  blocked: "hold",
  standing: "received",
};

const byTime = ["expire", "erase", "late"];

export type HistoryLine = ReturnType<typeof presentEvent>;

/**
 * Converts an event in a request's or the team's history to a history line. The actor is a
 * requester, an operator, the clock or the account system.
 */
export function presentEvent(
  event: Pick<EventRecord, "at" | "name" | "type"> &
    Partial<EventRecord> & { about?: EventSubject },
) {
  const { at, actor = "operator", name, type, code = "", places = [], note = "", about } = event;
  // The clock makes a request final after an operator has marked it done.
  const isFinal = type === "complete" && event.toState === "completed";
  const isClock = byTime.includes(type) || code === "by-date" || isFinal;
  const isTrial = type === "trial";
  const isWait = type === "hold";
  const who: EventRecord["actor"] | "clock" = actor === "system" && isClock ? "clock" : actor;
  return {
    at,
    by: actor,
    who,
    note,
    /** The operator's name. */
    name,
    /** The act as stored, or `completed` once a request that was marked done has become final. */
    what: isFinal ? "completed" : isTrial ? (trialActs[code] ?? code) : type,
    /** Whether this is a report in a dry run, which would otherwise have caused this act. */
    isTrial,
    /** Code of the reason; each act has its own set of codes. */
    reason: code,
    /** Places checked. */
    places,
    /** Subject of an act that doesn't concern a request. */
    about,
    /** Last day of a hold, or the previous and the new due date. */
    until: isWait ? event.dueTo : undefined,
    from: isWait ? undefined : event.dueFrom,
    to: isWait ? undefined : event.dueTo,
  };
}

/** What the requester's page about a confirmed request shows. */
export type RequestStatus = ReturnType<typeof presentStatus>;

/**
 * Builds what the requester's page about a confirmed request shows.
 * @param known other stored data: references, history and ledger entry
 */
export function presentStatus(
  rules: Rules,
  request: ConfirmedRequest,
  known: {
    references: readonly string[];
    events: readonly EventRecord[];
    proof: Proof | undefined;
  },
  now: Temporal.Instant,
) {
  const { calendar } = rules;
  const today = dateAt(calendar, now);
  const { reference, state, dueOn, skipped } = request;
  const { references } = known;
  const history = known.events.map(presentEvent);
  const daysLeft = countDaysLeft(calendar, today, dueOn);
  return {
    facts: presentFacts(request, "person", { references, daysLeft }),
    road: roadOf(request, daysLeft),
    reference,
    state,
    due: { date: dueOn, skipped },
    /** Business days until the due date; negative after it. */
    daysLeft,
    /** Extensions and corrections; their explanations are empty after the erasure. */
    extensions: history.flatMap(({ what, from, to, note: explanation }) =>
      what === "extend" && from && to ? [{ from, to, explanation }] : [],
    ),
    why: explainState(request, history, today),
    /** Ends that we told the requester of but that were undone later, oldest first. */
    corrections: history.flatMap(({ what, at, note: explanation }) =>
      what === "undo" || what === "reopen" ? [{ at, explanation }] : [],
    ),
    canCancel: transition(request, { type: "cancel" }, { rules, by: { actor: "person" }, now }).ok,
    /** Content of the completion email: what happened to the data, and the proof of it. */
    receipt: request.state === "completed" ? completedNews(request, known.proof) : undefined,
  };
}

/** Explains the current hold, with its last day, or the refusal. */
function explainState(
  request: ConfirmedRequest,
  history: readonly HistoryLine[],
  today: Temporal.PlainDate,
) {
  const saidLast = (act: string) =>
    history.findLast(({ what, isTrial }) => what === act && !isTrial)?.note ?? "";
  if (request.state === "refused") {
    const { refusalReason: reason } = request;
    return { reason, until: undefined, explanation: saidLast("refuse") };
  }
  const hold = isWorking(request) ? request.hold : undefined;
  if (!hold || !isHeld(hold, today)) return undefined;
  const { reason, until } = hold;
  return { reason, until, explanation: saidLast("hold") };
}
