import { sql } from "kysely";
import { type At, type Day, type Read, reading } from "../../database/statement.ts";
import { isWorking } from "./request.ts";
import { toRequest } from "./request-row.ts";
import { idsOf } from "./rows.ts";

/** What time demands: requests to expire, to erase, to forget and to warn of. */

/** Unconfirmed ones whose time is over. */
export const listExpired = reading(
  (tables, { until, limit }: { until: At; limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("state", "=", sql.lit("received"))
      .where("expires_at", "<=", until)
      .orderBy("expires_at")
      .limit(limit),
  idsOf,
);

/** Those that somebody called done before an instant. */
export const listDone = reading(
  (tables, { until, limit }: { until: At; limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("done_at", "is not", null)
      .where("done_at", "<=", until)
      .orderBy("done_at")
      .limit(limit),
  idsOf,
);

/** Those whose hold ended before a day, and that nobody has called done. */
export const listHeldBefore = reading(
  (tables, { until, limit }: { until: Day; limit: number }) =>
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
  idsOf,
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
  const told = await toldUnerased(database, { limit });
  const late = await endedUnerased(database, { latest, limit });
  return [...new Set([...told, ...late])];
}

const toldUnerased = reading(
  (tables, { limit }: { limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("told_at", "is not", null)
      .where("erased_at", "is", null)
      .where("state", "!=", sql.lit("refused"))
      .orderBy("told_at")
      .limit(limit),
  idsOf,
);

const endedUnerased = reading(
  (tables, { latest, limit }: { latest: At; limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("ended_at", "is not", null)
      .where("erased_at", "is", null)
      .where("ended_at", "<=", latest)
      .orderBy("ended_at")
      .limit(limit),
  idsOf,
);

/** Erased ones that ended before an instant. */
export const listForgettable = reading(
  (tables, { until, limit }: { until: At; limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("ended_at", "is not", null)
      .where("ended_at", "<=", until)
      .where("erased_at", "is not", null)
      .orderBy("ended_at")
      .limit(limit),
  idsOf,
);

/** Confirmed ones that are due on a date or before it, and whose operators were not warned of that yet. */
export const listUnwarned = reading(
  (tables, { until, limit }: { until: Day; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
      .where("warned_at", "is", null)
      .where("due_on", "<=", until)
      .orderBy("due_on")
      .limit(limit),
  (rows) => rows.map(toRequest).filter(isWorking),
);

/** Confirmed ones whose promised day is over, that nobody has called done, and whose person was not told of that. */
export const listUntoldLate = reading(
  (tables, { until, limit }: { until: Day; limit: number }) =>
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
  idsOf,
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
  return firstDue(database, { from: from?.toString() ?? "", until });
}

const firstDue = reading(
  (tables, { from, until }: { from: string; until: Day }) =>
    tables
      .selectFrom("requests")
      .select("due_on")
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
      .where("due_on", ">=", from)
      .where("due_on", "<=", until)
      .orderBy("due_on")
      .limit(1),
  ([row]) => row?.due_on ?? undefined,
);
