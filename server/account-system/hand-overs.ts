import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { findLastRestore } from "../database/restore-hold.ts";
import type { Tables } from "../database/schema.ts";
import { type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";

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

export async function addHandOver(
  transaction: Write,
  requestId: number,
  test: boolean,
  now: Temporal.Instant,
): Promise<HandOver> {
  const publicId = `del_${randomBytes(15).toString("base64url")}`;
  const row = await transaction.one(insertHandOver, {
    requestId,
    publicId,
    test: test ? 1 : 0,
    now: toText(now),
  });
  if (!row) throw new Error("A hand-over was not stored");
  return toHandOver(row);
}

const insertHandOver = writing(
  (tables, to: { requestId: number; publicId: string; test: number; now: string }) =>
    tables
      .insertInto("hand_overs")
      .values({
        request_id: to.requestId,
        public_id: to.publicId,
        test: to.test,
        state: "asked",
        asked_at: to.now,
        waiting_since: to.now,
      })
      .returningAll(),
);

export async function findHandOver(
  database: Read,
  publicId: string,
): Promise<HandOver | undefined> {
  const row = await database.one(handOverByPublicId, { publicId });
  return row && toHandOver(row);
}

const handOverByPublicId = reading((tables, { publicId }: { publicId: string }) =>
  tables.selectFrom("hand_overs").selectAll().where("public_id", "=", publicId),
);

/** The newest of a request. */
export async function findHandOverOf(
  database: Read,
  requestId: number,
): Promise<HandOver | undefined> {
  const row = await database.one(newestOf, { requestId });
  return row && toHandOver(row);
}

const newestOf = reading((tables, { requestId }: { requestId: number }) =>
  tables
    .selectFrom("hand_overs")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id", "desc")
    .limit(1),
);

/** It is told of once more, and its answer waited for. */
export async function enterAsked(
  transaction: Write,
  handOver: Pick<HandOver, "id" | "isBegun">,
  now: Temporal.Instant,
): Promise<void> {
  // What was begun stays begun.
  const state = handOver.isBegun ? "started" : "asked";
  await transaction.run(askAgain, { id: handOver.id, state, now: toText(now) });
}

const askAgain = writing((tables, to: { id: number; state: string; now: string }) =>
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

/** An operator keeps it waiting, or has it in hand: nothing is asked, and no answer waited for. */
export async function enterHeld(transaction: Write, id: number): Promise<void> {
  await transaction.run(holdBack, { id });
}

const holdBack = writing((tables, { id }: { id: number }) =>
  tables
    .updateTable("hand_overs")
    .set({ state: "blocked", again_at: null, waiting_since: null })
    .where("id", "=", id),
);

/** @param answer.againAt when to ask once more, where the account system wants that */
export async function enterAnswer(
  transaction: Write,
  id: number,
  answer: {
    state: HandOverState;
    at: Temporal.Instant;
    againAt?: Temporal.Instant | undefined;
    accountId?: string | undefined;
  },
): Promise<void> {
  await transaction.run(answered, {
    id,
    state: answer.state,
    at: toText(answer.at),
    begunAt: answer.state === "started" ? toText(answer.at) : null,
    againAt: answer.againAt ? toText(answer.againAt) : null,
    accountId: answer.accountId ?? null,
  });
}

const answered = writing(
  (
    tables,
    to: {
      id: number;
      state: string;
      at: string;
      begunAt: string | null;
      againAt: string | null;
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

/** No answer is waited for any more. */
export async function closeHandOver(transaction: Write, id: number): Promise<void> {
  await transaction.run(close, { id });
}

const close = writing((tables, { id }: { id: number }) =>
  tables
    .updateTable("hand_overs")
    .set({ state: "closed", again_at: null, waiting_since: null })
    .where("id", "=", id),
);

export async function enterReminder(
  transaction: Write,
  id: number,
  dueOn: Temporal.PlainDate,
): Promise<void> {
  await transaction.run(remind, { id, dueOn: dueOn.toString() });
}

const remind = writing((tables, { id, dueOn }: { id: number; dueOn: string }) =>
  tables.updateTable("hand_overs").set({ reminded_for: dueOn }).where("id", "=", id),
);

export async function enterRecheck(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(recheck, { id, now: toText(now) });
}

const recheck = writing((tables, { id, now }: { id: number; now: string }) =>
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
export async function listRechecked(
  database: Read,
  since: Temporal.Instant,
  limit: number,
): Promise<HandOver[]> {
  return (await database.all(recheckedBefore, { since: toText(since), limit })).map(toHandOver);
}

const recheckedBefore = reading((tables, { since, limit }: { since: string; limit: number }) =>
  tables
    .selectFrom("hand_overs")
    .selectAll()
    .where("state", "=", "done")
    .where("rechecked_at", "is not", null)
    .where("asked_at", "<=", since)
    .orderBy("asked_at")
    .limit(limit),
);

/** Those that were last asked for before an instant and are not done, asked longest ago first. */
export async function listSilent(
  database: Read,
  since: Temporal.Instant,
  limit: number,
): Promise<HandOver[]> {
  return (await database.all(silent, { since: toText(since), limit })).map(toHandOver);
}

/** Whether a copy was put back since anything was heard or asked of it: what became of it meanwhile is not known here. */
export async function isDoubted(database: Read, handOver: HandOver): Promise<boolean> {
  const restore = await findLastRestore(database);
  if (!restore || handOver.test) return false;
  const isBefore = (at: Temporal.Instant | undefined) =>
    at === undefined || Temporal.Instant.compare(at, restore.at) <= 0;
  return isBefore(handOver.askedAt) && isBefore(handOver.answeredAt);
}

/** Those open ones that are doubted since a copy was put back, and were not asked about since another instant. */
export async function listDoubted(
  database: Read,
  restoredAt: Temporal.Instant,
  since: Temporal.Instant,
  limit: number,
): Promise<HandOver[]> {
  const to = { restoredAt: toText(restoredAt), since: toText(since), limit };
  return (await database.all(doubted, to)).map(toHandOver);
}

const doubted = reading((tables, to: { restoredAt: string; since: string; limit: number }) =>
  tables
    .selectFrom("hand_overs")
    .selectAll()
    .where("state", "in", [
      sql.lit("asked"),
      sql.lit("started"),
      sql.lit("blocked"),
      sql.lit("failed"),
    ])
    .where("asked_at", "<=", to.restoredAt)
    .where("test", "=", 0)
    .where((where) =>
      where.or([where("answered_at", "is", null), where("answered_at", "<=", to.restoredAt)]),
    )
    .where((where) =>
      where.or([where("standing_at", "is", null), where("standing_at", "<=", to.since)]),
    )
    .limit(to.limit),
);

/** It is asked what it knows, and its answer waited for. */
export async function enterStanding(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(askStanding, { id, now: toText(now) });
}

const askStanding = writing((tables, to: { id: number; now: string }) =>
  tables
    .updateTable("hand_overs")
    .set({
      standing_at: to.now,
      waiting_since: sql<string>`coalesce(waiting_since, ${to.now})`,
    })
    .where("id", "=", to.id),
);

const silent = reading((tables, { since, limit }: { since: string; limit: number }) =>
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
);

/** Those that failed and are to be told of once more by now. */
export async function listAgain(
  database: Read,
  now: Temporal.Instant,
  limit: number,
): Promise<HandOver[]> {
  return (await database.all(again, { now: toText(now), limit })).map(toHandOver);
}

const again = reading((tables, { now, limit }: { now: string; limit: number }) =>
  tables
    .selectFrom("hand_overs")
    .selectAll()
    .where("again_at", "is not", null)
    .where("again_at", "<=", now)
    .orderBy("again_at")
    .limit(limit),
);

/** How many were asked about after accounts were restored, and wait for their answer. */
export async function countRechecked(database: Read): Promise<number> {
  return Number((await database.one(rechecked))?.count ?? 0);
}

const rechecked = reading((tables) =>
  tables
    .selectFrom("hand_overs")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("state", "=", "done")
    .where("rechecked_at", "is not", null),
);

/** The hand-over whose answer is waited for longest. */
export async function findLongestWaiting(
  database: Read,
): Promise<{ since: Temporal.Instant; requestId: number; publicId: string } | undefined> {
  const row = await database.one(longestWaiting);
  if (!row?.waiting_since) return undefined;
  const { waiting_since: since, request_id: requestId, public_id: publicId } = row;
  return { since: toInstant(since), requestId, publicId };
}

const longestWaiting = reading((tables) =>
  tables
    .selectFrom("hand_overs")
    .select(["waiting_since", "request_id", "public_id"])
    .where("waiting_since", "is not", null)
    .where("test", "=", 0)
    .orderBy("waiting_since")
    .orderBy("id")
    .limit(1),
);

/** How many requests the account system was told of and has not finished. */
export async function countOpen(
  database: Read,
): Promise<{ state: string; count: number; since: Temporal.Instant }[]> {
  const rows = await database.all(openByState);
  return rows.map((row) => ({
    state: row.state,
    count: Number(row.count),
    since: toInstant(row.since),
  }));
}

const openByState = reading((tables) =>
  tables
    .selectFrom("hand_overs")
    .select((select) => [
      "state",
      select.fn.countAll<number>().as("count"),
      select.fn.min<string>("asked_at").as("since"),
    ])
    .where("state", "in", [
      sql.lit("asked"),
      sql.lit("started"),
      sql.lit("blocked"),
      sql.lit("failed"),
    ])
    .groupBy("state"),
);

/**
 * Confirmed requests that are still to be done, due soonest first, behind one of them.
 */
export async function listToHandOver(
  database: Read,
  after: { dueOn: string; id: number },
  limit: number,
): Promise<{ id: number; dueOn: string; state: string }[]> {
  const rows = await database.all(workingBehind, { ...after, limit });
  return rows.map((row) => ({ id: row.id, dueOn: row.due_on ?? "", state: row.state }));
}

const workingBehind = reading(
  (tables, { dueOn, id, limit }: { dueOn: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .select(["id", "due_on", "state"])
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
      .where(
        (where) => sql<boolean>`(${where.ref("due_on")}, ${where.ref("id")}) > (${dueOn}, ${id})`,
      )
      .orderBy("due_on")
      .orderBy("id")
      .limit(limit),
);

// Counts

/** Adds to the figures of a month. */
export async function enterCounts(
  transaction: Write,
  month: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [name, count] of counts) {
    await transaction.run(addCount, { month, name: `${countsPrefix}${name}`, count });
  }
}

const countsPrefix = "account-system:";

const addCount = writing(
  (tables, { month, name, count }: { month: string; name: string; count: number }) =>
    tables
      .insertInto("tallies")
      .values({ month, name, count })
      .onConflict((conflict) =>
        conflict
          .columns(["month", "name"])
          .doUpdateSet((column) => ({ count: column("tallies.count", "+", count) })),
      ),
);

/** How often what happened between the two systems in a month, by name. */
export async function readCounts(database: Read, month: string): Promise<[string, number][]> {
  const rows = await database.all(countsOf, { month });
  return rows
    .filter(({ name }) => name.startsWith(countsPrefix))
    .map(({ name, count }) => [name.slice(countsPrefix.length), Number(count)]);
}

const countsOf = reading((tables, { month }: { month: string }) =>
  tables.selectFrom("tallies").select(["name", "count"]).where("month", "=", month).orderBy("name"),
);

// Calls

/** False when a call of this name was accepted before. */
export async function enterCall(
  transaction: Write,
  callId: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const isNew = (await transaction.run(insertCall, { callId, now: toText(now) })) > 0;
  if (isNew) await transaction.run(heard, { now: toText(now) });
  return isNew;
}

const heard = writing((tables, { now }: { now: string }) =>
  tables.updateTable("account_system").set({ answered_at: now }),
);

const insertCall = writing((tables, { callId, now }: { callId: string; now: string }) =>
  tables
    .insertInto("account_calls")
    .values({ call_id: callId, at: now })
    .onConflict((conflict) => conflict.column("call_id").doNothing()),
);

export async function wasHeard(database: Read, callId: string): Promise<boolean> {
  return (await database.one(callById, { callId })) !== undefined;
}

const callById = reading((tables, { callId }: { callId: string }) =>
  tables.selectFrom("account_calls").select("call_id").where("call_id", "=", callId),
);

export async function dropOldCalls(transaction: Write, before: Temporal.Instant): Promise<void> {
  await transaction.run(dropCalls, { before: toText(before) });
}

const dropCalls = writing((tables, { before }: { before: string }) =>
  tables.deleteFrom("account_calls").where("at", "<=", before),
);

// The account system as a whole

export async function findStanding(database: Read): Promise<{
  stoppedAt: Temporal.Instant | undefined;
  reconciledOn: string | undefined;
  /** When its last call was accepted. */
  answeredAt: Temporal.Instant | undefined;
}> {
  const row = await database.one(standing);
  return {
    stoppedAt: toInstant(row?.stopped_at ?? null),
    answeredAt: toInstant(row?.answered_at ?? null),
    reconciledOn: row?.reconciled_on ?? undefined,
  };
}

const standing = reading((tables) => tables.selectFrom("account_system").selectAll());

/** @param at undefined lets it go on */
export async function enterStop(
  transaction: Write,
  at: Temporal.Instant | undefined,
): Promise<void> {
  await transaction.run(stop, { at: at ? toText(at) : null });
}

const stop = writing((tables, { at }: { at: string | null }) =>
  tables.updateTable("account_system").set({ stopped_at: at }),
);

export async function enterReconciled(transaction: Write, on: Temporal.PlainDate): Promise<void> {
  await transaction.run(reconciled, { on: on.toString() });
}

const reconciled = writing((tables, { on }: { on: string }) =>
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
