import { type Kysely, sql } from "kysely";
import { makeTable } from "./making-tables.ts";

/**
 * Links and recovery codes are in one table, which the first migration makes since. A store from before has others: there
 * whoever is signed in signs in again, and invitations and recovery codes are made anew; passkeys stay.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === "operator_recovery_codes")) return;
  await database.schema.dropTable("operator_recovery_codes").execute();
  for (const table of ["operator_invitations", "operator_sessions"] as const) {
    await database.schema.dropTable(table).execute();
    await makeTable(database, table, "0003-contract-codes");
    await database.schema.createIndex(`${table}_of`).on(table).column("operator_id").execute();
  }
  await sql`alter table operator_passkeys drop column transports`.execute(database);
  await sql`update operator_passkeys set used_at = created_at where used_at is null`.execute(
    database,
  );
}
