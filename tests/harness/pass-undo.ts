import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Earlier by more than the time in which it can be taken back. */
const earlier = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-11 minutes')`;

/**
 * Lets the minutes pass in which what is done or refused can be taken back: in the store, because a server in a process of
 * its own has a clock of its own.
 * @returns how many requests that concerned
 */
export function passUndo(dataDir: string): number {
  const db = new DatabaseSync(join(dataDir, "requests.sqlite"), { timeout: 30_000 });
  const times = ["received_at", "confirmed_at", "started_at", "done_at"];
  const { changes } = db
    .prepare(
      `update requests set ${times.map((time) => `${time} = ${earlier(time)}`)} where done_at is not null`,
    )
    .run();
  const { changes: refused } = db
    .prepare(
      `update outbox set next_at = ${earlier("next_at")} where kind = 'refused' and state = 'waiting'`,
    )
    .run();
  db.close();
  return Number(changes) + Number(refused);
}
