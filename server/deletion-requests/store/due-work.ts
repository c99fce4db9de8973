import { sql } from "kysely";
import { type Read, reading, type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import { isWorking, type WorkingRequest } from "./request.ts";
import { toRequest } from "./request-row.ts";
import { idsOf } from "./rows.ts";

/** What time demands: requests to expire, to erase, to forget and to warn of. */

type Until = { until: string; limit: number };

/** A list of requests by what has come by an instant or a day. */
function listUntil(build: Parameters<typeof reading<{ id: number }, Until>>[0]) {
  const statement = reading(build);
  return async (
    database: Read,
    until: Temporal.Instant | Temporal.PlainDate,
    limit: number,
  ): Promise<number[]> => {
    const text = until instanceof Temporal.Instant ? toText(until) : until.toString();
    return idsOf(await database.all(statement, { until: text, limit }));
  };
}

/** Unconfirmed ones whose time is over. */
export const listExpired = listUntil((tables, { until, limit }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("state", "=", sql.lit("received"))
    .where("expires_at", "<=", until)
    .orderBy("expires_at")
    .limit(limit),
);

/** Those that somebody called done before an instant. */
export const listDone = listUntil((tables, { until, limit }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("done_at", "is not", null)
    .where("done_at", "<=", until)
    .orderBy("done_at")
    .limit(limit),
);

/** Those whose hold ended before a day, and that nobody has called done. */
export const listHeldBefore = listUntil((tables, { until, limit }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("held_until", "is not", null)
    .where("ended_at", "is", null)
    .where("done_at", "is", null)
    .where("held_until", "<", until)
    .orderBy("held_until")
    .orderBy("id")
    .limit(limit),
);

/**
 * Ended ones that still hold an address though their person was told of the end, or `latest` has passed since. Who was
 * refused may complain until then: only with their address can the request be opened again.
 */
export async function listErasable(
  database: Read,
  latest: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const told = idsOf(await database.all(toldUnerased, { limit }));
  const late = idsOf(await database.all(endedUnerased, { latest: toText(latest), limit }));
  return [...new Set([...told, ...late])];
}

const toldUnerased = reading((tables, { limit }: { limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("told_at", "is not", null)
    .where("erased_at", "is", null)
    .where("state", "!=", sql.lit("refused"))
    .orderBy("told_at")
    .limit(limit),
);

const endedUnerased = reading((tables, { latest, limit }: { latest: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("ended_at", "is not", null)
    .where("erased_at", "is", null)
    .where("ended_at", "<=", latest)
    .orderBy("ended_at")
    .limit(limit),
);

/** Erased ones that ended before an instant. */
export const listForgettable = listUntil((tables, { until, limit }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("ended_at", "is not", null)
    .where("ended_at", "<=", until)
    .where("erased_at", "is not", null)
    .orderBy("ended_at")
    .limit(limit),
);

/** Confirmed ones that are due on a date or before it, and whose operators were not warned of that yet. */
export async function listUnwarned(
  database: Read,
  until: Temporal.PlainDate,
  limit: number,
): Promise<WorkingRequest[]> {
  const rows = await database.all(unwarned, { until: until.toString(), limit });
  return rows.map(toRequest).filter(isWorking);
}

const unwarned = reading((tables, { until, limit }: { until: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("warned_at", "is", null)
    .where("due_on", "<=", until)
    .orderBy("due_on")
    .limit(limit),
);

/** Confirmed ones whose promised day is over, that nobody has called done, and whose person was not told of that. */
export const listUntoldLate = listUntil((tables, { until, limit }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("told_late_at", "is", null)
    .where("due_on", "<", until)
    .where("done_at", "is", null)
    .orderBy("due_on")
    .orderBy("id")
    .limit(limit),
);

export async function enterToldLate(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(toldLate, { id, now: toText(now) });
}

const toldLate = writing((tables, { id, now }: { id: number; now: string }) =>
  tables.updateTable("requests").set({ told_late_at: now }).where("id", "=", id),
);

/**
 * Whether a confirmed one that is still to be done is due in these days; the earliest such date.
 * @param from undefined for everything that is late, too
 */
export async function findFirstDue(
  database: Read,
  from: Temporal.PlainDate | undefined,
  until: Temporal.PlainDate,
): Promise<string | undefined> {
  const row = await database.one(firstDue, {
    from: from?.toString() ?? "",
    until: until.toString(),
  });
  return row?.due_on ?? undefined;
}

const firstDue = reading((tables, { from, until }: { from: string; until: string }) =>
  tables
    .selectFrom("requests")
    .select("due_on")
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("due_on", ">=", from)
    .where("due_on", "<=", until)
    .orderBy("due_on")
    .limit(1),
);

export async function enterWarning(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(warned, { id, now: toText(now) });
}

const warned = writing((tables, { id, now }: { id: number; now: string }) =>
  tables.updateTable("requests").set({ warned_at: now }).where("id", "=", id),
);
