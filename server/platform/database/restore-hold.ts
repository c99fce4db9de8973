import type { RowIn } from "./rows.ts";
import { deleting, finding, inserting, updating } from "./statement.ts";

/**
 * Hold after a restore: changes since the backup are unknown, so nothing may expire or leave until
 * an operator has checked and confirmed it.
 */
export type Restore = RowIn<"restores">;

/** Finds the newest unconfirmed restore. */
export const findUnconfirmedRestore = finding(
  "restores",
  { confirmedAt: "is null" },
  undefined,
  "id",
);

/** Finds the newest restore, confirmed or not. */
export const findLastRestore = finding("restores", {}, undefined, "id");

export const findRestore = finding("restores", { id: "=", at: "=" });

export const recordRestore = inserting("restores");

/**
 * Deletes a restore after an operator declared a copied folder to be the real one: nothing was
 * lost.
 */
export const deleteRestore = deleting("restores", { id: "=" });

/** Confirms a restore and ends the hold. */
export const recordRestoreConfirmed = updating("restores", ["confirmedAt"], {
  confirmedAt: "is null",
});
