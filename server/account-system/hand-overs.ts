import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { findLastRestore } from "../database/restore-hold.ts";
import type { Tables } from "../database/schema.ts";
import {
  type At,
  type Day,
  inserting,
  type Read,
  reading,
  updating,
  type Write,
  writing,
} from "../database/statement.ts";
import { toInstant } from "../database/time.ts";

/** The SQL of what was handed to the account system, and of what is known of it as a whole. */

export const handOverStates = [
  /** Told of, and not answered yet. */
  "asked",
  /** Its start was accepted: the account system is at work. */
  "started",
  "blocked",
  "failed",
  /** Deleted, as the account system said, although an operator keeps it waiting: a person has to look. */
  "deleted-held",
  /** Deleted, as the account system said. */
  "done",
  /** Over in another way: cancelled, refused, or done by hand. */
  "closed",
] as const;

export type HandOverState = (typeof handOverStates)[number];

const openStates = [sql.lit("asked"), sql.lit("started"), sql.lit("blocked"), sql.lit("failed")];

export type HandOver = {
  id: number;
  requestId: number;
  publicId: string;
  test: boolean;
  state: HandOverState;
  askedAt: Temporal.Instant;
  /** When its last answer was accepted. */
  answeredAt: Temporal.Instant | undefined;
  /** Its start was accepted: from then on it is the account system's. */
  isBegun: boolean;
  /** The due date of which the account system was reminded. */
  remindedFor: string | undefined;
  /** Opaque; undefined unless the account system said it. */
  accountId: string | undefined;
  /** Undefined unless a recheck waits for its answer. */
  recheckedAt: Temporal.Instant | undefined;
};

/** A new one, with a name of its own for both systems. */
export function addHandOver(
  transaction: Write,
  of: { requestId: number; test: boolean; now: Temporal.Instant },
): Promise<HandOver> {
  const publicId = `del_${randomBytes(15).toString("base64url")}`;
  return insertHandOver(transaction, {
    ...{ request_id: of.requestId, public_id: publicId, test: of.test, state: "asked" },
    ...{ asked_at: of.now, waiting_since: of.now },
  });
}

export const findHandOver = reading(
  (tables, { publicId }: { publicId: string }) =>
    tables.selectFrom("hand_overs").selectAll().where("public_id", "=", publicId),
  ([row]) => row && toHandOver(row),
);

/** The newest of a request. */
export const findHandOverOf = reading(
  (tables, { requestId }: { requestId: number }) =>
    tables
      .selectFrom("hand_overs")
      .selectAll()
      .where("request_id", "=", requestId)
      .orderBy("id", "desc")
      .limit(1),
  ([row]) => row && toHandOver(row),
);

/** It is told of once more, and its answer waited for. */
export async function enterAsked(
  transaction: Write,
  { id, isBegun }: Pick<HandOver, "id" | "isBegun">,
  now: Temporal.Instant,
): Promise<void> {
  // What was begun stays begun.
  await askAgain(transaction, { id, state: isBegun ? "started" : "asked", now });
}

const askAgain = writing((tables, to: { id: number; state: HandOverState; now: At }) =>
  tables
    .updateTable("hand_overs")
    .set({
      state: to.state,
      asked_at: to.now,
      again_at: null,
      waiting_since: sql<string>`coalesce(waiting_since, ${to.now})`,
    })
    .where("id", "=", to.id),
);

/** Nothing is asked, and no answer waited for: an operator keeps it waiting or has it in hand, or it is over. */
export const stopAsking = writing(
  (tables, { id, state }: { id: number; state: "blocked" | "closed" }) =>
    tables
      .updateTable("hand_overs")
      .set({ state, again_at: null, waiting_since: null })
      .where("id", "=", id),
);

/** @param answer.againAt when to ask once more, where the account system wants that */
export async function enterAnswer(
  transaction: Write,
  answer: Pick<HandOver, "id" | "state" | "accountId"> & {
    at: Temporal.Instant;
    againAt: Temporal.Instant | undefined;
  },
): Promise<void> {
  const begunAt = answer.state === "started" ? answer.at : undefined;
  await answered(transaction, { ...answer, begunAt });
}

