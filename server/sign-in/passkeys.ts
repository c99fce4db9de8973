import { inserting, reading, updating, writing } from "../database/statement.ts";
import { toInstant } from "../database/time.ts";

/**
 * The passkeys of the team: the public halves of what their devices sign with. Since `doubted_at` one opens nothing, because
 * there seem to be two of it.
 */

/** @returns its id */
export const addPasskey = inserting(
  "operator_passkeys",
  ["operator_id", "credential_id", "public_key", "counter", "device", "created_at", "used_at"],
  ({ id }) => id,
);

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
export const listPasskeys = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables
      .selectFrom("operator_passkeys")
      .selectAll()
      .where("operator_id", "=", operatorId)
      .orderBy("id"),
  (rows) =>
    rows.map(({ id, credential_id, device, created_at, used_at, doubted_at }) => ({
      ...{ id, credentialId: credential_id, device, isDoubted: doubted_at !== null },
      ...{ createdAt: toInstant(created_at), usedAt: toInstant(used_at) },
    })),
);

export const enterPasskeyUse = updating("operator_passkeys", ["counter", "used_at"]);

/** From now on it opens nothing. */
export const doubtPasskey = updating("operator_passkeys", ["doubted_at"]);

/** What its person calls it from now on. */
export const renamePasskey = writing(
  (tables, { id, operatorId, device }: { id: number; operatorId: number; device: string }) =>
    tables
      .updateTable("operator_passkeys")
      .set({ device })
      .where("id", "=", id)
      .where("operator_id", "=", operatorId),
);

export const dropPasskey = writing(
  (tables, { id, operatorId }: { id: number; operatorId: number }) =>
    tables
      .deleteFrom("operator_passkeys")
      .where("id", "=", id)
      .where("operator_id", "=", operatorId),
);
