import { type Kysely, sql } from "kysely";

/** What was handed to the account system, which of its calls were heard, and what is known of it as a whole. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("hand_overs")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("request_id", "integer", (column) =>
      column.notNull().references("requests.id").onDelete("cascade"),
    )
    .addColumn("public_id", "text", (column) => column.notNull().unique())
    .addColumn("test", "integer", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("asked_at", "text", (column) => column.notNull())
    .addColumn("begun_at", "text")
    .addColumn("answered_at", "text")
    .addColumn("reminded_for", "text")
    .addColumn("again_at", "text")
    .addColumn("account_id", "text")
    .addColumn("rechecked_at", "text")
    .execute();
  await database.schema
    .createTable("account_calls")
    .addColumn("call_id", "text", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createTable("account_system")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("stopped_at", "text")
    .addColumn("reconciled_on", "text")
    .execute();
  await sql`insert into account_system (id) values (1)`.execute(database);
  for (const statement of [
    "create index hand_overs_by_request on hand_overs (request_id)",
    "create index hand_overs_silent on hand_overs (asked_at) where state in ('asked', 'started')",
    "create index hand_overs_again on hand_overs (again_at) where again_at is not null",
    "create index hand_overs_open on hand_overs (state, asked_at) where state in ('asked', 'started', 'blocked', 'failed')",
    "create index hand_overs_done on hand_overs (id) where state = 'done'",
    "create index account_calls_by_time on account_calls (at)",
  ]) {
    await sql.raw(statement).execute(database);
  }
}
