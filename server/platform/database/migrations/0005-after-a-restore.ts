import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Adds tables for the emails sent after a restore and for deletion jobs that only the account
 * system knows.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    ({ id, integer, text }) => `
    create table "restore_letters" (
      "id" ${id},
      "request_id" ${integer} not null unique references "requests" ("id") on delete cascade,
      "cancel_until" ${text}
    );
    create table "unknown_jobs" (
      "public_id" ${text} primary key,
      "said" ${text} not null,
      "at" ${text} not null
    );
    create index unknown_jobs_by_time on unknown_jobs (at)`,
  );
}
