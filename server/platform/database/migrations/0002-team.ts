import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Adds an index on the journal's hand-overs between operators, and renames the role `keeper`. Until
 * the previous version is replaced, it treats an admin as an operator.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    `
    create index journal_of_hand_overs on journal (act, id) where act = 'hand-over';
    update operators set role = 'admin' where role = 'keeper'`,
  );
}
