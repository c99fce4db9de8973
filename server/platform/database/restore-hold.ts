import type { ExpressionBuilder } from "kysely";
import type { RowIn } from "./rows.ts";
import type { Tables } from "./schema.ts";
import { deleting, finding, inserting, updating } from "./statement.ts";

/**
 * A restore of a backup. Changes made since the backup are unknown, so nothing may expire or be
 * sent until an operator has checked and confirmed the restore.
 */
export type Restore = RowIn<"restores">;

/** Finds the newest unconfirmed restore. */
export const findUnconfirmedRestore = finding(
  "restores",
  { confirmedAt: "is null" },
  undefined,
  "id",
);

/** Builds a subquery for unconfirmed restores, for use in other statements. */
export const unconfirmedRestore = (select: Pick<ExpressionBuilder<Tables, never>, "selectFrom">) =>
  select.selectFrom("restores").select("restores.id").where("restores.confirmed_at", "is", null);

export const findLastRestore = finding("restores", {}, undefined, "id");

export const findRestore = finding("restores", { id: "=", at: "=" });

export const recordRestore = inserting("restores");

/**
 * Deletes the record of a restore. Used if an operator confirms that a copied data folder is the
 * real one. Nothing was lost then, so there is nothing to check.
 */
export const deleteRestore = deleting("restores", { id: "=" });

/** Confirms a restore, which ends the hold. */
export const recordRestoreConfirmed = updating("restores", ["confirmedAt"], {
  confirmedAt: "is null",
});