const answered = writing(
  (
    tables,
    to: {
      id: number;
      state: HandOverState;
      at: At;
      begunAt: At | null;
      againAt: At | null;
      accountId: string | null;
    },
  ) =>
    tables
      .updateTable("hand_overs")
      .set({
        state: to.state,
        answered_at: to.at,
        again_at: to.againAt,
        begun_at: sql<string | null>`coalesce(begun_at, ${to.begunAt})`,
        account_id: to.accountId,
        rechecked_at: null,
        waiting_since: null,
      })
      .where("id", "=", to.id),
);

export const enterReminder = updating("hand_overs", ["reminded_for"]);

export const enterRecheck = writing((tables, { id, now }: { id: number; now: At }) =>
  tables
    .updateTable("hand_overs")
    .set({
      rechecked_at: sql<string>`coalesce(rechecked_at, ${now})`,
      asked_at: now,
      waiting_since: sql<string>`coalesce(waiting_since, ${now})`,
    })
    .where("id", "=", id),
);

/** Those that were asked about after accounts were restored, last before an instant, and have not answered. */
export const listRechecked = reading(
  (tables, { since, limit }: { since: At; limit: number }) =>
    tables
      .selectFrom("hand_overs")
      .selectAll()
      .where("state", "=", "done")
      .where("rechecked_at", "is not", null)
      .where("asked_at", "<=", since)
      .orderBy("asked_at")
      .limit(limit),
  (rows) => rows.map(toHandOver),
);

/** Those that were last asked for before an instant and are not done, asked longest ago first. */
export const listSilent = reading(
  (tables, { since, limit }: { since: At; limit: number }) =>
    tables
      .selectFrom("hand_overs")
      .selectAll()
      .where("state", "in", [sql.lit("asked"), sql.lit("started")])
      .where("asked_at", "<=", since)
      .where((where) =>
        where.or([where("standing_at", "is", null), where("standing_at", "<=", since)]),
      )
      .orderBy("asked_at")
      .limit(limit),
  (rows) => rows.map(toHandOver),
);

/** Whether a copy was put back since anything was heard or asked of it: what became of it meanwhile is not known here. */
export async function isDoubted(database: Read, handOver: HandOver): Promise<boolean> {
  const restore = await findLastRestore(database);
  if (!restore || handOver.test) return false;
  const isBefore = (at: Temporal.Instant | undefined) =>
    at === undefined || Temporal.Instant.compare(at, restore.at) <= 0;
  return isBefore(handOver.askedAt) && isBefore(handOver.answeredAt);
}

/** Those open ones that are doubted since a copy was put back, and were not asked about since another instant. */
export const listDoubted = reading(
  (tables, to: { restoredAt: At; since: At; limit: number }) =>
    tables
      .selectFrom("hand_overs")
      .selectAll()
      .where("state", "in", openStates)
      .where("asked_at", "<=", to.restoredAt)
      .where("test", "=", 0)
      .where((where) =>
        where.or([where("answered_at", "is", null), where("answered_at", "<=", to.restoredAt)]),
      )
      .where((where) =>
        where.or([where("standing_at", "is", null), where("standing_at", "<=", to.since)]),
      )
      .limit(to.limit),
  (rows) => rows.map(toHandOver),
);

/** It is asked what it knows, and its answer waited for. */
export const enterStanding = writing((tables, to: { id: number; now: At }) =>
  tables
    .updateTable("hand_overs")
    .set({
      standing_at: to.now,
      waiting_since: sql<string>`coalesce(waiting_since, ${to.now})`,
    })
    .where("id", "=", to.id),
);

/** Those that failed and are to be told of once more by now. */
export const listAgain = reading(
  (tables, { now, limit }: { now: At; limit: number }) =>
    tables
      .selectFrom("hand_overs")
      .selectAll()
      .where("again_at", "is not", null)
      .where("again_at", "<=", now)
      .orderBy("again_at")
      .limit(limit),
  (rows) => rows.map(toHandOver),
);

/** How many were asked about after accounts were restored, and wait for their answer. */
export const countRechecked = reading(
  (tables) =>
    tables
      .selectFrom("hand_overs")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("state", "=", "done")
      .where("rechecked_at", "is not", null),
  ([row]) => Number(row?.count),
);

