import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Tables } from "../database/schema.ts";
import {
  type At,
  type Flag,
  type Read,
  reading,
  type Write,
  writing,
} from "../database/statement.ts";
import { toInstant } from "../database/time.ts";

export { parseOperatorName } from "./operator-name.ts";

/** An admin also invites, removes and sees what everybody did. */
export type Role = "operator" | "admin";

/** The people of the team who may act, by the names that stand in trails. Nadia and nadia are one. */
export type Operator = {
  id: number;
  name: string;
  role: Role;
  /** Where the team's mails to them go; undefined for those who were never invited to the pages. */
  address: string | undefined;
  /** What their passkeys call them; undefined until they are invited. */
  userHandle: string | undefined;
  /** When they were last invited to the pages. */
  invitedAt: Temporal.Instant | undefined;
  addedAt: Temporal.Instant;
  /** Undefined while they are with the team. */
  leftAt: Temporal.Instant | undefined;
  /** They want more mails than the digest and what is broken. */
  moreMails: boolean;
};

/** One of everybody who ever was. */
export type Member = Operator & {
  /** They have a passkey that opens the pages. */
  enrolled: boolean;
};

export function matchOperatorName(name: string): string {
  return name.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** What is left of a name for whoever reads it in a hurry: two of which this is the same would be taken for one person. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

function toOperator(row: Selectable<Tables["operators"]>): Operator {
  return {
    id: row.id,
    name: row.name,
    role: row.role as Role,
    address: row.address || undefined,
    userHandle: row.user_handle ?? undefined,
    invitedAt: toInstant(row.invited_at),
    addedAt: toInstant(row.added_at),
    leftAt: toInstant(row.left_at),
    moreMails: row.more_mails > 0,
  };
}

const operatorByName = reading(
  (tables, { match }: { match: string }) =>
    tables
      .selectFrom("operators")
      .selectAll()
      .where("name_match", "=", match)
      .where("left_at", "is", null),
  ([row]) => row && toOperator(row),
);

/** Somebody who is with the team, however the name was typed. */
export function findOperator(database: Read, typed: string): Promise<Operator | undefined> {
  return operatorByName(database, { match: matchOperatorName(typed) });
}

/** Everybody who ever was, in the order of coming. */
export const listOperators = reading(
  (tables) =>
    tables
      .selectFrom("operators")
      .selectAll()
      .select((operator) =>
        operator
          .selectFrom("operator_passkeys")
          .select((passkey) => passkey.fn.countAll<number>().as("count"))
          .whereRef("operator_passkeys.operator_id", "=", "operators.id")
          .where("doubted_at", "is", null)
          .as("enrolled"),
      )
      .orderBy("id"),
  (rows) => rows.map((row): Member => ({ ...toOperator(row), enrolled: Number(row.enrolled) > 0 })),
);

/** @returns who of the team has that name already, in any spelling; undefined when there was nobody and now there is */
export async function addOperator(
  transaction: Write,
  name: string,
  at: Temporal.Instant,
): Promise<string | undefined> {
  await transaction.lock("names of the team");
  const team = await listOperators(transaction);
  const taken = team.find((one) => !one.leftAt && foldName(one.name) === foldName(name));
  if (taken) return taken.name;
  await insertOperator(transaction, { name, match: matchOperatorName(name), at });
  return undefined;
}

const insertOperator = writing(
  (tables, { name, match, at }: { name: string; match: string; at: At }) =>
    tables.insertInto("operators").values({ name, name_match: match, added_at: at, left_at: null }),
);

/** They may act no longer, and nobody writes to them; what they did stays under their name. */
export async function endOperator(
  transaction: Write,
  name: string,
  at: Temporal.Instant,
): Promise<void> {
  await leave(transaction, { match: matchOperatorName(name), at });
}

const leave = writing((tables, { match, at }: { match: string; at: At }) =>
  tables
    .updateTable("operators")
    .set({ left_at: at, address: "" })
    .where("name_match", "=", match)
    .where("left_at", "is", null),
);

export const enterMoreMails = writing((tables, { id, wanted }: { id: number; wanted: Flag }) =>
  tables.updateTable("operators").set({ more_mails: wanted }).where("id", "=", id),
);

/** Undefined once they have left. */
export const findOperatorAddress = reading(
  (tables, { id }: { id: number }) =>
    tables
      .selectFrom("operators")
      .select("address")
      .where("id", "=", id)
      .where("left_at", "is", null),
  ([row]) => row?.address || undefined,
);

/** Whether the pages of operators are in use. */
export const isAnybodyInvited = reading(
  (tables) =>
    tables
      .selectFrom("operators")
      .select("id")
      .where("left_at", "is", null)
      .where("invited_at", "is not", null)
      .limit(1),
  ([row]) => row !== undefined,
);

/** Somebody of the team may use the pages, in this role. */
export async function grantPages(
  transaction: Write,
  grant: { name: string; role: Role; address: string; at: Temporal.Instant },
): Promise<void> {
  const { role, address } = grant;
  const match = matchOperatorName(grant.name);
  await grantTo(transaction, { match, role, address, at: grant.at });
  await nameUser(transaction, { match, handle: randomBytes(16).toString("base64url") });
}

/** From now on they may do what this role may; their sessions go on. */
export const enterRole = writing((tables, { id, role }: { id: number; role: Role }) =>
  tables.updateTable("operators").set({ role }).where("id", "=", id).where("left_at", "is", null),
);

const nameUser = writing((tables, { match, handle }: { match: string; handle: string }) =>
  tables
    .updateTable("operators")
    .set({ user_handle: handle })
    .where("name_match", "=", match)
    .where("left_at", "is", null)
    .where("user_handle", "is", null),
);

const grantTo = writing(
  (
    tables,
    { match, role, address, at }: { match: string; role: string; address: string; at: At },
  ) =>
    tables
      .updateTable("operators")
      .set({ role, address, invited_at: at })
      .where("name_match", "=", match)
      .where("left_at", "is", null),
);
