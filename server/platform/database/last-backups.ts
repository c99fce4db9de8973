import type { RowIn } from "./rows.ts";
import { reading, replacing } from "./statement.ts";

/**
 * Kinds of backups. The store records the times of the newest and the oldest backup of each kind,
 * so that operators notice if nightly backups or the deletion of old backups fail.
 */
export const copyKinds = ["backup", "export"] as const;

export type CopyKind = (typeof copyKinds)[number];

export const readLastBackups = reading(
  (tables) => tables.selectFrom("last_copies").selectAll(),
  (rows): Partial<Record<CopyKind, RowIn<"last_copies">>> =>
    Object.fromEntries(rows.map((row) => [row.what, row])),
);

export const recordBackup = replacing("last_copies");
