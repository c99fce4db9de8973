import type { RowIn } from "./rows.ts";
import { reading, replacing } from "./statement.ts";

/**
 * When the newest and the oldest backup of each kind were made, so that operators notice if nightly
 * backups or the deletion of old ones fail.
 */
export type CopyKind = "backup" | "export";

export const readLastBackups = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, RowIn<"last_copies">>> =>
    Object.fromEntries(rows.map((row) => [row.what, row])),
);

/** Records a completed backup. */
export const recordBackup = replacing("last_copies");
