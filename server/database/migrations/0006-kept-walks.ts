import type { Kysely } from "kysely";
import { makeColumns } from "./making-tables.ts";

/** Keeps each answer of a walk when it is made, and with each act of an operator what undoing it gives back. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await makeColumns(database, "0006-kept-walks");
}
