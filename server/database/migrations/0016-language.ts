import type { Kysely } from "kysely";

/** In which language a person is written to. Empty, as for all before: the campus's first. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable("requests")
    .addColumn("language", "text", (column) => column.notNull().defaultTo(""))
    .execute();
}
