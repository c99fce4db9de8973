import type { Kysely } from "kysely";

/** Whose mailbox a link was asked for, as a keyed hash: what strangers can cause is counted by it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable("tokens").addColumn("mailbox", "text").execute();
  await database.schema
    .createIndex("tokens_asked")
    .on("tokens")
    .columns(["mailbox", "created_at"])
    .execute();
}
