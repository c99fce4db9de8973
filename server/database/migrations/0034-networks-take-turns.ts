import { type Kysely, sql } from "kysely";

/** Mails that strangers cause leave in turns between networks, and forms are counted by network. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable("outbox")
    .addColumn("turn", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await database.schema.alterTable("outbox").addColumn("lane", "text").execute();
  await database.schema
    .createIndex("outbox_turns")
    .on("outbox")
    .columns(["recipient", "turn", "id", "next_at"])
    .where(sql<boolean>`state = 'waiting'`)
    .execute();
  await database.schema
    .createIndex("outbox_lanes")
    .on("outbox")
    .columns(["lane", "turn"])
    .where(sql<boolean>`lane is not null`)
    .execute();
  await database.schema
    .createTable("network_forms")
    .addColumn("network", "text", (column) => column.notNull())
    .addColumn("hour", "text", (column) => column.notNull())
    .addColumn("forms", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("network_forms_key", ["network", "hour"])
    .execute();
  await database.schema
    .createIndex("network_forms_by_hour")
    .on("network_forms")
    .column("hour")
    .execute();
}
