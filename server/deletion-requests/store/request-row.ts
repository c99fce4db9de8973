import { sql } from "kysely";
import { skippedFromText, skippedToText } from "../../calendar/business-days.ts";
import type { RowIn } from "../../database/rows.ts";
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
export function toRequest(row: RowIn<"requests">): StoredRequest {
  return parse("requests", row.id, () => {
    const { state, id, language, sent, receivedAt, enteredBy } = row;
    const common: Received = {
      ...{ id, language, sent, receivedAt, enteredBy },
      reference: need(row, "reference"),
      reason: oneOf(reasonCodes, row.reason),
      contact: row.contact || undefined,
    };
    if (state === "received") {
      return { ...common, state, email: need(row, "email"), expiresAt: need(row, "expiresAt") };
    }
    const confirmed: Confirmed = {
      ...common,
      confirmedAt: need(row, "confirmedAt"),
      confirmedOn: need(row, "confirmedOn"),
      dueOn: need(row, "dueOn"),
      skipped: skippedFromText(row.skipped ?? "[]"),
      firstDueOn: need(row, "firstDueOn"),
      onTimeBy: need(row, "onTimeBy"),
    };
    const { owner, startedAt, erasedAt } = row;
    const completion = row.completion === undefined ? undefined : toCompletion(row.completion);
    if (state === "confirmed" || state === "in-progress") {
      const done = row.doneAt && {
        at: row.doneAt,
        completion: toCompletion(need(row, "completion")),
      };
      const working = { ...confirmed, email: need(row, "email"), hold: toHold(row), owner, done };
      if (state === "confirmed") return { ...working, state };
      return { ...working, state, startedAt: need(row, "startedAt") };
    }
    const ended: Ended = {
      ...{ ...confirmed, startedAt, completion, erasedAt },
      email: row.email || undefined,
      endedAt: need(row, "endedAt"),
      endedBy: oneOf(actors, row.endedBy),
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusalReason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}

function toHold(row: RowIn<"requests">): Hold | undefined {
  if (!row.heldUntil) return undefined;
  return {
    reason: oneOf(holdReasons, row.heldReason),
    until: row.heldUntil,
    // A version that does not know who set a hold leaves it to a person.
    by: row.heldBy === "system" ? "system" : "operator",
  };
}

function toCompletion(text: string): Completion {
  const read = completionSchema.safeParse(JSON.parse(text));
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
  confirmedAt: ({ confirmedAt }) => confirmedAt,
  confirmedOn: ({ confirmedOn }) => confirmedOn,
  dueOn: ({ dueOn }) => dueOn,
  skipped: ({ skipped }) => skippedToText(skipped),
  firstDueOn: ({ firstDueOn }) => firstDueOn,
  onTimeBy: ({ onTimeBy }) => onTimeBy,
  startedAt: (one) => ("startedAt" in one ? one.startedAt : undefined),
  owner: ownerOf,
  doneAt: (one) => doneOf(one)?.at,
  completion: (one) => JSON.stringify(endOf(one)?.completion ?? doneOf(one)?.completion),
  heldReason: (one) => waitOf(one)?.reason,
  heldUntil: (one) => waitOf(one)?.until,
  heldBy: (one) => waitOf(one)?.by,
  endedAt: (one) => endOf(one)?.endedAt,
  endedBy: (one) => endOf(one)?.endedBy,
  refusalReason: (one) => (one.state === "refused" ? one.refusalReason : undefined),
} as const satisfies Partial<
  Record<keyof RowIn<"requests">, (request: ConfirmedRequest) => unknown>
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

export function need<Row, Name extends keyof Row & string>(row: Row, name: Name) {
  if (!row[name]) throw new Error(`${name} is missing`);
  return row[name];
}

export function oneOf<T extends string>(known: readonly T[], value: string | undefined): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error("a code is not known");
  return found;
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
