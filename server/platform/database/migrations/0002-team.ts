import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/**
 * Adds an index on the journal's entries about handovers to the next team, and renames the role
 * `keeper` to `admin`. The previous version treats admins as operators until it is replaced.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    `
    create index journal_of_hand_overs on journal (act, id) where act = 'hand-over';
    update operators set role = 'admin' where role = 'keeper'`,
  );
}
