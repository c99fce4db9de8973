import type { Database } from "../../database/database.ts";
import { type RowIn, toText } from "../../database/rows.ts";
import {
  deleting,
  finding,
  inserting,
  insertingOnce,
  listing,
  type Read,
  readAll,
  reading,
  replacing,
  type Write,
} from "../../database/statement.ts";
import type { KeyedHash, Keys } from "../../keys/keys.ts";
import type { EndedRequest } from "../life/request.ts";
import { type EntryFacts, noEntry, type Place, readLine, writeEntry } from "./entry.ts";
import type { Proof } from "./proof.ts";

/**
 * The erasure ledger as a chain of signed entries. An entry is written in the transaction of the fact it tells, and
 * one transaction at a time continues the chain, so that the order of the entries is the order of the facts.
 */
export type ChainEntry = RowIn<"ledger_entries">;

/** Whoever continues the chain holds it to the end of the transaction: there is one line of entries. */
const line = "ledger";

// Entering

export async function enterInLedger(
  transaction: Write,
  keys: Keys,
  requestId: number | undefined,
  facts: EntryFacts,
  now: Temporal.Instant,
): Promise<ChainEntry> {
  await transaction.lock(line);
  const written = writeEntry(await findHead(transaction), now, facts);
  const { version: keyVersion, signature } = keys.sign(written.text);
  const { what } = facts;
  const entry = { ...written, requestId, what, enteredAt: now, keyVersion, signature };
  await insertEntry(transaction, entry);
  await enterHead(transaction, { day: dayOf(now), sequence: entry.sequence, hash: entry.hash });
  return entry;
}

const insertEntry = inserting("ledger_entries");

const enterHead = replacing("ledger_heads");

/** The day of an instant, in UTC like every time of the ledger. */
function dayOf(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO("UTC").toPlainDate();
}

/**
 * Enters the end of a request, where it stays when the request has lost its name. Returns what its receipt carries.
 * @param ended.account as its row keeps it
 */
export async function enterEnd(
  transaction: Write,
  keys: Keys,
  ended: EndedRequest & { account: KeyedHash },
  now: Temporal.Instant,
): Promise<Proof> {
  const { id, reference, state: what } = ended;
  // Under the newest key, like its account, which says of which version it is.
  const { hash: number } = keys.hash("receipt", reference);
  return toProof(
    await enterInLedger(transaction, keys, id, { ...ended, what, number }, now),
    number,
  );
}

/** The request's last entry no longer holds. */
export async function takeBackInLedger(
  transaction: Write,
  keys: Keys,
  request: { id: number; reference: string },
  now: Temporal.Instant,
): Promise<void> {
  const entry = await findEntry(transaction, { requestId: request.id });
  if (!entry || entry.what === "reopened") {
    throw new Error(`Request ${request.id} has no entry in the ledger to take back`);
  }
  const { id, reference } = request;
  const facts = { what: "reopened", reference, takesBack: entry.hash } as const;
  await enterInLedger(transaction, keys, id, facts, now);
}

// Reading

/** The last entry, or what it would continue. */
export async function findHead(database: Read): Promise<Place> {
  const { MAX_SAFE_INTEGER: sequence } = Number;
  return (await lastEntry(database, { sequence })) ?? (await findCheckpoint(database)) ?? noEntry;
}

const lastEntry = finding(
  "ledger_entries",
  { sequence: "<=" },
  ({ sequence, hash }) => ({ sequence, hash }),
  "sequence",
);

/**
 * The last entry of each day on which something was entered, newest first. A day that is not over is left out: whoever looks
 * again and again would see when somebody's request ended.
 */
export function listHeads(database: Read, now: Temporal.Instant, limit: number) {
  return headsBefore(database, { day: dayOf(now), limit });
}

const headsBefore = listing("ledger_heads", { day: "<" }, ["day", "desc"]);

/** The newest entry of a request. */
export const findEntry = finding("ledger_entries", { requestId: "=" }, undefined, "sequence");

