import type { Selectable } from "kysely";
import { type SkippedDay, skippedFromText } from "../../calendar/business-days.ts";
import type { RequestsTable } from "../../database/schema.ts";
import { toInstant } from "../../database/time.ts";
import { type Completion, completionSchema } from "../completion.ts";
import {
  type Actor,
  actors,
  type HoldReason,
  holdReasons,
  type RefusalReason,
  refusalReasons,
} from "../life.ts";
import { type ReasonCode, reasonCodes } from "../reasons.ts";
import { needDate, needInstant, oneOf, parse, text } from "./rows.ts";

/**
 * A request as its row tells it: in one of its states, with what that state has. Nothing is guessed and no date
 * invented.
 */

type Received = {
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

/** Why a request waits, and until the end of which day. */
export type Hold = { reason: HoldReason; until: Temporal.PlainDate };

type Confirmed = Received & {
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

type Ended = Confirmed & {
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

export function isEnded(request: StoredRequest): request is EndedRequest {
  return "endedAt" in request;
}

export function isConfirmed(request: StoredRequest): request is ConfirmedRequest {
  return request.state !== "received";
}

/** Throws where a row has not what its state must have: nothing is guessed and no date invented. */
export function toRequest(row: Selectable<RequestsTable>): StoredRequest {
  return parse("requests", row.id, () => {
    const common: Received = {
      id: row.id,
      reference: text(row.reference),
      reason: oneOf(reasonCodes, row.reason),
      language: row.language,
      sent: row.sent,
      receivedAt: toInstant(row.received_at),
      contact: row.contact || undefined,
      enteredBy: row.entered_by ?? undefined,
    };
    if (row.state === "received") {
      const { state } = row;
      return { ...common, state, email: text(row.email), expiresAt: needInstant(row.expires_at) };
    }
    const confirmed: Confirmed = {
      ...common,
      confirmedAt: needInstant(row.confirmed_at),
      confirmedOn: needDate(row.confirmed_on),
      dueOn: needDate(row.due_on),
      skipped: skippedFromText(row.skipped ?? "[]"),
      firstDueOn: needDate(row.first_due_on),
      onTimeBy: needDate(row.on_time_by),
    };
    const { state } = row;
    if (state === "confirmed" || state === "in-progress") {
      const working = {
        ...confirmed,
        email: text(row.email),
        hold: toHold(row),
        owner: row.owner ?? undefined,
        done: row.done_at
          ? { at: toInstant(row.done_at), completion: needCompletion(row.completion) }
          : undefined,
      };
      if (state === "confirmed") return { ...working, state };
      return { ...working, state, startedAt: needInstant(row.started_at) };
    }
    const ended: Ended = {
      ...confirmed,
      email: row.email || undefined,
      startedAt: toInstant(row.started_at),
      endedAt: needInstant(row.ended_at),
      endedBy: oneOf(actors, row.ended_by),
      completion: row.completion === null ? undefined : needCompletion(row.completion),
      erasedAt: toInstant(row.erased_at),
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusal_reason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}

function toHold(row: Selectable<RequestsTable>): Hold | undefined {
  if (row.held_until === null) return undefined;
  return { reason: oneOf(holdReasons, row.held_reason), until: needDate(row.held_until) };
}

function needCompletion(value: string | null): Completion {
  const read = completionSchema.safeParse(JSON.parse(text(value)));
  if (!read.success) throw new Error("what happened to the data is not known");
  return read.data;
}
