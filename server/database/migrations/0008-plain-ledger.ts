import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * The ledger is no chain any more: entries go by their age, and nothing needs their hashes. Version 1.12 may still run
 * beside this one and writes all of it, so nothing is dropped (decision 0136).
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
  const statements = [
    ...(isPostgres ? ["alter table ledger_entries alter column hash set default ''"] : rebuilding),
    "create index ledger_by_time on ledger_entries (entered_at)",
    "delete from ledger_heads",
    "delete from ledger_checkpoint",
  ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** SQLite gives a column its default only when it makes the table. */
const rebuilding = [
  `create table "ledger_entries_again" ("sequence" integer primary key, "request_id" integer, "what" text not null, "entered_at" text not null, "text" text not null, "hash" text default '' not null, "key_version" integer not null, "signature" text not null)`,
  `insert into "ledger_entries_again" select "sequence", "request_id", "what", "entered_at", "text", "hash", "key_version", "signature" from "ledger_entries"`,
  `drop table "ledger_entries"`,
  `alter table "ledger_entries_again" rename to "ledger_entries"`,
  "create index ledger_by_request on ledger_entries (request_id, sequence)",
];
