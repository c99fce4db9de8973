import {
  type EmailAddress,
  matchEmail,
  parseEmailAddress,
} from "../../platform/addresses/email-address.ts";
import type { Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { counting, finding, listing, type Read } from "../../platform/database/statement.ts";
import { recordAct } from "../repository/audit-log.ts";
import { findLastEntry } from "./entries.ts";

/**
 * Finds deleted accounts that came back because the account system restored a backup. Compares the
 * hashes in the rows of completed requests, because their email addresses are erased.
 * @param lines one account per line: an email address, or a CSV line that contains an email address
 * @param name the operator who runs the check, for the journal
 */
export async function checkAccounts(
  { database, keys, clock }: { database: Database; keys: Keys; clock: () => Temporal.Instant },
  lines: readonly string[],
  name: string,
) {
  const found = lines.map(findAddress);
  const addresses = found.filter((address) => address !== undefined);
  const unreadable = lines.filter((line, at) => at > 0 && line.trim() !== "" && !found[at]);
  const mustBeErased: { address: string; reference: string; completedAt: Temporal.Instant }[] = [];
  for (const address of addresses) {
    const deleted = await findDeleted(database.read, keys, address);
    if (deleted) mustBeErased.push({ address, ...deleted });
  }
  const read = addresses.length;
  const act = { at: clock(), name, act: "ledger-check", about: String(read) } as const;
  await database.write((transaction) => recordAct(transaction, act));
  return {
    /** Accounts that must be deleted again, because a request for them was completed. */
    mustBeErased,
    /** Number of lines with a valid email address. */
    read,
    /**
     * Number of lines without a valid email address. Ignores blank lines, and the first line, which
     * may be a header.
     */
    unreadable: unreadable.length,
    hasEntries: (await findLastEntry(database.read)) !== undefined,
    unknownKeys: await countUnknown(database.read, keys),
  };
}

async function findDeleted(database: Read, keys: Keys, address: string) {
  for (const version of keys.versions) {
    const addressHash = keys.hashWith("ledger", matchEmail(address), version)?.hash;
    if (!addressHash) continue;
    const of = { addressHash, addressHashVersion: version, state: "completed" };
    const completed = await newest(database, of);
    if (completed) return completed;
  }
  return undefined;
}

/**
 * Counts ended requests that can't be matched, because the key that hashed their address is gone.
 */
export async function countUnknown(database: Read, keys: Keys): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const [version] = await nextVersion(database, { addressHashVersion: after, limit: 1 });
    if (version === undefined) return count;
    if (!keys.versions.includes(version)) {
      count += await countOfVersion(database, { addressHashVersion: version });
    }
    after = version;
  }
}

const newest = finding(
  "requests",
  { addressHash: "=", addressHashVersion: "=", state: "=" },
  ({ reference, endedAt }) => endedAt && { reference, completedAt: endedAt },
  "id",
);

const nextVersion = listing(
  "requests",
  { addressHash: "is not null", addressHashVersion: ">" },
  ["addressHashVersion"],
  "addressHashVersion",
);

const countOfVersion = counting("requests", {
  addressHash: "is not null",
  addressHashVersion: "=",
});

function findAddress(line: string): EmailAddress | undefined {
  for (const cell of line.split(/[,;\t]/)) {
    const parsed = parseEmailAddress(cell.trim().replace(/^"(.*)"$/, "$1"));
    if (parsed.ok) return parsed.email;
  }
  return undefined;
}
