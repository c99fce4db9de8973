import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Replaces the tables of invitations and recovery codes in stores that are older than the released
 * migration 0001. Operators keep their passkeys, but must sign in again and need new invitations
 * and recovery codes.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const tables = await database.introspection.getTables();
  if (!tables.some(({ name }) => name === "operator_recovery_codes")) return;
  await runScript(
    database,
    ({ id, integer, text }) => `
    drop table operator_recovery_codes;
    drop table operator_invitations;
    create table "operator_invitations" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id"),
      "hash" ${text} not null unique,
      "purpose" ${text} not null,
      "expires_at" ${text},
      "used_at" ${text}
    );
    create index "operator_invitations_of" on "operator_invitations" ("operator_id");
    drop table operator_sessions;
    create table "operator_sessions" (
      "id" ${id},
      "operator_id" ${integer} not null references "operators" ("id"),
      "hash" ${text} not null unique,
      "device" ${text} not null,
      "opened_at" ${text} not null,
      "seen_at" ${text} not null,
      "passkey_id" ${integer}
    );
    create index "operator_sessions_of" on "operator_sessions" ("operator_id");
    alter table operator_passkeys drop column transports;
    update operator_passkeys set used_at = created_at where used_at is null`,
  );
}
