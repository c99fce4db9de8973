import { type MaskedEmail, maskEmail } from "../../addresses/email-address.ts";
import { countDaysLeft, dateAt } from "../../calendar/business-days.ts";
import { undoMinutes } from "../../terms.ts";
import type { Proof } from "../ledger/proof.ts";
import { decide, isHeld, type Rules } from "../life/life.ts";
import {
  type ConfirmedRequest,
  endedUnconfirmed,
  fieldsOf,
  type Hold,
  type InAnyState,
  isWorking,
  type State,
} from "../life/request.ts";
import type { About, EventRecord } from "../store/audit-log.ts";
import type { Message, PersonNews } from "./messages.ts";
import { completedNews } from "./receipt.ts";

/**
 * A request told once, as data in its order: facts, the stops of its road, and what happened to it. The person's page, the
 * operators' page, mails, the command line's table and the file of all that is held are layouts of this: they have words, and
 * choose what there is room for. A mail tells what its message says, which was so when it was owed.
 */

/** Who reads it. A person's own address is hidden from whoever may stand beside them; the team has to compare it. */
export type Reader = "person" | "team";

/** What is known of a request: words, the key of words, a day, a moment, or a number of business days. */
export type Fact = {
  text?: string;
  masked?: MaskedEmail;
  code?: string;
  on?: Temporal.PlainDate;
  at?: Temporal.Instant;
  days?: number;
};

export type FactName = keyof ReturnType<typeof tellFacts>;

export type KnownFacts = { [Name in FactName]?: Fact | undefined };

/** A request as far as it is known: all that is stored of one has its state, a mail less. */
type Known = Partial<Omit<InAnyState, "hold">> & {
  hold?: Partial<Hold> | undefined;
  /** What was promised before. */
  previouslyDueOn?: Temporal.PlainDate | undefined;
};

/**
 * Every fact that there is, in one order; a layout picks those it has room for.
 * @param more.references of its other forms
 * @param more.daysLeft until the promised date, negative once it has passed
 */
