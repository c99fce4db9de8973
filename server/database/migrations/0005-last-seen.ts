import { type Kysely, sql } from "kysely";

/** When this store was last served, and an index of the messages that could not leave. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("last_seen")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("probed_at", "text", (column) => column.notNull())
    .execute();
  await sql`create index outbox_failing on outbox (created_at)
    where state = 'waiting' and failures > 0`.execute(database);
}
