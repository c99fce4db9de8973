import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Adds columns for the answers in an unfinished checklist and for the values that undoing an act
 * restores.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    ({ text }) => `
    alter table "requests" add column "walk" ${text};
    alter table "request_events" add column "change" ${text}`,
  );
}
