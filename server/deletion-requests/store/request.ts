import { type Calendar, dateAt, type SkippedDay } from "../../calendar/business-days.ts";
import type { Completion } from "../life/completion.ts";
import type { Actor, Holder, HoldReason, Life, RefusalReason } from "../life/life.ts";
import type { ReasonCode } from "../life/reasons.ts";

/** A request as it is stored: in one of its states, with what that state has. */

export type Received = {
  id: number;
  /** The one that was confirmed, until then the newest. */
  reference: string;
  /** Why, as that submission says. */
  reason: ReasonCode;
  /** In which its person is written to; empty for the campus's first. */
  language: string;
  /** How many forms belong to it. */
  sent: number;
  receivedAt: Temporal.Instant;
  /** Where mails go instead, because the mailbox is closed. Undefined where there is no such, and once erased. */
  contact: string | undefined;
  /** The operator who entered it for that person. */
  enteredBy: string | undefined;
};

/** Why a request waits, until the end of which day, and who keeps it waiting. */
export type Hold = { reason: HoldReason; until: Temporal.PlainDate; by: Holder };

export type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** The campus's date of the confirmation. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
  /** What was promised first. */
  firstDueOn: Temporal.PlainDate;
  /** The last date that was promised while the one before had not passed: by it the promise is judged. */
  onTimeBy: Temporal.PlainDate;
};

export type Ended = Confirmed & {
  /** Undefined once erased. */
  email: string | undefined;
  /** Undefined where nobody took it up. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  endedBy: Actor;
  /** What really happened to the data; undefined where nothing was deleted, or nobody wrote it down. */
  completion: Completion | undefined;
  erasedAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When it goes, if nobody confirms it. */
  expiresAt: Temporal.Instant;
};

/** Confirmed, with a promised date that is still to be kept. */
export type WorkingRequest = Confirmed & {
  email: string;
  hold: Hold | undefined;
  /** The operator who is at work on it. */
  owner: string | undefined;
  /** An operator said that it is done, which can still be taken back. */
  done: { at: Temporal.Instant; completion: Completion } | undefined;
} & ({ state: "confirmed" } | { state: "in-progress"; startedAt: Temporal.Instant });

export type EndedRequest = Ended &
  ({ state: "completed" | "cancelled" } | { state: "refused"; refusalReason: RefusalReason });

export type ConfirmedRequest = WorkingRequest | EndedRequest;
export type StoredRequest = ReceivedRequest | ConfirmedRequest;

export function isWorking(request: StoredRequest): request is WorkingRequest {
  return request.state === "confirmed" || request.state === "in-progress";
}

/** Why it waits, and until when; the day may have passed. */
export function waitOf(request: StoredRequest): Hold | undefined {
  return isWorking(request) ? request.hold : undefined;
}

/** The operator who is at work on it. */
export function ownerOf(request: StoredRequest): string | undefined {
  return isWorking(request) ? request.owner : undefined;
}

export function isEnded(request: StoredRequest): request is EndedRequest {
  return "endedAt" in request;
}

export function isConfirmed(request: StoredRequest): request is ConfirmedRequest {
  return request.state !== "received";
}

/** What the life of a request goes by. */
export function toLife({ calendar }: { calendar: Calendar }, request: StoredRequest): Life {
  const receivedOn = dateAt(calendar, request.receivedAt);
  if (request.state === "received") {
    const { state, expiresAt, enteredBy } = request;
    return { state, expiresAt, enteredBy };
  }
  const { dueOn } = request;
  if (isEnded(request)) {
    const { state, email, endedBy } = request;
    return { state, receivedOn, dueOn, erased: !email, byPerson: endedBy === "person" };
  }
  const { state, hold, owner, done } = request;
  const [heldUntil, heldBy] = [hold?.until, hold?.by];
  return { state, receivedOn, dueOn, heldUntil, heldBy, owner, done: done !== undefined };
}
