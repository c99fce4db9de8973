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
 * View model of a request: its facts, progress steps and history, in display order. The requester's
 * page, the operator page, emails, the command line and the data export each select from it and add
 * their own layout and text. An email shows the facts as of when it was queued.
 */

/**
 * Audience of a request. Pages for the requester mask the email address to hide it from bystanders.
 * Pages for the team show the full address so that operators can compare it with the account's.
 */
export type Reader = "person" | "team";

/**
 * A fact has exactly one kind of value, except a masked email address, which has both `text` and
 * `masked`. `days` is a number of business days.
 */
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

/**
 * The known fields of a request. A stored request has all fields of its state. An email has fewer.
 */
type KnownRequest = Partial<Omit<InAnyState, "hold">> & {
  hold?: Partial<Hold> | undefined;
  /** The due date before it was last moved. */
  previouslyDueOn?: Temporal.PlainDate | undefined;
};

/**
 * Returns all facts in a fixed order. Layouts select from them.
 * @param more.references references of all submissions
 * @param more.daysLeft business days until the due date; negative once it has passed
 */
export function presentFacts(
  request: KnownRequest,
  reader: Reader,
  more: { references?: readonly string[]; daysLeft?: number | undefined } = {},
) {
  const { reference, hold } = request;
  // A request that ended unconfirmed has no due date.
  const isPromised = !(request.endedAt && request.approvableAt);
  const otherReferences = more.references?.filter((candidate) => candidate !== reference) ?? [];
  const address = (email: string) =>
    reader === "team" ? { text: email } : { text: maskEmail(email).text, masked: maskEmail(email) };
  const on = (day: Temporal.PlainDate | undefined) => day && { on: day };
  const at = (moment: Temporal.Instant | undefined) => moment && { at: moment };
  const of = <Code extends string>(code?: Code) => (code === undefined ? undefined : { code });
  return {
    reference: reference === undefined ? undefined : { text: reference },
    references: otherReferences.length > 0 ? { text: otherReferences.join(", ") } : undefined,
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

/** A progress step. Past steps have an instant, and future steps say when they will be reached. */
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
 * Lists the past, current and future progress steps.
 * @param at when each past step was reached, if known
 * @param next expiry of the confirmation link, and the due date
 */
export function presentTimeline(
  state: State,
  at: Partial<Record<State, Temporal.Instant | undefined>> = {},
  next: {
    confirmUntil?: Temporal.Instant | undefined;
    dueOn?: Temporal.PlainDate | undefined;
    isLate?: boolean;
    /** Whether the request ended unconfirmed. */
    isUnconfirmed?: boolean;
  } = {},
): TimelineStep[] {
  const wasStarted = state === "in-progress" || state === "completed" || at["in-progress"];
  const reached: State[] = [
    "received",
    ...(state === "received" || next.isUnconfirmed ? [] : (["confirmed"] as const)),
    ...(wasStarted ? (["in-progress"] as const) : []),
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

/** Returns when a completion becomes final: at the end of its undo period. */
export function finalAt(doneAt: Temporal.Instant): Temporal.Instant {
  return doneAt.add({ minutes: undoMinutes });
}

/** Acts that the account system's reports would have caused outside of a dry run. */
const trialActs: Partial<Record<string, string>> = {
  started: "take",
  "not-found": "refuse",
  blocked: "hold",
  standing: "received",
};

const byTime = ["expire", "erase", "late"];

export type HistoryLine = ReturnType<typeof presentEvent>;

/**
 * Converts an event in a request's or the team's history to a history line. `who` also
 * distinguishes the clock from the account system.
 */
export function presentEvent(
  event: Pick<EventRecord, "at" | "name" | "type"> &
    Partial<EventRecord> & { about?: EventSubject },
) {
  const { at, actor = "operator", name, type, code = "", places = [], note = "", about } = event;
  // After an operator has marked a request done, the clock makes the completion final.
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
    name,
    /** The stored act, or `completed` for the event that made a completion final. */
    what: isFinal ? "completed" : isTrial ? (trialActs[code] ?? code) : type,
    /**
     * Whether the line is a report in a dry run. If so, `what` is the act that the report would
     * have caused.
     */
    isTrial,
    /** A code whose meaning depends on the act. */
    reason: code,
    /** Locations that were checked in this act. */
    places,
    /** Subject of an act that isn't about a request. */
    about,
    /** `until` is the last day of a hold. `from` and `to` are the previous and the new due date. */
    until: isWait ? event.dueTo : undefined,
    from: isWait ? undefined : event.dueFrom,
    to: isWait ? undefined : event.dueTo,
  };
}

export type RequestStatus = ReturnType<typeof presentStatus>;

/**
 * Builds the view model of the requester's page for a confirmed request.
 * @param known stored data outside the request's row
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
    /** Business days until the due date; negative once it has passed. */
    daysLeft,
    /** Changes of the due date. Their explanations are empty after the erasure. */
    extensions: history.flatMap(({ what, from, to, note: explanation }) =>
      what === "extend" && from && to ? [{ from, to, explanation }] : [],
    ),
    why: explainState(request, history, today),
    /** Outcomes that were undone after the requester was notified, oldest first. */
    corrections: history.flatMap(({ what, at, note: explanation }) =>
      what === "undo" || what === "reopen" ? [{ at, explanation }] : [],
    ),
    canCancel: transition(request, { type: "cancel" }, { rules, by: { actor: "person" }, now }).ok,
    /** Content of the completion email: what happened to the data, and the proof. */
    receipt: request.state === "completed" ? completedNews(request, known.proof) : undefined,
  };
}

/** Returns the reason for the refusal or the current hold. */
function explainState(
  request: ConfirmedRequest,
  history: readonly HistoryLine[],
  today: Temporal.PlainDate,
) {
  const lastNoteOf = (act: string) =>
    history.findLast(({ what, isTrial }) => what === act && !isTrial)?.note ?? "";
  if (request.state === "refused") {
    const { refusalReason: reason } = request;
    return { reason, until: undefined, explanation: lastNoteOf("refuse") };
  }
  const hold = isWorking(request) ? request.hold : undefined;
  if (!hold || !isHeld(hold, today)) return undefined;
  const { reason, until } = hold;
  return { reason, until, explanation: lastNoteOf("hold") };
}
