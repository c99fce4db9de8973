import type { Kysely } from "kysely";
import { makeColumns } from "./making-tables.ts";

/** A form may name a telephone. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await makeColumns(database, "0003-phone");
}
