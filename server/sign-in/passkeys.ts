import { type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";

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

export async function addPasskey(
  transaction: Write,
  passkey: Pick<Passkey, "operatorId" | "credentialId" | "publicKey" | "counter" | "device"> & {
    transports: readonly string[];
    at: Temporal.Instant;
  },
): Promise<number> {
  const added = await transaction.one(insertPasskey, {
    ...passkey,
    transports: passkey.transports.join(","),
    at: toText(passkey.at),
  });
  return added?.id ?? 0;
}

/** What its person calls it from now on. */
export async function renamePasskey(
  transaction: Write,
  passkey: { id: number; operatorId: number; device: string },
): Promise<void> {
  await transaction.run(rename, passkey);
}

const rename = writing(
  (tables, { id, operatorId, device }: { id: number; operatorId: number; device: string }) =>
    tables
      .updateTable("operator_passkeys")
      .set({ device })
      .where("id", "=", id)
      .where("operator_id", "=", operatorId),
);

const insertPasskey = writing(
  (
    tables,
    values: {
      operatorId: number;
      credentialId: string;
      publicKey: string;
      counter: number;
      device: string;
      transports: string;
      at: string;
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
);

/** The passkey of somebody who is still with the team, and their name. */
export async function findPasskey(
  database: Read,
  credentialId: string,
): Promise<(Passkey & { name: string }) | undefined> {
  const row = await database.one(passkeyByCredential, { credentialId });
  return row && { ...toPasskey(row), name: row.name };
}

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

const passkeyByCredential = reading((tables, { credentialId }: { credentialId: string }) =>
  tables
    .selectFrom("operator_passkeys")
    .innerJoin("operators", "operators.id", "operator_passkeys.operator_id")
    .select([...columns, "operators.name"])
    .where("credential_id", "=", credentialId)
    .where("left_at", "is", null),
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
export async function listPasskeys(database: Read, operatorId: number): Promise<Passkey[]> {
  return (await database.all(passkeysOf, { operatorId })).map(toPasskey);
}

const passkeysOf = reading((tables, { operatorId }: { operatorId: number }) =>
  tables
    .selectFrom("operator_passkeys")
    .select(columns)
    .where("operator_id", "=", operatorId)
    .orderBy("id"),
);

export async function enterPasskeyUse(
  transaction: Write,
  use: { id: number; counter: number; at: Temporal.Instant },
): Promise<void> {
  await transaction.run(enterUse, { ...use, at: toText(use.at) });
}

const enterUse = writing(
  (tables, { id, counter, at }: { id: number; counter: number; at: string }) =>
    tables.updateTable("operator_passkeys").set({ counter, used_at: at }).where("id", "=", id),
);

/** From now on it opens nothing. */
export async function doubtPasskey(
  transaction: Write,
  id: number,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(doubt, { id, at: toText(at) });
}

const doubt = writing((tables, { id, at }: { id: number; at: string }) =>
  tables.updateTable("operator_passkeys").set({ doubted_at: at }).where("id", "=", id),
);

export async function dropPasskey(
  transaction: Write,
  passkey: { id: number; operatorId: number },
): Promise<boolean> {
  return (await transaction.run(drop, passkey)) > 0;
}

const drop = writing((tables, { id, operatorId }: { id: number; operatorId: number }) =>
  tables.deleteFrom("operator_passkeys").where("id", "=", id).where("operator_id", "=", operatorId),
);
