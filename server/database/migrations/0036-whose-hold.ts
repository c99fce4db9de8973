import { type Kysely, sql } from "kysely";

/** Who keeps a request waiting, since when an answer is waited for, and when the account system was asked what it knows. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable("requests").addColumn("held_by", "text").execute();
  await sql`
    update requests set held_by = (
      select actor from request_events
      where request_events.request_id = requests.id and request_events.type = 'hold'
      order by request_events.id desc limit 1
    ) where held_until is not null and ended_at is null`.execute(database);
  await database.schema.alterTable("hand_overs").addColumn("waiting_since", "text").execute();
  await database.schema.alterTable("hand_overs").addColumn("standing_at", "text").execute();
  await sql`update hand_overs set waiting_since = asked_at where state = 'asked'`.execute(database);
}
