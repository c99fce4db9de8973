import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Adds a column for the time from which operators may approve an entered request, and a table for
 * operators' drafts.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    ({ integer, text }) => `
    alter table "requests" add column "approvable_at" ${text};
    create table "drafts" (
      "operator_id" ${integer} not null references "operators" ("id"),
      "request_id" ${integer} not null references "requests" ("id") on delete cascade,
      "form" ${text} not null,
      "text" ${text} not null,
      "saved_at" ${text} not null,
      constraint "drafts_key" primary key ("operator_id", "request_id", "form")
    );
    create index requests_entered on requests (expires_at) where state = 'received' and entered_by is not null;
    create index drafts_by_request on drafts (request_id, operator_id);
    create index drafts_by_time on drafts (saved_at)`,
  );
}
