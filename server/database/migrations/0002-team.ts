import { type Kysely, sql } from "kysely";

/**
 * What was ticked when the team changed is found without reading the history from end to end. Whoever invites is called an
 * admin; a server of the version before takes them for operators until it is renewed.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index journal_of_hand_overs on journal (act, id) where act = 'hand-over'`.execute(
    database,
  );
  await sql`update operators set role = 'admin' where role = 'keeper'`.execute(database);
}
