import type { Database } from "../database/database.ts";
import { inserting, reading } from "../database/statement.ts";
import type { Keys } from "./keys.ts";

export type KeyCheckResult = { ok: true } | { ok: false; problem: string };

/**
 * Makes sure that the keys are those this database was used with, and enters new ones. With other keys mails could
 * not be read back and the erasure ledger would silently stop matching, so nothing may run with them.
 */
export async function checkKeys(database: Database, keys: Keys): Promise<KeyCheckResult> {
  const judged = judge(keys, await knownKeys(database.read));
  if (!judged.ok || judged.fresh.length === 0) return judged;
  return database.write(async (transaction) => {
    const again = judge(keys, await knownKeys(transaction));
    if (again.ok) for (const key of again.fresh) await enterKey(transaction, key);
    return again;
  });
}

type KnownKey = { version: number; hash: string };

function judge(
  keys: Keys,
  known: readonly KnownKey[],
): { ok: true; fresh: KnownKey[] } | Extract<KeyCheckResult, { ok: false }> {
  const fresh: KnownKey[] = [];
  const newest = Math.max(0, ...known.map((row) => row.version));
  if (Math.max(...keys.versions) < newest) return wrong;
  for (const version of keys.versions) {
    const hash = keys.hashWith("check", "", version)?.hash ?? "";
    const row = known.find((one) => one.version === version);
    if (row ? row.hash !== hash : version < newest) return wrong;
    if (!row) fresh.push({ version, hash });
  }
  return { ok: true, fresh };
}

const knownKeys = reading((tables) => tables.selectFrom("key_checks").selectAll());

const enterKey = inserting("key_checks", ["version", "hash"]);

const wrong: Extract<KeyCheckResult, { ok: false }> = {
  ok: false,
  problem:
    "The keys are not those of this database. Set SECRET_KEYS as the server has it (or put back the file “keys” in the data folder); a new key needs a higher version than all before it.",
};
