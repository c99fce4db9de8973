import type { Kysely } from "kysely";

/** The servers that run on one database, and what their clients have sent lately. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("instances")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("beat", "integer", (column) => column.notNull())
    .addColumn("facts", "text", (column) => column.notNull())
    .addColumn("mail_files", "integer", (column) => column.notNull())
    .addColumn("entered_at", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("limits")
    .addColumn("key", "text", (column) => column.primaryKey())
    .addColumn("points", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("expire", "integer")
    .execute();
}
