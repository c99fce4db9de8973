import { type Kysely, sql } from "kysely";

/** Requests as they are received, and the forms that asked for them. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("requests")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("email_match", "text", (column) => column.notNull())
    .addColumn("received_at", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("requests_one_open_per_address")
    .on("requests")
    .column("email_match")
    .unique()
    .where(sql.ref("state"), "in", ["received", "confirmed", "in-progress"])
    .execute();
  await database.schema
    .createTable("submissions")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("request_id", "integer", (column) =>
      column.notNull().references("requests.id").onDelete("cascade"),
    )
    .addColumn("reference", "text", (column) => column.notNull().unique())
    .addColumn("form_key_hash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("feedback", "text", (column) => column.notNull())
    .addColumn("received_at", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("submissions_by_request")
    .on("submissions")
    .column("request_id")
    .execute();
}
