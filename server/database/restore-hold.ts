import type { Selectable } from "kysely";
import type { Tables } from "./schema.ts";
import { type At, inserting, type Read, reading, writing } from "./statement.ts";
import { toInstant } from "./time.ts";

/**
 * After a copy was put back nobody knows what happened since it was made, so nothing may expire and nothing may leave
 * until somebody has looked at what came back and said so.
 */
export type Restore = {
  id: number;
  at: Temporal.Instant;
  name: string;
  /** When somebody had looked; undefined until then. */
  confirmedAt: Temporal.Instant | undefined;
  /** Up to when the restored data knows what happened. */
  knownUntil: Temporal.Instant;
  /** JSON. */
  report: string;
};

/** The newest one that nobody has confirmed. */
export const findUnconfirmedRestore = reading(
  (tables) =>
    tables
      .selectFrom("restores")
      .selectAll()
      .where("confirmed_at", "is", null)
      .orderBy("id", "desc")
      .limit(1),
  ([row]) => row && toRestore(row),
);

export async function isHeldByRestore(database: Read): Promise<boolean> {
  return (await findUnconfirmedRestore(database)) !== undefined;
}

/** The last one, confirmed or not. */
export const findLastRestore = reading(
  (tables) => tables.selectFrom("restores").selectAll().orderBy("id", "desc").limit(1),
  ([row]) => row && toRestore(row),
);

export const enterRestore = inserting("restores", ["at", "name", "known_until", "report"]);

/** Somebody has looked: everything goes on. */
export const enterRestoreConfirmed = writing((tables, { at }: { at: At }) =>
  tables.updateTable("restores").set({ confirmed_at: at }).where("confirmed_at", "is", null),
);

/** What was found when a copy was put back names references and an operator: kept as long as the requests themselves. */
export const dropOldRestores = writing((tables, { before }: { before: At }) =>
  tables.deleteFrom("restores").where("confirmed_at", "<=", before),
);

function toRestore(row: Selectable<Tables["restores"]>): Restore {
  const { id, name, report } = row;
  return {
    id,
    at: toInstant(row.at),
    name,
    confirmedAt: toInstant(row.confirmed_at),
    knownUntil: toInstant(row.known_until),
    report,
  };
}
