import type { Kysely } from "kysely";

/** Of when the oldest copy is that stands where the newest was written: none stands longer than is promised. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable("last_copies").addColumn("oldest_at", "text").execute();
}
