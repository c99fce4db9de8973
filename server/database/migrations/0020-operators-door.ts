import type { Kysely } from "kysely";

/** How operators come in: roles, invitations, passkeys, recovery codes and sessions. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .alterTable("operators")
    .addColumn("role", "text", (column) => column.notNull().defaultTo("operator"))
    .execute();
  await schema
    .alterTable("operators")
    .addColumn("address", "text", (column) => column.notNull().defaultTo(""))
    .execute();
  for (const name of ["user_handle", "invited_at"]) {
    await schema.alterTable("operators").addColumn(name, "text").execute();
  }

  await schema
    .createTable("operator_invitations")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id"))
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .addColumn("used_at", "text")
    .execute();

  await schema
    .createTable("operator_passkeys")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id"))
    .addColumn("credential_id", "text", (column) => column.notNull().unique())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("counter", "integer", (column) => column.notNull())
    .addColumn("transports", "text", (column) => column.notNull())
    .addColumn("device", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("used_at", "text")
    .addColumn("doubted_at", "text")
    .execute();

  await schema
    .createTable("operator_recovery_codes")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("used_at", "text")
    .execute();

  await schema
    .createTable("operator_sessions")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("operator_id", "integer", (column) => column.notNull().references("operators.id"))
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("device", "text", (column) => column.notNull())
    .addColumn("opened_at", "text", (column) => column.notNull())
    .addColumn("seen_at", "text", (column) => column.notNull())
    .addColumn("touched_at", "text")
    .execute();

  await schema
    .createTable("operator_challenges")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .execute();

  for (const table of ["invitations", "passkeys", "recovery_codes", "sessions"]) {
    await schema
      .createIndex(`operator_${table}_of`)
      .on(`operator_${table}`)
      .column("operator_id")
      .execute();
  }
}
