import { type Kysely, sql } from "kysely";

/** What waits is found channel by channel, so that none stands in another's way. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const name of ["outbox_waiting", "outbox_leased"]) {
    await database.schema.dropIndex(name).execute();
  }
  for (const statement of [
    "create index outbox_waiting on outbox (recipient, next_at, id) where state = 'waiting'",
    "create index outbox_leased on outbox (recipient, lease_until) where state = 'sending'",
    "create index outbox_failing_of on outbox (recipient, created_at) where state = 'waiting' and failures > 0",
  ]) {
    await sql.raw(statement).execute(database);
  }
}
