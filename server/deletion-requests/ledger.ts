import { z } from "zod";
import { matchEmail, parseEmailAddress } from "../addresses/email-address.ts";
import { type Calendar, dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { findHead } from "./chain.ts";
import { type ChainVerdict, checkChain } from "./chain-check.ts";
import type { Forget, Forgetting } from "./forgetting.ts";
import { enterAct } from "./journal.ts";
import { refusalReasons } from "./life.ts";
import { dropLinks } from "./links.ts";
import { reasonCodes } from "./reasons.ts";
import { findRequest } from "./store/finding.ts";
import { listReferences } from "./store/forms.ts";
import { isEnded, type StoredRequest, toRequest } from "./store/request.ts";
import { addEvent } from "./store/trail.ts";
import { tally, tookDays } from "./tallies.ts";

/**
 * The erasure ledger: what stays of ended requests, without a name. It answers one question after a backup was
 * restored: which of these accounts had been deleted already?
 */

/** One ended request as it is carried outside the database, one line of JSON each. */
export const ledgerEntrySchema = z.strictObject({
  references: z.array(z.string().min(1)).min(1),
  reference: z.string().min(1),
  state: z.enum(["completed", "cancelled", "refused"]),
  reason: z.enum(reasonCodes),
  refusalReason: z.enum(refusalReasons).nullable(),
  receivedAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  confirmedOn: z.iso.date(),
  dueOn: z.iso.date(),
  hash: z.string().min(1),
  keyVersion: z.int().min(1),
});

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/** Of so many an entry carries the references: more were made by a program. */
const ledgerReferences = 100;
const carriedAtOnce = 500;

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
  calendar: Calendar;
  clock: () => Temporal.Instant;
  forgetting: Forgetting;
}) {
  const { database, keys, clock } = services;

  async function checkOne(
    address: string,
  ): Promise<{ reference: string; completedAt: Temporal.Instant } | undefined> {
    for (const version of keys.versions) {
      const hash = keys.hashWith("ledger", matchEmail(address), version);
      const row = hash && (await database.read.one(newestCompleted, hash));
      if (row?.ended_at) {
        return { reference: row.reference, completedAt: toInstant(row.ended_at) };
      }
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
        unknownKeys: 0,
      };
      for (let after = 0; ; ) {
        const version = (await database.read.one(nextVersion, { after }))?.version;
        if (version == null) break;
        if (!keys.versions.includes(version)) {
          const counted = await database.read.one(countOfVersion, { version });
          result.unknownKeys += Number(counted?.count ?? 0);
        }
        after = version;
      }
      for (const [index, line] of lines.entries()) {
        if (line.trim() === "") continue;
        const address = findAddress(line);
        if (!address) {
          if (index > 0) result.unreadable++;
          continue;
        }
        result.read++;
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

    /** Whether every entry is there, unchanged and in its place. */
    async verify(name: string): Promise<ChainVerdict> {
      const verdict = await checkChain(database, keys);
      const about = verdict.findings.length === 0 ? "whole" : "not whole";
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act: "ledger-verify", about }),
      );
      return verdict;
    },

    /** Everything that has ended, to be kept apart from the backups of the database. */
    async *list(name: string): AsyncGenerator<LedgerEntry> {
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act: "ledger-export", about: "" }),
      );
      for (let last = 0; ; ) {
        const rows = await database.read.all(endedAfterId, { last, limit: carriedAtOnce });
        for (const row of rows) {
          const request = toRequest(row);
          if (!isEnded(request)) throw new Error(`Row ${row.id} of requests has not ended`);
          yield {
            references: await listReferences(database.read, request.id, ledgerReferences),
            reference: request.reference,
            state: request.state,
            reason: request.reason,
            refusalReason: request.state === "refused" ? request.refusalReason : null,
            receivedAt: toText(request.receivedAt),
            confirmedAt: toText(request.confirmedAt),
            endedAt: toText(request.endedAt),
            confirmedOn: request.confirmedOn.toString(),
            dueOn: request.dueOn.toString(),
            hash: row.address_hash ?? "",
            keyVersion: row.address_hash_version ?? 0,
          };
        }
        const end = rows.at(-1);
        if (!end) return;
        last = end.id;
      }
    },

    /**
     * Brings a restored database up to date: requests that had ended are ended and erased again, missing ones are
     * entered. Returns how many entries changed something.
     */
    async merge(entries: readonly LedgerEntry[], name: string): Promise<number> {
      const now = clock();
      let changed = 0;
      for (const entry of entries) {
        const did = await services.forgetting.writeLot((transaction, forget) =>
          mergeEntry(services.calendar, transaction, forget, entry, name, now),
        );
        if (did) changed++;
      }
      await database.write((transaction) =>
        enterAct(transaction, { at: now, name, act: "ledger-merge", about: String(changed) }),
      );
      await services.forgetting.finish(now);
      return changed;
    },
  };
}

const newestCompleted = reading((tables, { hash, version }: { hash: string; version: number }) =>
  tables
    .selectFrom("requests")
    .select(["reference", "ended_at"])
    .where("address_hash", "=", hash)
    .where("address_hash_version", "=", version)
    .where("state", "=", "completed")
    .orderBy("id", "desc")
    .limit(1),
);

const nextVersion = reading((tables, { after }: { after: number }) =>
  tables
    .selectFrom("requests")
    .select("address_hash_version as version")
    .where("address_hash", "is not", null)
    .where("address_hash_version", ">", after)
    .orderBy("address_hash_version")
    .limit(1),
);

