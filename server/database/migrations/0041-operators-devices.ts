import type { Kysely } from "kysely";

/** By which passkey a session was opened, and whether somebody wants more mails than the daily one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable("operator_sessions")
    .addColumn("passkey_id", "integer")
    .execute();
  await database.schema
    .alterTable("operators")
    .addColumn("more_mails", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}
