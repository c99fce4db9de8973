import type { Kysely } from "kysely";

/** Each was only written: no statement of this version or of 1.10 needs it in either database, or another does as well. */
const unused = [
  "requests_by_address",
  "requests_by_end",
  "requests_by_owner",
  "requests_to_do_received",
  "request_events_of_trials",
  "outbox_failing",
  "hand_overs_done",
  "hand_overs_open",
  "hand_overs_silent",
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const index of unused) await database.schema.dropIndex(index).ifExists().execute();
}