const countOfVersion = reading((tables, { version }: { version: number }) =>
  tables
    .selectFrom("requests")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("address_hash", "is not", null)
    .where("address_hash_version", "=", version),
);

const endedAfterId = reading((tables, { last, limit }: { last: number; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("id", ">", last)
    .where("address_hash", "is not", null)
    .orderBy("id")
    .limit(limit),
);

async function mergeEntry(
  calendar: Calendar,
  transaction: Write,
  forget: Forget,
  entry: LedgerEntry,
  name: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const known = await findKnown(transaction, entry.references);
  if (known && isEnded(known) && known.erasedAt && known.state === entry.state) return false;
  await countUp(calendar, transaction, entry, known);
  const facts = {
    state: entry.state,
    reference: entry.reference,
    reason: entry.reason,
    receivedAt: entry.receivedAt,
    confirmedAt: entry.confirmedAt,
    confirmedOn: entry.confirmedOn,
    dueOn: entry.dueOn,
    endedAt: entry.endedAt,
    refusalReason: entry.refusalReason,
    hash: entry.hash,
    keyVersion: entry.keyVersion,
    now: toText(now),
  };
  let id = known?.id;
  if (id === undefined) {
    id = (await transaction.one(enterEnded, { ...facts, sent: entry.references.length }))?.id;
    if (id === undefined) throw new Error("An ended request was not entered");
  } else {
    await forget(id, "person", now);
    await transaction.run(endAgain, { ...facts, id });
    await dropLinks(transaction, id);
  }
  for (const reference of entry.references) {
    await transaction.run(enterReference, {
      requestId: id,
      reference,
      // Nobody holds the form key any more; the column only has to differ from all others.
      formKeyHash: `ledger:${reference}`,
      reason: entry.reason,
      receivedAt: entry.receivedAt,
    });
  }
  await addEvent(transaction, id, {
    at: now,
    actor: "operator",
    name,
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

async function findKnown(
  transaction: Write,
  references: readonly string[],
): Promise<StoredRequest | undefined> {
  for (const reference of references) {
    const known = await findRequest(transaction, reference);
    if (known) return known;
  }
  return undefined;
}

/** The restored counts end with the backup: what the entry knows beyond it is counted in its own months. */
async function countUp(
  calendar: Calendar,
  transaction: Write,
  entry: LedgerEntry,
  known: StoredRequest | undefined,
): Promise<void> {
  const date = (at: string) => dateAt(calendar, Temporal.Instant.from(at));
  if (!known) await tally(transaction, date(entry.receivedAt), "received");
  if (!known || known.state === "received") {
    await tally(transaction, date(entry.confirmedAt), "confirmed");
  }
  if (known && isEnded(known)) return;
  const endedOn = date(entry.endedAt);
  await tally(transaction, endedOn, entry.state);
  if (entry.state !== "completed") return;
  const [confirmedAt, endedAt] = [entry.confirmedAt, entry.endedAt].map((at) =>
    Temporal.Instant.from(at),
  ) as [Temporal.Instant, Temporal.Instant];
  await tally(transaction, endedOn, tookDays(confirmedAt, endedAt));
  if (Temporal.PlainDate.compare(endedOn, Temporal.PlainDate.from(entry.dueOn)) <= 0) {
    await tally(transaction, endedOn, "completed-on-time");
  }
}

type EndedFacts = {
  state: string;
  reference: string;
  reason: string;
  receivedAt: string;
  confirmedAt: string;
  confirmedOn: string;
  dueOn: string;
  endedAt: string;
  refusalReason: string | null;
  hash: string;
  keyVersion: number;
  now: string;
};

function endedColumns(to: EndedFacts) {
  return {
    state: to.state,
    email: "",
    email_match: "",
    reference: to.reference,
    reason: to.reason,
    received_at: to.receivedAt,
    expires_at: null,
    confirmed_at: to.confirmedAt,
    confirmed_on: to.confirmedOn,
    due_on: to.dueOn,
    ended_at: to.endedAt,
    refusal_reason: to.refusalReason,
    address_hash: to.hash,
    address_hash_version: to.keyVersion,
    erased_at: to.now,
  };
}

const enterEnded = writing((tables, to: EndedFacts & { sent: number }) =>
  tables
    .insertInto("requests")
    .values({ ...endedColumns(to), sent: to.sent })
    .returning("id"),
);

const endAgain = writing((tables, to: EndedFacts & { id: number }) =>
  tables.updateTable("requests").set(endedColumns(to)).where("id", "=", to.id),
);

const enterReference = writing(
  (
    tables,
    to: {
      requestId: number;
      reference: string;
      formKeyHash: string;
      reason: string;
      receivedAt: string;
    },
  ) =>
    tables
      .insertInto("submissions")
      .values({
        request_id: to.requestId,
        reference: to.reference,
        form_key_hash: to.formKeyHash,
        email: "",
        reason: to.reason,
        feedback: "",
        received_at: to.receivedAt,
      })
      .onConflict((conflict) => conflict.column("reference").doNothing()),
);

function findAddress(line: string): string | undefined {
  for (const cell of line.split(/[,;\t]/)) {
    const parsed = parseEmailAddress(cell.trim().replace(/^"(.*)"$/, "$1"));
    if (parsed.ok) return parsed.email;
  }
  return undefined;
}
