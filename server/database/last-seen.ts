import { type At, reading, writing } from "./statement.ts";
import { toInstant } from "./time.ts";

/**
 * When the server last ran on this store with a clock that could be believed: what a clock that is wrong from the start
 * is measured by. Entered every minute, which also shows that the store can be written.
 */
export const readLastSeen = reading(
  (tables) => tables.selectFrom("last_seen").select("at").where("id", "=", 1),
  ([row]) => row && toInstant(row.at),
);

export const enterSeen = writing((tables, { now }: { now: At }) =>
  tables
    .insertInto("last_seen")
    .values({ id: 1, at: now, probed_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: now, probed_at: now })),
);

/** The clock cannot be believed: only shows that the store can be written. */
export const enterProbe = writing((tables, { now }: { now: At }) =>
  tables.updateTable("last_seen").set({ probed_at: now }).where("id", "=", 1),
);
