import { type Kysely, sql } from "kysely";

/**
 * What the account system said in a dry run is found, and what it deleted although it was on hold; how often somebody was
 * refused on a day is kept. Whoever left before has no address here any more.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "create index request_events_of_trials on request_events (id) where type = 'trial'",
    "create index hand_overs_deleted_held on hand_overs (id) where state = 'deleted-held'",
  ]) {
    await sql.raw(statement).execute(database);
  }
  await sql`update operators set address = '' where left_at is not null`.execute(database);
  await database.schema
    .createTable("refusals")
    .addColumn("day", "text", (column) => column.notNull())
    .addColumn("way", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addColumn("newest_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("refusals_by_day", ["day", "way"])
    .execute();
}
