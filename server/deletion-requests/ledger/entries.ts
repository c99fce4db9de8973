import { createHash } from "node:crypto";
import type { KeyedHash, Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import type { RowIn } from "../../platform/database/rows.ts";
import {
  finding,
  inserting,
  insertingOnce,
  listing,
  type Read,
  readAll,
  reading,
  type Write,
} from "../../platform/database/statement.ts";
import type { EndedRequest } from "../state-machine/request.ts";
import { type EntryFacts, readLine, writeEntry } from "./entry.ts";
import type { Proof } from "./proof.ts";

/**
 * An entry of the erasure ledger, signed and immutable. Each outcome and each reopening of a
 * request adds an entry in the same transaction. Old entries are deleted by age (`schema.ts`).
 */
export type Entry = RowIn<"ledger_entries">;

// Writing entries

async function addEntry(
  { transaction, keys, now }: { transaction: Write; keys: Keys; now: Temporal.Instant },
  requestId: number,
  facts: EntryFacts,
): Promise<Entry> {
  // During an update, version 1.12 may run at the same time. It numbers entries in the same way,
  // under the same lock.
  await transaction.lock("ledger");
  const sequence = ((await findLastEntry(transaction))?.sequence ?? 0) + 1;
  const text = writeEntry(now, facts);
  const { version: keyVersion, signature } = keys.sign(text);
  const { what } = facts;
  const hash = createHash("sha256").update(text, "utf8").digest("hex");
  const entry = { sequence, requestId, what, enteredAt: now, text, keyVersion, signature, hash };
  await insertEntry(transaction, entry);
  return entry;
}

const insertEntry = inserting("ledger_entries");

/**
 * Records the outcome of a request. Returns the proof for its receipt.
 * @param ended.account hash of the email address, as stored in the request's row
 */
export async function recordEnd(
  transaction: Write,
  keys: Keys,
  ended: EndedRequest & { account: KeyedHash },
  now: Temporal.Instant,
): Promise<Proof> {
  const { id, reference, state: what } = ended;
  // Uses the newest key, as the account's hash does. The entry contains the key's version.
  const { hash: number } = keys.hash("receipt", reference);
  const entry = await addEntry({ transaction, keys, now }, id, { ...ended, what, number });
  return toProof(entry, number);
}

/** Revokes the request's newest entry by adding an entry "reopened". */
export async function recordUndo(
  transaction: Write,
  keys: Keys,
  { id, reference }: { id: number; reference: string },
  now: Temporal.Instant,
): Promise<void> {
  const entry = await findEntry(transaction, { requestId: id });
  if (!entry || entry.what === "reopened") {
    throw new Error(`Request ${id} has no ledger entry to revoke`);
  }
  await addEntry({ transaction, keys, now }, id, { what: "reopened", reference });
}

// Reading entries

export const findLastEntry = (database: Read) => lastEntryAfter(database, { sequence: 0 });

const lastEntryAfter = finding("ledger_entries", { sequence: ">" }, undefined, "sequence");

export const findEntry = finding("ledger_entries", { requestId: "=" }, undefined, "sequence");

export const findEntryAt = finding("ledger_entries", { sequence: "=" });

/** Returns the proof for a receipt, or undefined if the request has no valid entry. */
export async function findProof(
  database: Read,
  keys: Keys,
  requestId: number,
): Promise<Proof | undefined> {
  const entry = await findEntry(database, { requestId });
  if (!entry || entry.what === "reopened") return undefined;
  const reference = readLine(entry.text, "Reference") ?? "";
  const version = Number(readLine(entry.text, "Account")?.split(".")[0]);
  const hasAddress = readLine(entry.text, "Address") !== undefined;
  const number = hasAddress ? keys.hashWith("receipt", reference, version)?.hash : undefined;
  return toProof(entry, number);
}

/**
 * @param number undefined if the entry has no `Address` line, or if the key that derived the number
 * is gone
 */
const toProof = (entry: Entry, number: string | undefined): Proof => ({
  text: entry.text,
  signature: entry.signature,
  keyVersion: entry.keyVersion,
  number,
  entry: entry.sequence,
  hash: entry.hash,
});

export const readEntries = (database: Read) => readAll(database, entriesAfter, "sequence");

const entriesAfter = listing("ledger_entries", { sequence: ">" }, ["sequence"]);

/**
 * Yields the ids of completed requests that weren't reopened, oldest first. An account system that
 * restored a backup must recheck these requests.
 */
export async function* listCompletions(database: Read): AsyncGenerator<number> {
  for await (const { what, requestId, sequence } of readEntries(database)) {
    if (what !== "completed" || requestId === undefined) continue;
    const newest = await findEntry(database, { requestId });
    if (newest?.sequence === sequence) yield requestId;
  }
}

// Signing keys

export const listPublishedKeys = reading((tables) =>
  tables.selectFrom("signing_keys").selectAll().orderBy("version", "desc"),
);

/** Publishes the server's public signing keys at startup. Replaced keys stay published. */
export async function publishKeys(
  database: Database,
  keys: Keys,
  now: Temporal.Instant,
): Promise<void> {
  const known = new Set((await listPublishedKeys(database.read)).map((key) => key.version));
  const fresh = keys.publicKeys().filter((key) => !known.has(key.version));
  if (fresh.length === 0) return;
  await database.write(async (transaction) => {
    for (const key of fresh) await publish(transaction, { ...key, since: now });
  });
}

const publish = insertingOnce("signing_keys");
