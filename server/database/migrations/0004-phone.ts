import type { Kysely } from "kysely";
import { makeColumns } from "./making-tables.ts";

/** A form can say where its person can be rung up. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await makeColumns(database, "0004-phone");
}
