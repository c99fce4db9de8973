import { type Kysely, sql } from "kysely";

/** Indexes for the lists on the operators' pages: whose work it is, when it was asked for, and how it ended. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const working = sql<boolean>`state in ('confirmed', 'in-progress')`;
  await database.schema
    .createIndex("requests_by_owner")
    .on("requests")
    .columns(["owner", "due_on", "id"])
    .where(working)
    .execute();
  await database.schema
    .createIndex("requests_to_do_received")
    .on("requests")
    .columns(["received_at", "id"])
    .where(working)
    .execute();
  await database.schema
    .createIndex("requests_by_end")
    .on("requests")
    .columns(["state", "ended_at", "id"])
    .where(sql<boolean>`ended_at is not null`)
    .execute();
}
