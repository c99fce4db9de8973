import { type Kysely, sql } from "kysely";

/**
 * What keeps people's slips from harming: an end that waits and can be undone, holds, owners, operators that are
 * known, what really happened to the data, the dates by which promises are judged, and requests for closed mailboxes.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const name of [
    "completion",
    "done_at",
    "held_reason",
    "held_until",
    "owner",
    "first_due_on",
    "on_time_by",
    "entered_by",
    "ended_by",
  ]) {
    await database.schema.alterTable("requests").addColumn(name, "text").execute();
  }
  for (const name of ["contact", "contact_match"]) {
    await database.schema
      .alterTable("requests")
      .addColumn(name, "text", (column) => column.notNull().defaultTo(""))
      .execute();
  }
  await sql`update requests set
    first_due_on = coalesce(
      (select due_from from request_events
        where request_id = requests.id and type = 'extend' and due_from is not null order by id limit 1),
      due_on),
    on_time_by = due_on,
    ended_by = case state when 'cancelled' then 'person' when 'completed' then 'operator'
      when 'refused' then 'operator' end,
    owner = (select nullif(name, '') from request_events
      where request_id = requests.id and type = 'take' order by id desc limit 1)
    where due_on is not null`.execute(database);
  const index = (statement: string) => sql.raw(`create index ${statement}`).execute(database);
  await index("requests_done on requests (done_at) where done_at is not null");
  await index(
    "requests_held on requests (held_until, id) where held_until is not null and ended_at is null",
  );
  await index("requests_by_contact on requests (contact_match) where contact_match <> ''");
  await index(
    "requests_owned on requests (owner, id) where owner is not null and ended_at is null",
  );

  await database.schema
    .createTable("operators")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("name_match", "text", (column) => column.notNull())
    .addColumn("added_at", "text", (column) => column.notNull())
    .addColumn("left_at", "text")
    .execute();
  await sql`create unique index operators_known on operators (name_match) where left_at is null`.execute(
    database,
  );

  await database.schema
    .createTable("gone_references")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("how", "text", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();
  await index("gone_references_by_time on gone_references (at)");
}
