import { z } from "zod";
import { matchEmail, parseEmailAddress } from "../addresses/email-address.ts";
import type { Database, Write } from "../database/database.ts";
import { toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { listMessageKeys } from "../outbox/outbox.ts";
import { addEvent, eraseTypedWords } from "./store.ts";

/**
 * The erasure ledger: what stays of ended requests, without a name. It answers one question after a backup was
 * restored: which of these accounts had been deleted already?
 */

/** One ended request as it is carried outside the database, one line of JSON each. */
export const ledgerEntrySchema = z.strictObject({
  references: z.array(z.string().min(1)).min(1),
  reference: z.string().min(1),
  state: z.enum(["completed", "cancelled", "refused"]),
  reason: z.string(),
  refusalReason: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  confirmedOn: z.iso.date(),
  dueOn: z.iso.date(),
  hash: z.string().min(1),
  keyVersion: z.int().min(1),
});

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export type CheckResult = {
  /** Accounts whose deletion was completed. */
  mustBeErased: { address: string; reference: string; completedAt: Temporal.Instant }[];
  /** Lines without a usable address. */
  unreadable: number;
  /** Entries whose key is gone: nobody can tell whom they mean. */
  unknownKeys: number;
};

export function createLedger(services: {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  /** Removes the files of these mails; absent ones are fine. */
  removeMailFiles: (messageKeys: readonly string[]) => Promise<void>;
}) {
  const { database, keys, clock } = services;

  return {
    /** @param lines one account each: an address, or a line of CSV that contains one */
    async check(lines: readonly string[]): Promise<CheckResult> {
      const rows = await database.kysely
        .selectFrom("requests")
        .select(["reference", "ended_at", "address_hash", "address_hash_version"])
        .where("state", "=", "completed")
        .where("address_hash", "is not", null)
        .orderBy("ended_at", "desc")
        .execute();
      const entries = rows.map((row) => ({
        reference: row.reference ?? "",
        completedAt: Temporal.Instant.from(row.ended_at ?? ""),
        hash: { hash: row.address_hash ?? "", version: row.address_hash_version ?? 0 },
      }));
      const result: CheckResult = {
        mustBeErased: [],
        unreadable: 0,
        unknownKeys: entries.filter(
          (entry) => keys.hashWith("ledger", "", entry.hash.version) === undefined,
        ).length,
      };
      const byHash = new Map(entries.toReversed().map((entry) => [idOf(entry.hash), entry]));
      const versions = [...new Set(entries.map((entry) => entry.hash.version))];
      for (const line of lines) {
        if (line.trim() === "") continue;
        const address = findAddress(line);
        if (!address) {
          result.unreadable++;
          continue;
        }
        const found = versions
          .map((version) => keys.hashWith("ledger", matchEmail(address), version))
          .flatMap((hash) => (hash ? [byHash.get(idOf(hash))] : []))
          .find((entry) => entry !== undefined);
        if (found) {
          const { reference, completedAt } = found;
          result.mustBeErased.push({ address, reference, completedAt });
        }
      }
      return result;
    },

    /** Everything that has ended, to be kept apart from the backups of the database. */
    async list(): Promise<LedgerEntry[]> {
      const rows = await database.kysely
        .selectFrom("requests")
        .selectAll()
        .where("address_hash", "is not", null)
        .orderBy("id")
        .execute();
      const submissions = await database.kysely
        .selectFrom("submissions")
        .select(["request_id", "reference", "reason"])
        .orderBy("id")
        .execute();
      const byRequest = Map.groupBy(submissions, (row) => row.request_id);
      return rows.map((row) => {
        const own = byRequest.get(row.id) ?? [];
        return {
          references: own.map((submission) => submission.reference),
          reference: row.reference ?? "",
          state: row.state as LedgerEntry["state"],
          reason: own.find((one) => one.reference === row.reference)?.reason ?? "",
          refusalReason: row.refusal_reason,
          receivedAt: row.received_at,
          confirmedAt: row.confirmed_at ?? row.received_at,
          endedAt: row.ended_at ?? row.received_at,
          confirmedOn: row.confirmed_on ?? "",
          dueOn: row.due_on ?? "",
          hash: row.address_hash ?? "",
          keyVersion: row.address_hash_version ?? 0,
        };
      });
    },

    /**
     * Brings a restored database up to date: requests that had ended are ended and erased again, missing ones are
     * entered. Returns how many entries changed something.
     */
    async merge(entries: readonly LedgerEntry[]): Promise<number> {
      let changed = 0;
      for (const entry of entries) {
        const did = await database.write((transaction) =>
          mergeEntry(transaction, entry, clock(), services.removeMailFiles),
        );
        if (did) changed++;
      }
      await database.erasePhysically();
      return changed;
    },
  };
}

async function mergeEntry(
  transaction: Write,
  entry: LedgerEntry,
  now: Temporal.Instant,
  removeMailFiles: (messageKeys: readonly string[]) => Promise<void>,
): Promise<boolean> {
  const known = await transaction
    .selectFrom("submissions")
    .innerJoin("requests", "requests.id", "submissions.request_id")
    .select(["requests.id", "requests.state", "requests.erased_at"])
    .where("submissions.reference", "in", entry.references)
    .executeTakeFirst();
  if (known?.erased_at && known.state === entry.state) return false;
  const facts = {
    state: entry.state,
    email: "",
    email_match: "",
    received_at: entry.receivedAt,
    reference: entry.reference,
    expires_at: null,
    confirmed_at: entry.confirmedAt,
    confirmed_on: entry.confirmedOn,
    due_on: entry.dueOn,
    ended_at: entry.endedAt,
    refusal_reason: entry.refusalReason,
    address_hash: entry.hash,
    address_hash_version: entry.keyVersion,
    erased_at: toText(now),
  };
  const id =
    known?.id ??
    (
      await transaction
        .insertInto("requests")
        .values(facts)
        .returning("id")
        .executeTakeFirstOrThrow()
    ).id;
  if (known) {
    await removeMailFiles(await listMessageKeys(transaction, id));
    await transaction.updateTable("requests").set(facts).where("id", "=", id).execute();
    await eraseTypedWords(transaction, id);
    await transaction.deleteFrom("tokens").where("request_id", "=", id).execute();
  }
  for (const reference of entry.references) {
    await transaction
      .insertInto("submissions")
      .values({
        request_id: id,
        reference,
        // Nobody holds the form key any more; the column only has to differ from all others.
        form_key_hash: `ledger:${reference}`,
        email: "",
        reason: entry.reason,
        feedback: "",
        received_at: entry.receivedAt,
      })
      .onConflict((conflict) => conflict.column("reference").doNothing())
      .execute();
  }
  await addEvent(transaction, id, {
    at: now,
    actor: "system",
    name: "",
    type: "restore",
    fromState: known?.state ?? "",
    toState: entry.state,
    code: "",
    note: "",
    dueFrom: undefined,
    dueTo: undefined,
  });
  return true;
}

function findAddress(line: string): string | undefined {
  for (const cell of line.split(/[,;\t]/)) {
    const parsed = parseEmailAddress(cell.trim().replace(/^"(.*)"$/, "$1"));
    if (parsed.ok) return parsed.email;
  }
  return undefined;
}

function idOf({ version, hash }: { version: number; hash: string }): string {
  return `${version}:${hash}`;
}
