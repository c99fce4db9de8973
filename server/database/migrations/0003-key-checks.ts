import type { Kysely } from "kysely";

/** Which keys this database was used with, so that it is never used with others by mistake. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("key_checks")
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute();
}
