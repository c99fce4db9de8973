import type { Kysely } from "kysely";

/**
 * When operators are away, the private addresses of their calendars, and when copies of the store were last made and
 * the account system was last heard.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("absences")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("operator_id", "integer", (column) =>
      column.notNull().references("operators.id").onDelete("cascade"),
    )
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("from_on", "text", (column) => column.notNull())
    .addColumn("until_on", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("absences_by_operator")
    .on("absences")
    .column("operator_id")
    .execute();

  // One feed at a time for each operator.
  await database.schema
    .createTable("calendar_feeds")
    .addColumn("operator_id", "integer", (column) =>
      column.primaryKey().references("operators.id").onDelete("cascade"),
    )
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("made_at", "text", (column) => column.notNull())
    .execute();

  await database.schema
    .createTable("last_copies")
    .addColumn("what", "text", (column) => column.primaryKey())
    .addColumn("at", "text", (column) => column.notNull())
    .execute();

  await database.schema.alterTable("account_system").addColumn("answered_at", "text").execute();
}
