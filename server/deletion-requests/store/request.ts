import type { Selectable } from "kysely";
import { type SkippedDay, skippedFromText } from "../../calendar/business-days.ts";
import type { RequestsTable } from "../../database/schema.ts";
import { toInstant } from "../../database/time.ts";
import { type RefusalReason, refusalReasons } from "../life.ts";
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
  /** How many forms belong to it. */
  sent: number;
  receivedAt: Temporal.Instant;
};

type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** The campus's date of the confirmation. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
};

type Ended = Confirmed & {
  /** Undefined once erased. */
  email: string | undefined;
  /** Undefined where nobody took it up. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  erasedAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When it goes, if nobody confirms it. */
  expiresAt: Temporal.Instant;
};

/** Confirmed, with a promised date that is still to be kept. */
export type WorkingRequest = Confirmed & { email: string } & (
    | { state: "confirmed" }
    | { state: "in-progress"; startedAt: Temporal.Instant }
  );

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

/** Throws where a row has not what its state must have: nothing is guessed and no date invented. */
export function toRequest(row: Selectable<RequestsTable>): StoredRequest {
  return parse("requests", row.id, () => {
    const common: Received = {
      id: row.id,
      reference: text(row.reference),
      reason: oneOf(reasonCodes, row.reason),
      sent: row.sent,
      receivedAt: toInstant(row.received_at),
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
    };
    const { state } = row;
    if (state === "confirmed") return { ...confirmed, state, email: text(row.email) };
    if (state === "in-progress") {
      const startedAt = needInstant(row.started_at);
      return { ...confirmed, state, email: text(row.email), startedAt };
    }
    const ended: Ended = {
      ...confirmed,
      email: row.email || undefined,
      startedAt: toInstant(row.started_at),
      endedAt: needInstant(row.ended_at),
      erasedAt: toInstant(row.erased_at),
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusal_reason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}
