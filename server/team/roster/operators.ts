import { randomBytes } from "node:crypto";
import {
  inserting,
  type Read,
  reading,
  updating,
  type Write,
} from "../../platform/database/statement.ts";

/** An admin can also invite and remove operators and view the history. */
export type Role = "operator" | "admin";

/** Current or former operator. Events refer to operators by name. */
export type Operator = Awaited<ReturnType<typeof listOperators>>[number];

/** Lists all operators, including former ones, oldest first. */
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
      // `leftAt` is undefined while the operator is in the team.
      ...row,
      role: role as Role,
      /** Address for team emails; undefined if the operator was never invited to the pages. */
      address: address || undefined,
      /** True if the operator has a passkey that still works. */
      enrolled: Number(enrolled) > 0,
    })),
);

/** Folds a name, so that two names that a hasty reader would confuse become equal. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Finds a current operator by any spelling of the name. */
export async function findOperator(database: Read, typed: string): Promise<Operator | undefined> {
  const match = foldName(typed);
  return (await listOperators(database)).find((one) => !one.leftAt && foldName(one.name) === match);
}

/**
 * Adds an operator, unless a current operator has the name in any spelling.
 * @returns the name of that operator; undefined if the name was free
 */
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

/** Ends an operator's membership and drops the address. Past acts keep the operator's name. */
export const endOperator = updating("operators", ["leftAt", "address"]);

/** Invites an operator to the operator pages. */
export const grantAccess = updating("operators", ["role", "address", "invitedAt"]);

/** Changes an operator's role without ending sessions. */
export const updateRole = updating("operators", ["role"]);

export const updateMoreMails = updating("operators", ["moreMails"]);

/**
 * Lists the current operators. Once any operator has signed in, those who never did don't count.
 */
export function listWhoCanSignIn(everybody: readonly Operator[]): Operator[] {
  const team = everybody.filter(({ leftAt }) => leftAt === undefined);
  const enrolled = team.filter((one) => one.enrolled);
  return enrolled.length > 0 ? enrolled : team;
}

/** Lists the admins who can invite: those who were invited and have signed in. */
export function listAdmins(everybody: readonly Operator[]): Operator[] {
  return listWhoCanSignIn(everybody).filter(({ role, invitedAt }) => role === "admin" && invitedAt);
}
