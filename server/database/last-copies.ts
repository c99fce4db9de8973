import { type At, reading, writing } from "./statement.ts";
import { toInstant } from "./time.ts";

/**
 * When the store was last copied, and of when the oldest copy is: somebody notices when a nightly copy is no longer made, or
 * an old one no longer goes.
 */
export type CopyKind = "backup" | "export";

export type LastCopy = { madeAt: Temporal.Instant; oldestAt: Temporal.Instant | undefined };

export const readLastCopies = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, LastCopy>> =>
    Object.fromEntries(
      rows.map((row) => [
        row.what,
        { madeAt: toInstant(row.at), oldestAt: toInstant(row.oldest_at) },
      ]),
    ),
);

/** To be called once the copy is whole. */
export const enterCopy = writing(
  (tables, { what, at, oldestAt }: { what: CopyKind; at: At; oldestAt: At }) =>
    tables
      .insertInto("last_copies")
      .values({ what, at, oldest_at: oldestAt })
      .onConflict((conflict) => conflict.column("what").doUpdateSet({ at, oldest_at: oldestAt })),
);
