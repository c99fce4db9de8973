import type { Kysely } from "kysely";

/** What one instance of the server does for all of them, and which one it is at present. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("until", "text", (column) => column.notNull())
    .execute();
}
