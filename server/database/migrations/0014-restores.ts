import type { Kysely } from "kysely";

/** Each time that a copy was put back, and whether somebody has looked at what it holds since. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("restores")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("known_until", "text", (column) => column.notNull())
    .addColumn("report", "text", (column) => column.notNull())
    .addColumn("confirmed_at", "text")
    .execute();
}