/** The hand-over whose answer is waited for longest. */
export const findLongestWaiting = reading(
  (tables) =>
    tables
      .selectFrom("hand_overs")
      .select(["waiting_since", "request_id", "public_id"])
      .where("waiting_since", "is not", null)
      .where("test", "=", 0)
      .orderBy("waiting_since")
      .orderBy("id")
      .limit(1),
  ([row]) => {
    if (!row?.waiting_since) return undefined;
    const { waiting_since: since, request_id: requestId, public_id: publicId } = row;
    return { since: toInstant(since), requestId, publicId };
  },
);

/** How many requests the account system was told of and has not finished. */
export const countOpen = reading(
  (tables) =>
    tables
      .selectFrom("hand_overs")
      .select((select) => [
        "state",
        select.fn.countAll<number>().as("count"),
        select.fn.min<string>("asked_at").as("since"),
      ])
      .where("state", "in", openStates)
      .groupBy("state"),
  (rows) =>
    rows.map((row) => ({
      state: row.state,
      count: Number(row.count),
      since: toInstant(row.since),
    })),
);

// Counts

const countsPrefix = "account-system:";

/** How often what happened between the two systems in a month, by name. */
export const readCounts = reading(
  (tables, { month }: { month: string }) =>
    tables
      .selectFrom("tallies")
      .select(["name", "count"])
      .where("month", "=", month)
      .orderBy("name"),
  (rows): [string, number][] =>
    rows
      .filter(({ name }) => name.startsWith(countsPrefix))
      .map(({ name, count }) => [name.slice(countsPrefix.length), Number(count)]),
);

// Calls

/** False when a call of this name was accepted before. */
export async function enterCall(
  transaction: Write,
  callId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const isNew = (await insertCall(transaction, { callId, now })) > 0;
  if (isNew) await heard(transaction, { now });
  return isNew;
}

const heard = writing((tables, { now }: { now: At }) =>
  tables.updateTable("account_system").set({ answered_at: now }),
);

const insertCall = writing((tables, { callId, now }: { callId: string; now: At }) =>
  tables
    .insertInto("account_calls")
    .values({ call_id: callId, at: now })
    .onConflict((conflict) => conflict.column("call_id").doNothing()),
);

export const wasHeard = reading(
  (tables, { callId }: { callId: string }) =>
    tables.selectFrom("account_calls").select("call_id").where("call_id", "=", callId),
  ([row]) => row !== undefined,
);

export const dropOldCalls = writing((tables, { before }: { before: At }) =>
  tables.deleteFrom("account_calls").where("at", "<=", before),
);

// The account system as a whole

export const findStanding = reading(
  (tables) => tables.selectFrom("account_system").selectAll(),
  ([row]) => ({
    stoppedAt: toInstant(row?.stopped_at ?? null),
    /** When its last call was accepted. */
    answeredAt: toInstant(row?.answered_at ?? null),
    reconciledOn: row?.reconciled_on ?? undefined,
  }),
);

/** Nothing is sent to it from then on; without an instant it goes on. */
export const enterStop = writing((tables, { at }: { at: At | null }) =>
  tables.updateTable("account_system").set({ stopped_at: at }),
);

export const enterReconciled = writing((tables, { on }: { on: Day }) =>
  tables.updateTable("account_system").set({ reconciled_on: on }),
);

function toHandOver(row: Selectable<Tables["hand_overs"]>): HandOver {
  const state = handOverStates.find((known) => known === row.state);
  if (!state) throw new Error(`Row ${row.id} of hand_overs has no known state`);
  return {
    id: row.id,
    requestId: row.request_id,
    publicId: row.public_id,
    test: row.test === 1,
    state,
    askedAt: toInstant(row.asked_at),
    answeredAt: toInstant(row.answered_at),
    isBegun: row.begun_at !== null,
    remindedFor: row.reminded_for ?? undefined,
    accountId: row.account_id ?? undefined,
    recheckedAt: toInstant(row.rechecked_at),
  };
}

const insertHandOver = inserting(
  "hand_overs",
  ["request_id", "public_id", "test", "state", "asked_at", "waiting_since"],
  toHandOver,
);
