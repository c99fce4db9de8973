import type { RowIn } from "./rows.ts";
import { reading, replacing } from "./statement.ts";

/**
 * Times of the newest and the oldest backup of each kind, so that operators notice if the nightly
 * backup or the deletion of old backups fails.
 */
export type CopyKind = "backup" | "export";

export const readLastBackups = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, RowIn<"last_copies">>> =>
    Object.fromEntries(rows.map((row) => [row.what, row])),
);

/** Records a complete backup. */
export const recordBackup = replacing("last_copies");
