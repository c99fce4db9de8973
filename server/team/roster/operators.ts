import { randomBytes } from "node:crypto";
import {
  inserting,
  type Read,
  reading,
  updating,
  type Write,
} from "../../platform/database/statement.ts";

/** Role of an operator. An admin can also invite and remove operators and view the history. */
export type Role = "operator" | "admin";

/** A current or former operator. Events refer to operators by name. */
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
      // `leftAt` is undefined while the operator is on the team.
      ...row,
      role: role as Role,
      /**
       * Email address for the team's emails. Undefined if the operator was never invited to the
       * operator pages.
       */
      address: address || undefined,
      /** Whether the operator has a passkey that still works. */
      enrolled: Number(enrolled) > 0,
    })),
);

/** Folds a name, so that two names are equal if a hurried reader could confuse them. */
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
 * Adds an operator, unless a current operator has that name in any spelling.
 * @returns the current operator's name, or undefined if the name was free
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

/**
 * Ends an operator's membership and erases the operator's email address. Past acts keep the
 * operator's name.
 */
export const endOperator = updating("operators", ["leftAt", "address"]);

/** Gives an operator access to the operator pages, by invitation. */
export const grantAccess = updating("operators", ["role", "address", "invitedAt"]);

/** Changes an operator's role. The operator stays signed in. */
export const updateRole = updating("operators", ["role"]);

export const updateMoreMails = updating("operators", ["moreMails"]);

/**
 * Lists the current operators who can sign in, or all current operators if none has signed in yet.
 */
export function listWhoCanSignIn(everybody: readonly Operator[]): Operator[] {
  const team = everybody.filter(({ leftAt }) => leftAt === undefined);
  const enrolled = team.filter((one) => one.enrolled);
  return enrolled.length > 0 ? enrolled : team;
}

/** Lists the admins who can invite operators: those who were invited and have signed in. */
export function listAdmins(everybody: readonly Operator[]): Operator[] {
  return listWhoCanSignIn(everybody).filter(({ role, invitedAt }) => role === "admin" && invitedAt);
}
