import { type EmailAddress, matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import type { Database } from "../../database/database.ts";
import { type Read, reading } from "../../database/statement.ts";
import { toInstant } from "../../database/time.ts";
import type { KeyedHash, Keys } from "../../keys/keys.ts";
import { enterAct } from "../store/audit-log.ts";
import { findEntry, findHead, readEntries } from "./chain.ts";
import { type ChainVerdict, checkChain } from "./verification.ts";

/**
 * The erasure ledger: what stays of ended requests, without a name. It answers one question after a backup was
 * restored: which of these accounts had been deleted already?
 */

export type CheckResult = {
  /** Accounts whose deletion was completed. */
  mustBeErased: { address: string; reference: string; completedAt: Temporal.Instant }[];
  /** Lines with a usable address. */
  read: number;
  /** Lines without one, apart from the first, which may be a head. */
  unreadable: number;
  /** Whether any deletion was ever completed in this store. */
  hasEntries: boolean;
  /** Entries whose key is gone: nobody can tell whom they mean. */
  unknownKeys: number;
};

export function createLedger(services: {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
}) {
  const { database, keys, clock } = services;

  async function checkOne(
    address: string,
  ): Promise<{ reference: string; completedAt: Temporal.Instant } | undefined> {
    for (const version of keys.versions) {
      const hash = keys.hashWith("ledger", matchEmail(address), version);
      const completed = hash && (await newestCompleted(database.read, hash));
      if (completed) return completed;
    }
    return undefined;
  }

  return {
    /** @param lines one account each: an address, or a line of CSV that contains one */
    async check(lines: readonly string[], name: string): Promise<CheckResult> {
      const result: CheckResult = {
        mustBeErased: [],
        read: 0,
        unreadable: 0,
        hasEntries: (await findHead(database.read)).sequence > 0,
        unknownKeys: await countUnknown(database.read, keys),
      };
      const { addresses, unreadable } = readAddresses(lines);
      result.read = addresses.length;
      result.unreadable = unreadable;
      for (const address of addresses) {
        const found = await checkOne(address);
        if (found) result.mustBeErased.push({ address, ...found });
      }
      await database.write((transaction) =>
        enterAct(transaction, {
          at: clock(),
          name,
          act: "ledger-check",
          about: String(result.read),
        }),
      );
      return result;
    },

    /**
     * Whether every entry is there, unchanged and in its place.
     * @param hash of an entry that somebody outside has: whether it stands here
     */
    async verify(name: string, hash?: string): Promise<ChainVerdict> {
      const verdict = await checkChain(database, keys, clock(), hash);
      const about = verdict.findings.length === 0 ? "whole" : "not whole";
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act: "ledger-verify", about }),
      );
      return verdict;
    },

    /**
     * The requests of all completed deletions that the ledger still holds, oldest first: what to ask an account system
     * about after its accounts were restored. What was reopened since is not among them.
     */
    async *listCompleted(): AsyncGenerator<number> {
      for await (const { what, requestId, sequence } of readEntries(database.read)) {
        if (what !== "completed" || requestId === undefined) continue;
        const newest = await findEntry(database.read, { requestId });
        if (newest?.sequence === sequence) yield requestId;
      }
    },
  };
}

/** Ended requests whose hash was made with a key that is gone: nobody can tell whose they were. */
export async function countUnknown(database: Read, keys: Keys): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const version = await nextVersion(database, { after });
    if (version == null) return count;
    if (!keys.versions.includes(version)) {
      count += await countOfVersion(database, { version });
    }
    after = version;
  }
}

const newestCompleted = reading(
  (tables, { hash, version }: KeyedHash) =>
    tables
      .selectFrom("requests")
      .select(["reference", "ended_at"])
      .where("address_hash", "=", hash)
      .where("address_hash_version", "=", version)
      .where("state", "=", "completed")
      .orderBy("id", "desc")
      .limit(1),
  ([row]) =>
    row?.ended_at ? { reference: row.reference, completedAt: toInstant(row.ended_at) } : undefined,
);

const nextVersion = reading(
  (tables, { after }: { after: number }) =>
    tables
      .selectFrom("requests")
      .select("address_hash_version as version")
      .where("address_hash", "is not", null)
      .where("address_hash_version", ">", after)
      .orderBy("address_hash_version")
      .limit(1),
  ([row]) => row?.version,
);

const countOfVersion = reading(
  (tables, { version }: { version: number }) =>
    tables
      .selectFrom("requests")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("address_hash", "is not", null)
      .where("address_hash_version", "=", version),
  ([row]) => Number(row?.count),
);

/** @param lines one account each; those without a usable address are counted, but for the first, which may be a head */
function readAddresses(lines: readonly string[]): {
  addresses: EmailAddress[];
  unreadable: number;
} {
  const addresses: EmailAddress[] = [];
  let unreadable = 0;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const address = findAddress(line);
    if (address) addresses.push(address);
    else if (index > 0) unreadable++;
  }
  return { addresses, unreadable };
}

function findAddress(line: string): EmailAddress | undefined {
  for (const cell of line.split(/[,;\t]/)) {
    const parsed = parseEmailAddress(cell.trim().replace(/^"(.*)"$/, "$1"));
    if (parsed.ok) return parsed.email;
  }
  return undefined;
}
