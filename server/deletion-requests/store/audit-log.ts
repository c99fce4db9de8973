import { type Selectable, sql } from "kysely";
import type { Tables } from "../../database/schema.ts";
import { type At, reading, writing } from "../../database/statement.ts";
import { toInstant } from "../../database/time.ts";

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
  | "add-operator"
  | "remove-operator"
  | "invite"
  | "change-role"
  | "hand-over"
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

export const enterAct = writing(
  (tables, { at, name, act, about }: { at: At; name: string; act: JournalAct; about: string }) =>
    tables.insertInto("journal").values({ at, name, act, about }),
);

/** Newest first, from the one before `before`. */
export const listActs = reading(
  (tables, { before, limit }: { before: number; limit: number }) =>
    tables
      .selectFrom("journal")
      .selectAll()
      .where("id", "<", before)
      .orderBy("id", "desc")
      .limit(limit),
  toEntries,
);

/** Oldest first, from the one behind `after`. */
export const listActsAfter = reading(
  (tables, { after, limit }: { after: number; limit: number }) =>
    tables.selectFrom("journal").selectAll().where("id", ">", after).orderBy("id").limit(limit),
  toEntries,
);

function toEntries(rows: readonly Selectable<Tables["journal"]>[]): JournalEntry[] {
  return rows.map((row) => ({ ...row, at: toInstant(row.at) }));
}

/** How often it was changed since then who may come in, and when last. */
export const findAccessChanges = reading(
  (tables, { since }: { since: At }) =>
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
  ([row]) => ({ count: Number(row?.count), newestAt: toInstant(row?.newest_at ?? null) }),
);

/** Names of operators are kept as long as the requests they dealt with. */
export const dropOldActs = writing((tables, { before }: { before: At }) =>
  tables.deleteFrom("journal").where("at", "<=", before),
);
