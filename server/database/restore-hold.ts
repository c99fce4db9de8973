import type { RowIn } from "./rows.ts";
import { deleting, finding, inserting, updating } from "./statement.ts";

/**
 * After a copy was put back nobody knows what happened since it was made, so nothing may expire and nothing may leave
 * until somebody has looked at what came back and said so.
 */
export type Restore = RowIn<"restores">;

/** The newest one that nobody has confirmed. */
export const findUnconfirmedRestore = finding(
  "restores",
  { confirmedAt: "is null" },
  undefined,
  "id",
);

/** The last one, confirmed or not. */
export const findLastRestore = finding("restores", {}, undefined, "id");

export const findRestore = finding("restores", { id: "=", at: "=" });

export const enterRestore = inserting("restores");

/** An operator said that a copied folder is the real one: nothing was lost, so nothing stays in doubt. */
export const dropRestore = deleting("restores", { id: "=" });

/** Somebody has looked: everything goes on. */
export const enterRestoreConfirmed = updating("restores", ["confirmedAt"], {
  confirmedAt: "is null",
});
