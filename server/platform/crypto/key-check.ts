import type { Database } from "../database/database.ts";
import { inserting, reading } from "../database/statement.ts";
import type { Keys } from "./keys.ts";

/**
 * Checks that the keys match this database. Registers new keys if `mayEnter` is set. With the wrong
 * keys, the server couldn't decrypt queued emails, and the erasure ledger would silently stop
 * recognizing accounts.
 */
export async function checkKeys(
  database: Database,
  keys: Keys,
  { mayEnter }: { mayEnter: boolean },
) {
  if (findNew(keys, await knownKeys(database.read))?.length === 0) return right;
  if (!mayEnter) return wrong;
  return database.write(async (transaction) => {
    const fresh = findNew(keys, await knownKeys(transaction));
    for (const key of fresh ?? []) await recordKey(transaction, key);
    return fresh ? right : wrong;
  });
}

type KnownKey = { version: number; hash: string };

/**
 * Returns the keys that aren't registered in the database yet. Returns undefined if a key differs
 * from the registered key of its version, if an unregistered key is older than a registered one, or
 * if all keys are older than the newest registered key. Old registered keys may be missing.
 */
function findNew(keys: Keys, known: readonly KnownKey[]): KnownKey[] | undefined {
  const fresh: KnownKey[] = [];
  const newest = Math.max(0, ...known.map((row) => row.version));
  if (Math.max(...keys.versions) < newest) return undefined;
  for (const version of keys.versions) {
    const hash = keys.hashWith("check", "", version)?.hash ?? "";
    const row = known.find((key) => key.version === version);
    if (row ? row.hash !== hash : version < newest) return undefined;
    if (!row) fresh.push({ version, hash });
  }
  return fresh;
}

const knownKeys = reading((tables) => tables.selectFrom("key_checks").selectAll());

const recordKey = inserting("key_checks");

const right = { ok: true } as const;
const wrong = {
  ok: false,
  problem:
    "The keys don't match this database. Set SECRET_KEYS to the server's value, or restore the file “keys” in the data folder. A new key needs a higher version than all earlier keys.",
} as const;
