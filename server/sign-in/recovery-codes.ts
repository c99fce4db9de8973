import { randomBytes } from "node:crypto";
import { type At, inserting, reading, type Write, writing } from "../database/statement.ts";
import { hashToken } from "../keys/tokens.ts";

/**
 * For a lost phone: ten codes of 80 random bits, shown once, each good once. So long that a plain hash of them tells
 * nothing.
 */

const howMany = 10;
/** Crockford's: no letter looks like a digit. */
const signs = "0123456789abcdefghjkmnpqrstvwxyz";

function createCode(): string {
  const letters = [...randomBytes(16)].map((byte) => signs[byte % 32]).join("");
  return letters.match(/.{4}/g)?.join("-") ?? "";
}

/** Reads a code however it was typed: in capitals, with spaces or without hyphens, an O for a 0. */
function hashCode(typed: string): string {
  const plain = typed
    .toLowerCase()
    .replace(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return hashToken(`recovery ${plain}`);
}

/** New codes in place of all that somebody had. */
export async function createRecoveryCodes(
  transaction: Write,
  operatorId: number,
  at: Temporal.Instant,
): Promise<string[]> {
  await dropCodes(transaction, { operatorId });
  const codes = Array.from({ length: howMany }, createCode);
  const row = { operator_id: operatorId, created_at: at };
  for (const code of codes) await insertCode(transaction, { ...row, hash: hashCode(code) });
  return codes;
}

const dropCodes = writing((tables, { operatorId }: { operatorId: number }) =>
  tables.deleteFrom("operator_recovery_codes").where("operator_id", "=", operatorId),
);

const insertCode = inserting("operator_recovery_codes", ["hash", "operator_id", "created_at"]);

/** Whose code this is, who is still with the team; the code is used up by it. */
export async function spendRecoveryCode(
  transaction: Write,
  typed: string,
  at: Temporal.Instant,
): Promise<{ operatorId: number; name: string } | undefined> {
  const hash = hashCode(typed);
  const owner = await ownerOfCode(transaction, { hash });
  return owner && (await markUsed(transaction, { hash, at })) > 0 ? owner : undefined;
}

const ownerOfCode = reading(
  (tables, { hash }: { hash: string }) =>
    tables
      .selectFrom("operator_recovery_codes")
      .innerJoin("operators", "operators.id", "operator_recovery_codes.operator_id")
      .select(["operators.id", "operators.name"])
      .where("hash", "=", hash)
      .where("left_at", "is", null),
  ([owner]) => owner && { operatorId: owner.id, name: owner.name },
);

const markUsed = writing((tables, { hash, at }: { hash: string; at: At }) =>
  tables
    .updateTable("operator_recovery_codes")
    .set({ used_at: at })
    .where("hash", "=", hash)
    .where("used_at", "is", null),
);

/** How many somebody has left. */
export const countRecoveryCodes = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables
      .selectFrom("operator_recovery_codes")
      .select(tables.fn.countAll<number>().as("count"))
      .where("operator_id", "=", operatorId)
      .where("used_at", "is", null),
  ([row]) => Number(row?.count),
);
