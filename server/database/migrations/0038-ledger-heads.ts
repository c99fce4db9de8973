import type { Kysely } from "kysely";

/** How the ledger ended on each day. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("ledger_heads")
    .addColumn("day", "text", (column) => column.primaryKey())
    .addColumn("sequence", "integer", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute();
}
