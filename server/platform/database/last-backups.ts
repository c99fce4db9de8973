import type { RowIn } from "./rows.ts";
import { reading, replacing } from "./statement.ts";

/**
 * A kind of backup. The store records when the newest and the oldest backup of each kind were made,
 * so that operators notice if nightly backups or the deletion of old backups fail.
 */
export type CopyKind = "backup" | "export";

export const readLastBackups = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, RowIn<"last_copies">>> =>
    Object.fromEntries(rows.map((row) => [row.what, row])),
);

export const recordBackup = replacing("last_copies");
