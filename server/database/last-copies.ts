import { type Read, reading, type Write, writing } from "./statement.ts";
import { toInstant, toText } from "./time.ts";

/** When the store was last copied, so that somebody notices when a nightly copy is no longer made. */
export type CopyKind = "backup" | "export";

export async function readLastCopies(
  database: Read,
): Promise<Partial<Record<CopyKind, Temporal.Instant>>> {
  const rows = await database.all(lastCopies);
  return Object.fromEntries(rows.map(({ what, at }) => [what, toInstant(at)]));
}

const lastCopies = reading((tables) => tables.selectFrom("last_copies").selectAll());

/** To be called once the copy is whole. */
export async function enterCopy(
  transaction: Write,
  what: CopyKind,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(copied, { what, at: toText(at) });
}

const copied = writing((tables, { what, at }: { what: string; at: string }) =>
  tables
    .insertInto("last_copies")
    .values({ what, at })
    .onConflict((conflict) => conflict.column("what").doUpdateSet({ at })),
);
