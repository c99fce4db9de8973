import { type Kysely, sql } from "kysely";

/**
 * When a person was told that the day promised to them has passed, and under which key of a form an operator's act was
 * entered.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable("requests").addColumn("told_late_at", "text").execute();
  await database.schema
    .createIndex("requests_to_tell_late")
    .on("requests")
    .columns(["due_on", "id"])
    .where(sql<boolean>`state in ('confirmed', 'in-progress') and told_late_at is null`)
    .execute();
  await database.schema.alterTable("request_events").addColumn("form_key", "text").execute();
  await database.schema
    .createIndex("request_events_by_form")
    .on("request_events")
    .columns(["request_id", "form_key"])
    .where(sql<boolean>`form_key is not null`)
    .execute();
}
