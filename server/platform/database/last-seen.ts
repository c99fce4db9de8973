import { finding, replacing, updating, type Write } from "./statement.ts";

/**
 * Finds the last time at which the server ran with a trusted clock, to detect a clock that is wrong
 * at startup. The server writes it every minute, which also shows that the store is writable.
 */
export const readLastSeen = finding("last_seen", {}, ({ at }) => at);

const replaceSeen = replacing("last_seen");

export const recordSeen = (transaction: Write, { now }: { now: Temporal.Instant }) =>
  replaceSeen(transaction, { id: 1, at: now, probedAt: now });

/** Records only that the store is writable, while the clock isn't trusted. */
export const recordProbe = updating("last_seen", ["probedAt"], {});
