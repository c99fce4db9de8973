import { type Read, reading, type Write, writing } from "./statement.ts";
import { toInstant, toText } from "./time.ts";

/**
 * When the server last ran on this store with a clock that could be believed: what a clock that is wrong from the start
 * is measured by. Entered every minute, which also shows that the store can be written.
 */
export async function readLastSeen(database: Read): Promise<Temporal.Instant | undefined> {
  return toInstant((await database.one(lastSeen))?.at ?? null);
}

const lastSeen = reading((tables) =>
  tables.selectFrom("last_seen").select("at").where("id", "=", 1),
);

export async function enterSeen(transaction: Write, now: Temporal.Instant): Promise<void> {
  await transaction.run(seen, { now: toText(now) });
}

const seen = writing((tables, { now }: { now: string }) =>
  tables
    .insertInto("last_seen")
    .values({ id: 1, at: now, probed_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: now, probed_at: now })),
);

/** The clock cannot be believed: only shows that the store can be written. */
export async function enterProbe(transaction: Write, now: Temporal.Instant): Promise<void> {
  await transaction.run(probed, { now: toText(now) });
}

const probed = writing((tables, { now }: { now: string }) =>
  tables.updateTable("last_seen").set({ probed_at: now }).where("id", "=", 1),
);
