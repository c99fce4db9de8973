import { deleting, inserting, reading, updating } from "../database/statement.ts";

/**
 * The passkeys of the team: the public halves of what their devices sign with. Since `doubted_at` one opens nothing, because
 * there seem to be two of it.
 */

/** @returns its id */
export const addPasskey = inserting("operator_passkeys", ({ id }) => id);

/** The passkey of somebody who is still with the team, and their name. */
export const findPasskey = reading(
  (tables, { credentialId }: { credentialId: string }) =>
    tables
      .selectFrom("operator_passkeys")
      .innerJoin("operators", "operators.id", "operator_passkeys.operator_id")
      .selectAll("operator_passkeys")
      .select("operators.name")
      .where("credential_id", "=", credentialId)
      .where("left_at", "is", null),
  ([row]) => row,
);

/** Oldest first. */
export const listPasskeys = reading((tables, { operatorId }: { operatorId: number }) =>
  tables
    .selectFrom("operator_passkeys")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("id"),
);

export const enterPasskeyUse = updating("operator_passkeys", ["counter", "usedAt"]);

/** From now on it opens nothing. */
export const doubtPasskey = updating("operator_passkeys", ["doubtedAt"]);

/** What its person calls it from now on. */
export const renamePasskey = updating("operator_passkeys", ["device"]);

export const dropPasskey = deleting("operator_passkeys", { id: "=" });
