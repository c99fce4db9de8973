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
       * Email address for the team's emails, or `undefined` if the operator was never invited to
       * the operator pages.
       */
      address: address || undefined,
      /** Whether the operator has a passkey that isn't blocked. */
      enrolled: Number(enrolled) > 0,
    })),
);

/** Normalizes a name for comparison so that names that look alike at a glance are equal. */
function foldName(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
}

/** Finds a current operator by name, ignoring case, accents and punctuation. */
export async function findOperator(database: Read, typed: string): Promise<Operator | undefined> {
  const match = foldName(typed);
  return (await listOperators(database)).find(
    (operator) => !operator.leftAt && foldName(operator.name) === match,
  );
}

/**
 * Adds an operator, unless a current operator has a matching name.
 * @returns the name of the matching operator, or `undefined` if the operator was added
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
 * Ends an operator's membership and erases the operator's email address. The history still contains
 * the operator's name.
 */
export const endOperator = updating("operators", ["leftAt", "address"]);

/** Records that an operator was invited to the operator pages. */
export const grantAccess = updating("operators", ["role", "address", "invitedAt"]);

/** Changes an operator's role without ending the operator's sessions. */
export const updateRole = updating("operators", ["role"]);

export const updateMoreMails = updating("operators", ["moreMails"]);

/**
 * Lists the current operators who can sign in. If no operator has a passkey yet, lists all current
 * operators.
 */
export function listWhoCanSignIn(operators: readonly Operator[]): Operator[] {
  const team = operators.filter(({ leftAt }) => leftAt === undefined);
  const enrolled = team.filter((operator) => operator.enrolled);
  return enrolled.length > 0 ? enrolled : team;
}

/** Lists the invited admins who can sign in and therefore invite operators. */
export function listAdmins(operators: readonly Operator[]): Operator[] {
  return listWhoCanSignIn(operators).filter(({ role, invitedAt }) => role === "admin" && invitedAt);
}
