import type { Database } from "../database/database.ts";
import type { Keys } from "./keys.ts";

export type KeyCheckResult = { ok: true } | { ok: false; problem: string };

/**
 * Makes sure that the keys are those this database was used with, and enters new ones. With other keys mails could
 * not be read back and the erasure ledger would silently stop matching, so nothing may run with them.
 */
export async function checkKeys(database: Database, keys: Keys): Promise<KeyCheckResult> {
  return database.write(async (transaction) => {
    const known = await transaction.selectFrom("key_checks").selectAll().execute();
    const newest = Math.max(0, ...known.map((row) => row.version));
    if (Math.max(...keys.versions) < newest) return wrong;
    for (const version of keys.versions) {
      const hash = keys.hashWith("check", "", version)?.hash ?? "";
      const row = known.find((one) => one.version === version);
      if (row ? row.hash !== hash : version < newest) return wrong;
      if (!row) await transaction.insertInto("key_checks").values({ version, hash }).execute();
    }
    return { ok: true };
  });
}

const wrong: KeyCheckResult = {
  ok: false,
  problem:
    "The keys are not those of this database. Set SECRET_KEYS as the server has it (or put back the file “keys” in the data folder); a new key needs a higher version than all before it.",
};
