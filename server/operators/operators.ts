import { randomBytes } from "node:crypto";
import { inserting, type Read, reading, updating, type Write } from "../database/statement.ts";

/** An admin also invites, removes and sees what everybody did. */
export type Role = "operator" | "admin";

/** Somebody of the team who may act, or once might, by the name that stands in trails. */
export type Operator = Awaited<ReturnType<typeof listOperators>>[number];

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
  (rows) =>
    rows.map(({ role, address, enrolled, ...row }) => ({
      // Of this, `leftAt` is undefined while they are with the team.
      ...row,
      role: role as Role,
      /** Where the team's mails to them go; undefined for those who were never invited to the pages. */
      address: address || undefined,
      /** They have a passkey that opens the pages. */
      enrolled: Number(enrolled) > 0,
    })),
);

/** What is left of a name for whoever reads it in a hurry: two of which this is the same would be taken for one person. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Somebody who is with the team, however the name was typed. */
export async function findOperator(database: Read, typed: string): Promise<Operator | undefined> {
  const match = foldName(typed);
  return (await listOperators(database)).find((one) => !one.leftAt && foldName(one.name) === match);
}

/** @returns who of the team has that name already, in any spelling; undefined when there was nobody and now there is */
export async function addOperator(
  transaction: Write,
  name: string,
  at: Temporal.Instant,
): Promise<string | undefined> {
  await transaction.lock("names of the team");
  const taken = await findOperator(transaction, name);
  if (taken) return taken.name;
  const userHandle = randomBytes(16).toString("base64url");
  await insertOperator(transaction, { name, nameMatch: foldName(name), userHandle, addedAt: at });
  return undefined;
}

const insertOperator = inserting("operators");

/** They may act no longer, and nobody writes to them; what they did stays under their name. */
export const endOperator = updating("operators", ["leftAt", "address"]);

/** Somebody of the team may use the pages. */
export const grantPages = updating("operators", ["role", "address", "invitedAt"]);

/** From now on they may do what this role may; their sessions go on. */
export const enterRole = updating("operators", ["role"]);

export const enterMoreMails = updating("operators", ["moreMails"]);

/** Who of the team is there: whoever was invited and never came in is not, once anybody has come in. */
export function whoIsIn(everybody: readonly Operator[]): Operator[] {
  const team = everybody.filter(({ leftAt }) => leftAt === undefined);
  const enrolled = team.filter((one) => one.enrolled);
  return enrolled.length > 0 ? enrolled : team;
}

/** Whoever was never invited, or never came in, can invite nobody. */
export function listAdmins(everybody: readonly Operator[]): Operator[] {
  return whoIsIn(everybody).filter(({ role, invitedAt }) => role === "admin" && invitedAt);
}
