import { type Selectable, sql } from "kysely";
import { skippedFromText, skippedToText } from "../../calendar/business-days.ts";
import type { Tables } from "../../database/schema.ts";
import { toInstant } from "../../database/time.ts";
import { type Completion, completionSchema } from "../life/completion.ts";
import {
  actors,
  type Confirmed,
  type ConfirmedRequest,
  type Ended,
  type Hold,
  holdReasons,
  isEnded,
  isWorking,
  openStates,
  ownerOf,
  type Received,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
  waitOf,
} from "../life/request.ts";

/** Throws where a row has not what its state must have: nothing is guessed and no date invented. */
export function toRequest(row: Selectable<Tables["requests"]>): StoredRequest {
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

function toHold(row: Selectable<Tables["requests"]>): Hold | undefined {
  if (row.held_until === null) return undefined;
  return {
    reason: oneOf(holdReasons, row.held_reason),
    until: needDate(row.held_until),
    // A version that does not know who set a hold leaves it to a person.
    by: row.held_by === "system" ? "system" : "operator",
  };
}

function needCompletion(value: string | null): Completion {
  const read = completionSchema.safeParse(JSON.parse(text(value)));
  if (!read.success) throw new Error("what happened to the data is not known");
  return read.data;
}

const endOf = (request: ConfirmedRequest) => (isEnded(request) ? request : undefined);
const doneOf = (request: ConfirmedRequest) => (isWorking(request) ? request.done : undefined);

/** The inverse of `toRequest`: what acts change in the row of a request, by its columns. */
export const lifeColumns = {
  state: ({ state }) => state,
  reference: ({ reference }) => reference,
  reason: ({ reason }) => reason,
  confirmed_at: ({ confirmedAt }) => confirmedAt,
  confirmed_on: ({ confirmedOn }) => confirmedOn,
  due_on: ({ dueOn }) => dueOn,
  skipped: ({ skipped }) => skippedToText(skipped),
  first_due_on: ({ firstDueOn }) => firstDueOn,
  on_time_by: ({ onTimeBy }) => onTimeBy,
  started_at: (one) => ("startedAt" in one ? one.startedAt : undefined),
  owner: ownerOf,
  done_at: (one) => doneOf(one)?.at,
  completion: (one) => JSON.stringify(endOf(one)?.completion ?? doneOf(one)?.completion),
  held_reason: (one) => waitOf(one)?.reason,
  held_until: (one) => waitOf(one)?.until,
  held_by: (one) => waitOf(one)?.by,
  ended_at: (one) => endOf(one)?.endedAt,
  ended_by: (one) => endOf(one)?.endedBy,
  refusal_reason: (one) => (one.state === "refused" ? one.refusalReason : undefined),
} as const satisfies Partial<
  Record<keyof Tables["requests"], (request: ConfirmedRequest) => unknown>
>;

/** What comes out of a row is parsed, not believed. Says which row it was; the row itself may name a person. */
export function parse<T>(table: string, id: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new Error(`Row ${id} of ${table} cannot be understood: ${reason}`);
  }
}

export function text(value: string | null): string {
  if (!value) throw new Error("a text is missing");
  return value;
}

export function oneOf<T extends string>(known: readonly T[], value: string | null): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error("a code is not known");
  return found;
}

export function needInstant(value: string | null): Temporal.Instant {
  const instant = toInstant(value);
  if (!instant) throw new Error("an instant is missing");
  return instant;
}

export function needDate(value: string | null): Temporal.PlainDate {
  const date = toDate(value);
  if (!date) throw new Error("a date is missing");
  return date;
}

export function toDate(value: string | null): Temporal.PlainDate | undefined {
  return value === null ? undefined : Temporal.PlainDate.from(value);
}

export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}

/** States as statements name them: a partial index answers only where the query says its condition with the same literals. */

export const openNames = openStates.map((state) => sql.lit(state));

/** Of those with a promised date. */
export const workingNames = openStates
  .filter((state) => state !== "received")
  .map((state) => sql.lit(state));
