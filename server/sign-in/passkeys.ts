import { type At, reading, writing } from "../database/statement.ts";
import { toInstant } from "../database/time.ts";

/** The passkeys of the team: the public halves of what their devices sign with. */

export type Passkey = {
  id: number;
  operatorId: number;
  credentialId: string;
  publicKey: string;
  counter: number;
  device: string;
  createdAt: Temporal.Instant;
  usedAt: Temporal.Instant | undefined;
  /** Since when it opens nothing, because there seem to be two of it. */
  doubtedAt: Temporal.Instant | undefined;
};

/** What its person calls it from now on. */
export const renamePasskey = writing(
  (tables, { id, operatorId, device }: { id: number; operatorId: number; device: string }) =>
    tables
      .updateTable("operator_passkeys")
      .set({ device })
      .where("id", "=", id)
      .where("operator_id", "=", operatorId),
);

/** @returns its id */
export const addPasskey = writing(
  (
    tables,
    values: {
      operatorId: number;
      credentialId: string;
      publicKey: string;
      counter: number;
      device: string;
      /** With commas. */
      transports: string;
      at: At;
    },
  ) =>
    tables
      .insertInto("operator_passkeys")
      .values({
        operator_id: values.operatorId,
        credential_id: values.credentialId,
        public_key: values.publicKey,
        counter: values.counter,
        transports: values.transports,
        device: values.device,
        created_at: values.at,
        used_at: values.at,
        doubted_at: null,
      })
      .returning("id"),
  ([row]) => row?.id ?? 0,
);

const columns = [
  "operator_passkeys.id",
  "operator_id",
  "credential_id",
  "public_key",
  "counter",
  "device",
  "created_at",
  "used_at",
  "doubted_at",
] as const;

/** The passkey of somebody who is still with the team, and their name. */
export const findPasskey = reading(
  (tables, { credentialId }: { credentialId: string }) =>
    tables
      .selectFrom("operator_passkeys")
      .innerJoin("operators", "operators.id", "operator_passkeys.operator_id")
      .select([...columns, "operators.name"])
      .where("credential_id", "=", credentialId)
      .where("left_at", "is", null),
  ([row]) => row && { ...toPasskey(row), name: row.name },
);

function toPasskey(row: {
  id: number;
  operator_id: number;
  credential_id: string;
  public_key: string;
  counter: number;
  device: string;
  created_at: string;
  used_at: string | null;
  doubted_at: string | null;
}): Passkey {
  return {
    id: row.id,
    operatorId: row.operator_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    device: row.device,
    createdAt: toInstant(row.created_at),
    usedAt: toInstant(row.used_at),
    doubtedAt: toInstant(row.doubted_at),
  };
}

/** Oldest first. */
export const listPasskeys = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables
      .selectFrom("operator_passkeys")
      .select(columns)
      .where("operator_id", "=", operatorId)
      .orderBy("id"),
  (rows) => rows.map(toPasskey),
);

export const enterPasskeyUse = writing(
  (tables, { id, counter, at }: { id: number; counter: number; at: At }) =>
    tables.updateTable("operator_passkeys").set({ counter, used_at: at }).where("id", "=", id),
);

/** From now on it opens nothing. */
export const doubtPasskey = writing((tables, { id, at }: { id: number; at: At }) =>
  tables.updateTable("operator_passkeys").set({ doubted_at: at }).where("id", "=", id),
);

export const dropPasskey = writing(
  (tables, { id, operatorId }: { id: number; operatorId: number }) =>
    tables
      .deleteFrom("operator_passkeys")
      .where("id", "=", id)
      .where("operator_id", "=", operatorId),
);
