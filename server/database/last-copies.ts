import type { RowIn } from "./rows.ts";
import { reading, replacing } from "./statement.ts";

/**
 * When the store was last copied, and of when the oldest copy is: somebody notices when a nightly copy is no longer made, or
 * an old one no longer goes.
 */
export type CopyKind = "backup" | "export";

export const readLastCopies = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, RowIn<"last_copies">>> =>
    Object.fromEntries(rows.map((row) => [row.what, row])),
);

/** To be called once the copy is whole. */
export const enterCopy = replacing("last_copies");
