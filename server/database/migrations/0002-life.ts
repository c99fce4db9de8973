import type { Kysely } from "kysely";

type Before = { requests: { id: number; state: string; expires_at: string | null } };

/** The whole life of a request: its dates, its trail, the links in mails and what must leave. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const name of [
    "reference",
    "expires_at",
    "confirmed_at",
    "confirmed_on",
    "due_on",
    "skipped",
    "started_at",
    "ended_at",
    "refusal_reason",
    "address_hash",
    "erased_at",
  ]) {
    await database.schema.alterTable("requests").addColumn(name, "text").execute();
  }
  await database.schema
    .alterTable("requests")
    .addColumn("address_hash_version", "integer")
    .execute();

  // Requests stored before there were mails get their seven days from now, so that an operator can resend.
  const expiresAt = Temporal.Now.instant().add({ hours: 7 * 24 });
  await (database as Kysely<Before>)
    .updateTable("requests")
    .set({ expires_at: expiresAt.toString({ fractionalSecondDigits: 3 }) })
    .where("state", "=", "received")
    .execute();

  await database.schema
    .createTable("request_events")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("request_id", "integer", (column) =>
      column.notNull().references("requests.id").onDelete("cascade"),
    )
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("actor", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("from_state", "text", (column) => column.notNull())
    .addColumn("to_state", "text", (column) => column.notNull())
    .addColumn("code", "text", (column) => column.notNull())
    .addColumn("note", "text", (column) => column.notNull())
    .addColumn("due_from", "text")
    .addColumn("due_to", "text")
    .execute();
  await database.schema
    .createIndex("request_events_by_request")
    .on("request_events")
    .column("request_id")
    .execute();

  await database.schema
    .createTable("tokens")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("request_id", "integer", (column) =>
      column.notNull().references("requests.id").onDelete("cascade"),
    )
    .addColumn("submission_id", "integer", (column) =>
      column.references("submissions.id").onDelete("cascade"),
    )
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("asked_by", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text")
    .addColumn("used_at", "text")
    .execute();
  await database.schema
    .createIndex("tokens_by_request")
    .on("tokens")
    .column("request_id")
    .execute();

  await database.schema
    .createTable("outbox")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("request_id", "integer", (column) =>
      column.references("requests.id").onDelete("cascade"),
    )
    .addColumn("recipient", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("reference", "text", (column) => column.notNull())
    .addColumn("payload", "text", (column) => column.notNull())
    .addColumn("message_key", "text", (column) => column.notNull().unique())
    .addColumn("once", "text", (column) => column.unique())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("failures", "integer", (column) => column.notNull())
    .addColumn("next_at", "text", (column) => column.notNull())
    .addColumn("lease_until", "text")
    .addColumn("last_problem", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("settled_at", "text")
    .execute();
  await database.schema
    .createIndex("outbox_by_state")
    .on("outbox")
    .columns(["state", "next_at"])
    .execute();
  await database.schema
    .createIndex("outbox_by_request")
    .on("outbox")
    .column("request_id")
    .execute();

  await database.schema
    .createTable("expired_counts")
    .addColumn("month", "text", (column) => column.primaryKey())
    .addColumn("requests", "integer", (column) => column.notNull())
    .execute();
}
