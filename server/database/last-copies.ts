import { type Read, reading, type Write, writing } from "./statement.ts";
import { toInstant, toText } from "./time.ts";

/**
 * When the store was last copied, and of when the oldest copy is: somebody notices when a nightly copy is no longer made, or
 * an old one no longer goes.
 */
export type CopyKind = "backup" | "export";

export type LastCopy = { madeAt: Temporal.Instant; oldestAt: Temporal.Instant | undefined };

export async function readLastCopies(database: Read): Promise<Partial<Record<CopyKind, LastCopy>>> {
  const rows = await database.all(lastCopies);
  return Object.fromEntries(
    rows.map((row) => [
      row.what,
      { madeAt: toInstant(row.at), oldestAt: toInstant(row.oldest_at) },
    ]),
  );
}

const lastCopies = reading((tables) => tables.selectFrom("last_copies").selectAll());

/** To be called once the copy is whole. */
export async function enterCopy(
  transaction: Write,
  what: CopyKind,
  at: Temporal.Instant,
  oldestAt: Temporal.Instant,
): Promise<void> {
  await transaction.run(copied, { what, at: toText(at), oldestAt: toText(oldestAt) });
}

const copied = writing(
  (tables, { what, at, oldestAt }: { what: string; at: string; oldestAt: string }) =>
    tables
      .insertInto("last_copies")
      .values({ what, at, oldest_at: oldestAt })
      .onConflict((conflict) => conflict.column("what").doUpdateSet({ at, oldest_at: oldestAt })),
);
