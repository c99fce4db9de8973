import { type Kysely, sql } from "kysely";
import { makeColumns } from "./making-tables.ts";

export async function up(database: Kysely<unknown>): Promise<void> {
  await makeColumns(database, "0005-after-a-restore");
  await sql.raw("create index unknown_jobs_by_time on unknown_jobs (at)").execute(database);
}
