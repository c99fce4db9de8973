import { reading, replacing, type Write, writing } from "./statement.ts";

/**
 * When the server last ran on this store with a clock that could be believed: what a clock that is wrong from the start
 * is measured by. Entered every minute, which also shows that the store can be written.
 */
export const readLastSeen = reading(
  (tables) => tables.selectFrom("last_seen").select("at").where("id", "=", 1),
  ([row]) => row?.at,
);

const replaceSeen = replacing("last_seen");

export const enterSeen = (transaction: Write, { now }: { now: Temporal.Instant }) =>
  replaceSeen(transaction, { id: 1, at: now, probedAt: now });

/** The clock cannot be believed: only shows that the store can be written. */
export const enterProbe = writing((tables, { now }: { now: Temporal.Instant }) =>
  tables.updateTable("last_seen").set({ probed_at: now }).where("id", "=", 1),
);
