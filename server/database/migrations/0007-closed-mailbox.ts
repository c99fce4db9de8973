import { type Kysely, sql } from "kysely";
import { makeColumns } from "./making-tables.ts";

/** The hour from which an entered request can be approved, drafts of operators, and what finds either. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await makeColumns(database, "0007-closed-mailbox");
  for (const index of indexes) await sql.raw(index).execute(database);
}

const indexes = [
  "create index requests_entered on requests (expires_at) where state = 'received' and entered_by is not null",
  "create index drafts_by_request on drafts (request_id, operator_id)",
  "create index drafts_by_time on drafts (saved_at)",
];
