import { finding, replacing, updating, type Write } from "./statement.ts";

/**
 * When the server last ran on this store with a clock that could be believed: what a clock that is wrong from the start
 * is measured by. Entered every minute, which also shows that the store can be written.
 */
export const readLastSeen = finding("last_seen", {}, ({ at }) => at);

const replaceSeen = replacing("last_seen");

export const enterSeen = (transaction: Write, { now }: { now: Temporal.Instant }) =>
  replaceSeen(transaction, { id: 1, at: now, probedAt: now });

/** The clock cannot be believed: only shows that the store can be written. */
export const enterProbe = updating("last_seen", ["probedAt"], {});
