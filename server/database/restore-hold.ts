import type { RowIn } from "./rows.ts";
import { deleting, inserting, type Read, reading, writing } from "./statement.ts";

/**
 * After a copy was put back nobody knows what happened since it was made, so nothing may expire and nothing may leave
 * until somebody has looked at what came back and said so.
 */
export type Restore = RowIn<"restores">;

/** The newest one that nobody has confirmed. */
export const findUnconfirmedRestore = reading(
  (tables) =>
    tables
      .selectFrom("restores")
      .selectAll()
      .where("confirmed_at", "is", null)
      .orderBy("id", "desc")
      .limit(1),
  ([restore]) => restore,
);

export async function isHeldByRestore(database: Read): Promise<boolean> {
  return (await findUnconfirmedRestore(database)) !== undefined;
}

/** The last one, confirmed or not. */
export const findLastRestore = reading(
  (tables) => tables.selectFrom("restores").selectAll().orderBy("id", "desc").limit(1),
  ([restore]) => restore,
);

export const enterRestore = inserting("restores");

/** Somebody has looked: everything goes on. */
export const enterRestoreConfirmed = writing((tables, { at }: { at: Temporal.Instant }) =>
  tables.updateTable("restores").set({ confirmed_at: at }).where("confirmed_at", "is", null),
);

/** What was found when a copy was put back names references and an operator: kept as long as the requests themselves. */
export const dropOldRestores = deleting("restores", { confirmedAt: "<=" });
