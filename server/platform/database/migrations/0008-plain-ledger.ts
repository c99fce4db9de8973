import { type Kysely, PostgresAdapter } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Lets ledger entries expire, and makes the hashes that chained the entries optional. Drops no
 * tables or columns, because version 1.12 may run alongside this version and still uses all of
 * these tables and columns (decision 0136).
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  await runScript(database, isPostgres ? altered : madeAgain);
  await runScript(
    database,
    `
    create index ledger_by_time on ledger_entries (entered_at);
    delete from ledger_heads;
    delete from ledger_checkpoint`,
  );
}

const altered = "alter table ledger_entries alter column hash set default ''";

/** Recreates the table, because SQLite can't change the default of an existing column. */
const madeAgain = `
  create table "ledger_entries_again" (
    "sequence" integer primary key,
    "request_id" integer,
    "what" text not null,
    "entered_at" text not null,
    "text" text not null,
    "hash" text default '' not null,
    "key_version" integer not null,
    "signature" text not null
  );
  insert into ledger_entries_again select sequence, request_id, what, entered_at, text, hash, key_version, signature
    from ledger_entries;
  drop table ledger_entries;
  alter table ledger_entries_again rename to ledger_entries;
  create index ledger_by_request on ledger_entries (request_id, sequence)`;
