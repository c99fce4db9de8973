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
  for (const statement of [
    "create index hand_overs_waiting on hand_overs (waiting_since) where waiting_since is not null",
    "create index hand_overs_rechecked on hand_overs (asked_at) where rechecked_at is not null",
    "create index request_events_by_date on request_events (at) where code = 'by-date'",
  ]) {
    await sql.raw(statement).execute(database);
  }
}