/** What a receipt carries. Undefined where the request has no entry that holds. */
export async function findProof(
  database: Read,
  keys: Keys,
  requestId: number,
): Promise<Proof | undefined> {
  const entry = await findEntry(database, { requestId });
  if (!entry || entry.what === "reopened") return undefined;
  const reference = readLine(entry.text, "Reference") ?? "";
  const version = Number(readLine(entry.text, "Account")?.split(".")[0]);
  const saysWhom = readLine(entry.text, "Address") !== undefined;
  const number = saysWhom ? keys.hashWith("receipt", reference, version)?.hash : undefined;
  return toProof(entry, number);
}

/** @param number undefined where the entry does not say whom it means, or the key of that number is gone */
const toProof = ({ sequence, ...entry }: ChainEntry, number: string | undefined): Proof => ({
  entry: sequence,
  hash: entry.hash,
  text: entry.text,
  signature: entry.signature,
  keyVersion: entry.keyVersion,
  number,
});

export const findEntryAt = finding("ledger_entries", { sequence: "=" });

/** All entries, oldest first. */
export const readEntries = (database: Read) => readAll(database, entriesAfter, "sequence");

/**
 * The requests of all completed deletions that the ledger still holds, oldest first: what to ask an account system about
 * after its accounts were restored. What was reopened since is not among them.
 */
export async function* listCompletions(database: Read): AsyncGenerator<number> {
  for await (const { what, requestId, sequence } of readEntries(database)) {
    if (what !== "completed" || requestId === undefined) continue;
    const newest = await findEntry(database, { requestId });
    if (newest?.sequence === sequence) yield requestId;
  }
}

const entriesAfter = listing("ledger_entries", { sequence: ">" }, ["sequence"]);

/** Up to where the ledger has forgotten. */
export const findCheckpoint = finding("ledger_checkpoint", { id: ["=", 1] });

// Forgetting

/** What a checkpoint says, as it is signed. */
export function writeCheckpoint(last: Place, forgotten: string): string {
  return `Deletion ledger, forgotten up to entry ${last.sequence}\nHash: ${last.hash}\nForgotten: ${forgotten}\n`;
}

/** Whether `forgetEntries` has something to do. */
export async function hasEntriesBefore(database: Read, before: Temporal.Instant): Promise<boolean> {
  const [first] = await entriesAfter(database, { sequence: 0, limit: 1 });
  return first !== undefined && Temporal.Instant.compare(first.enteredAt, before) <= 0;
}

/**
 * Forgets the oldest entries, as far as all of them were entered before an instant; a signed checkpoint tells where the
 * chain goes on.
 */
export async function forgetEntries(
  transaction: Write,
  keys: Keys,
  before: Temporal.Instant,
  limit: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.lock(line);
  const rows = await entriesAfter(transaction, { sequence: 0, limit });
  const kept = rows.findIndex(({ enteredAt }) => Temporal.Instant.compare(enteredAt, before) > 0);
  const old = kept === -1 ? rows : rows.slice(0, kept);
  const last = old.at(-1);
  if (!last) return;
  const text = writeCheckpoint(last, toText(now));
  const { sequence, hash } = last;
  const { version: keyVersion, signature } = keys.sign(text);
  await enterCheckpoint(transaction, { id: 1, sequence, hash, text, keyVersion, signature });
  await dropEntries(transaction, { sequence });
  await dropHeads(transaction, { sequence });
}

const enterCheckpoint = replacing("ledger_checkpoint");

const dropEntries = deleting("ledger_entries", { sequence: "<=" });

const dropHeads = deleting("ledger_heads", { sequence: "<=" });

// Keys

/** The public half of every key that ever signed, newest first. */
export const listPublishedKeys = reading((tables) =>
  tables.selectFrom("signing_keys").selectAll().orderBy("version", "desc"),
);

/** For the start of the server: publishes the public halves of its keys, which stay published when a key is replaced. */
export async function prepareLedger(
  database: Database,
  keys: Keys,
  now: Temporal.Instant,
): Promise<void> {
  const known = new Set((await listPublishedKeys(database.read)).map((key) => key.version));
  const fresh = keys.publicKeys().filter((key) => !known.has(key.version));
  if (fresh.length > 0) {
    await database.write(async (transaction) => {
      for (const key of fresh) await publish(transaction, { ...key, since: now });
    });
  }
}

const publish = insertingOnce("signing_keys");
