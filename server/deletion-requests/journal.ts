import { sql } from "kysely";
import { type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";

/**
 * What persons did with the store as a whole, or to a request that is gone: exports, checks against the ledger, merges,
 * backups and deletions. Acts on a request that stays are entered in its own trail.
 */
export type JournalAct =
  | "delete"
  | "export"
  | "ledger-export"
  | "ledger-check"
  | "ledger-verify"
  | "restore"
  | "restore-confirm"
  | "backup"
  | "figures-export"
  | "subject-file"
  | "away"
  | "away-end"
  | "calendar-feed"
  | "calendar-feed-end"
  | "add-operator"
  | "remove-operator"
  | "invite"
  | "change-role"
  | "enrol"
  | "sign-in"
  | "sign-out"
  | "recovery"
  | "add-passkey"
  | "remove-passkey"
  | "passkey-doubted"
  | "new-codes"
  | "end-sessions"
  | "trust-clock"
  | "account-recheck"
  | "account-resume";

/** Those that change who may come in. */
export const accessActs = [
  "add-operator",
  "remove-operator",
  "invite",
  "change-role",
  "enrol",
  "recovery",
  "add-passkey",
  "remove-passkey",
  "passkey-doubted",
  "new-codes",
  "end-sessions",
] as const satisfies JournalAct[];

export type JournalEntry = {
  id: number;
  at: Temporal.Instant;
  name: string;
  act: string;
  /** A reference, or how many it concerned. Names no person the act was about. */
  about: string;
};

export async function enterAct(
  transaction: Write,
  entry: { at: Temporal.Instant; name: string; act: JournalAct; about: string },
): Promise<void> {
  await transaction.run(insertAct, { ...entry, at: toText(entry.at) });
}

const insertAct = writing(
  (tables, { at, name, act, about }: { at: string; name: string; act: string; about: string }) =>
    tables.insertInto("journal").values({ at, name, act, about }),
);

/** Newest first, from the one before `before`. */
export async function listActs(
  database: Read,
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<JournalEntry[]> {
  const rows = await database.all(actsBefore, { before, limit });
  return rows.map((row) => ({ ...row, at: toInstant(row.at) }));
}

const actsBefore = reading((tables, { before, limit }: { before: number; limit: number }) =>
  tables
    .selectFrom("journal")
    .selectAll()
    .where("id", "<", before)
    .orderBy("id", "desc")
    .limit(limit),
);

/** Oldest first, from the one behind `after`. */
export async function listActsAfter(
  database: Read,
  after: number,
  limit: number,
): Promise<JournalEntry[]> {
  const rows = await database.all(actsAfter, { after, limit });
  return rows.map((row) => ({ ...row, at: toInstant(row.at) }));
}

const actsAfter = reading((tables, { after, limit }: { after: number; limit: number }) =>
  tables.selectFrom("journal").selectAll().where("id", ">", after).orderBy("id").limit(limit),
);

const readAtOnce = 200;

/** Reads back until it finds one: acts on the whole store are few. */
export async function findNewestAct(
  database: Read,
  act: JournalAct,
): Promise<JournalEntry | undefined> {
  for (let before: number | undefined; ; ) {
    const acts = await listActs(database, readAtOnce, before);
    const found = acts.find((one) => one.act === act);
    if (found || acts.length < readAtOnce) return found;
    before = acts.at(-1)?.id;
  }
}

/** How often it was changed since then who may come in, and when last. */
export async function findAccessChanges(
  database: Read,
  since: Temporal.Instant,
): Promise<{ count: number; newestAt: Temporal.Instant | undefined }> {
  const row = await database.one(accessChangesSince, { since: toText(since) });
  return { count: Number(row?.count ?? 0), newestAt: toInstant(row?.newest_at ?? null) };
}

const accessChangesSince = reading((tables, { since }: { since: string }) =>
  tables
    .selectFrom("journal")
    .select((select) => [
      select.fn.countAll<number>().as("count"),
      select.fn.max<string | null>("at").as("newest_at"),
    ])
    .where("at", ">=", since)
    .where(
      "act",
      "in",
      accessActs.map((act) => sql.lit(act)),
    ),
);

/** Names of operators are kept as long as the requests they dealt with. */
export async function dropOldActs(transaction: Write, before: Temporal.Instant): Promise<void> {
  await transaction.run(dropActs, { before: toText(before) });
}

const dropActs = writing((tables, { before }: { before: string }) =>
  tables.deleteFrom("journal").where("at", "<=", before),
);