export function tellFacts(
  request: Known,
  reader: Reader,
  more: { references?: readonly string[]; daysLeft?: number | undefined } = {},
) {
  const { reference, hold } = request;
  // What ended unconfirmed was promised nothing.
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

// The road

/** A stop of the road that a request travels, and when it was there; of one ahead what is said of it. */
export type Stop = {
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
 * The stops of the road to the last one: those that were reached, of which the last is where the request is, and those ahead.
 * @param at when each was reached, as far as it is known and told
 * @param next until when it waits to be confirmed; the promised day, and whether it has passed
 */
export function tellRoad(
  state: State,
  at: Partial<Record<State, Temporal.Instant | undefined>> = {},
  next: {
    confirmUntil?: Temporal.Instant | undefined;
    dueOn?: Temporal.PlainDate | undefined;
    isLate?: boolean;
    /** It ended before anyone confirmed it. */
    isUnconfirmed?: boolean;
  } = {},
): Stop[] {
  const isBegun = state === "in-progress" || state === "completed" || at["in-progress"];
  const reached: State[] = [
    "received",
    ...(state === "received" || next.isUnconfirmed ? [] : (["confirmed"] as const)),
    ...(isBegun ? (["in-progress"] as const) : []),
    ...ends.filter((end) => end === state),
  ];
  const { confirmUntil, dueOn, isLate } = next;
  const ahead: Stop[] = [
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
    ...reached.map((name, index): Stop => {
      const phase = index === reached.length - 1 ? "here" : "passed";
      return { name, phase, at: at[name] };
    }),
    ...ahead.filter(({ name }) => !isOver && !reached.includes(name)),
  ];
}

/** The road of a stored request, each stop with its moment. */
function roadOf(request: ConfirmedRequest, daysLeft: number): Stop[] {
  const { state, startedAt, endedAt, dueOn, ...known } = fieldsOf(request);
  const at = {
    ...{ received: known.receivedAt, confirmed: known.confirmedAt, "in-progress": startedAt },
    ...(endedAt && { [state]: endedAt }),
  };
  return tellRoad(state, at, {
    dueOn,
    isLate: daysLeft < 0,
    isUnconfirmed: endedUnconfirmed(request),
  });
}

/** Until then what somebody called done can be taken back; then it is completed. */
export function finalAt(doneAt: Temporal.Instant): Temporal.Instant {
  return doneAt.add({ minutes: undoMinutes });
}

// What a mail tells

/** The mails that tell the end of a request, by their kinds, and in which state that leaves it. */
export const stateTold: Readonly<Partial<Record<string, State>>> = {
  completed: "completed",
  cancelled: "cancelled",
  "cancelled-for-you": "cancelled",
  stopped: "cancelled",
  faded: "refused",
  refused: "refused",
} satisfies Partial<Record<PersonNews["kind"], State>>;

/** The mails that know how far the request is, and how far that is. */
const stateKnown: typeof stateTold = {
  ...stateTold,
  confirm: "received",
  confirmed: "confirmed",
  reopened: "confirmed",
  "in-progress": "in-progress",
  "ask-proof": "received",
};

/** The facts of a message, which were so when it was owed, and the road as far as its mail knows it; else that is empty. */
export function tellMessage(message: Message): { facts: KnownFacts; road: Stop[] } {
  const { kind, moved, state, daysLeft, ...said } = fieldsOf(message);
  const on = (day = "") => (day ? Temporal.PlainDate.from(day) : undefined);
  const at = (moment = "") => (moment ? Temporal.Instant.from(moment) : undefined);
  const known = {
    reference: said.reference,
    receivedAt: at(said.receivedAt),
    expiresAt: at(said.validUntil),
    confirmedAt: at(said.confirmedAt),
    hold: { until: on(said.until) },
    previouslyDueOn: on(said.previouslyDueOn ?? moved?.previouslyDueOn),
    dueOn: on(said.dueOn),
    endedAt: at(said.completedAt),
  };
  const { receivedAt: received, confirmedAt: confirmed, endedAt: completed } = known;
  const reached = kind === "reminder" || kind === "restored" ? state : stateKnown[kind];
  const next = {
    confirmUntil: known.expiresAt,
    dueOn: known.dueOn,
    isLate: said.late,
    isUnconfirmed: said.neverConfirmed,
  };
  return {
    // Of one that is late its state is told in a sentence.
    facts: tellFacts({ ...known, ...(kind !== "late" && { state }) }, "person", { daysLeft }),
    road: reached ? tellRoad(reached, completed && { received, confirmed, completed }, next) : [],
  };
}

// What happened

/** What the account system says in a dry run, as the acts that would have come of it. */
const trialActs: Partial<Record<string, string>> = {
  started: "take",
  "not-found": "refuse",
  blocked: "hold",
  standing: "received",
};

const byTime = ["expire", "erase", "late"];

export type HistoryLine = ReturnType<typeof tellHistory>;

/** A line of a history, of one request or of the team. What no person did, the clock did or the account system. */
export function tellHistory(
  event: Pick<EventRecord, "at" | "name" | "type"> & Partial<EventRecord> & { about?: About },
) {
  const { at, actor = "operator", name, type, code = "", places = [], note = "", about } = event;
  // Whoever called it done, the clock completes it.
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
    /** Of the operator. */
    name,
    /** As the trail names it; `completed` where what was called done has become final. */
    what: isFinal ? "completed" : isTrial ? (trialActs[code] ?? code) : type,
    /** Whether it is what would have come of what the account system said in a dry run. */
    isTrial,
    /** The key of its reason; each act has reasons of its own. */
    reason: code,
    /** Places that were gone through. */
    places,
    /** Of what concerns no request. */
    about,
    /** The last day of waiting, or what was promised before and what is now. */
    until: isWait ? event.dueTo : undefined,
    from: isWait ? undefined : event.dueFrom,
    to: isWait ? undefined : event.dueTo,
  };
}

/** What a person's page tells of a confirmed request. */
export type Status = ReturnType<typeof tellStatus>;

/** @param known what else is stored of it: its references, its trail, its place in the ledger */
export function tellStatus(
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
  const history = known.events.map(tellHistory);
  const daysLeft = countDaysLeft(calendar, today, dueOn);
  return {
    facts: tellFacts(request, "person", { references, daysLeft }),
    road: roadOf(request, daysLeft),
    reference,
    state,
    due: { date: dueOn, skipped },
    /** Business days until the due date, negative when it has passed. */
    daysLeft,
    /** Their explanations, like those of corrections, are empty once erased. */
    extensions: history.flatMap(({ what, from, to, note: explanation }) =>
      what === "extend" && from && to ? [{ from, to, explanation }] : [],
    ),
    why: tellWhy(request, history, today),
    /** Ends that were taken back after the person had been told of them, oldest first. */
    corrections: history.flatMap(({ what, at, note: explanation }) =>
      what === "undo" || what === "reopen" ? [{ at, explanation }] : [],
    ),
    canCancel: decide(rules, request, { type: "cancel" }, { actor: "person" }, now).ok,
    /** What its mail told once it was completed: what really happened to the data, and the proof of it. */
    receipt: request.state === "completed" ? completedNews(request, known.proof) : undefined,
  };
}

/** Why it waits at present, until the end of which day; or why it was refused. */
function tellWhy(
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
