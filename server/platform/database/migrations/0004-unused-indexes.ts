import type { Kysely } from "kysely";
import { runScript } from "./run-script.ts";

/** Drops indexes that neither this version nor 1.10 uses. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await runScript(
    database,
    `
    drop index if exists requests_by_address;
    drop index if exists requests_by_end;
    drop index if exists requests_by_owner;
    drop index if exists requests_to_do_received;
    drop index if exists request_events_of_trials;
    drop index if exists outbox_failing;
    drop index if exists hand_overs_done;
    drop index if exists hand_overs_open;
    drop index if exists hand_overs_silent`,
  );
}
