import { type Kysely, sql } from "kysely";

/** What operators did, newest first: a keeper reads the acts of everybody on one page. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createIndex("request_events_by_operators")
    .on("request_events")
    .columns(["at", "id"])
    .where(sql<boolean>`actor = 'operator'`)
    .execute();
  await database.schema
    .createIndex("journal_by_time_and_id")
    .on("journal")
    .columns(["at", "id"])
    .execute();
}
