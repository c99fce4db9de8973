import { finding, replacing, updating, type Write } from "./statement.ts";

/**
 * Reads when a server last ran with a trusted clock, to detect a wrong clock at startup. Servers
 * record this time every minute, which also proves that the store is writable.
 */
export const readLastSeen = finding("last_seen", {}, ({ at }) => at);

const replaceSeen = replacing("last_seen");

export const recordSeen = (transaction: Write, { now }: { now: Temporal.Instant }) =>
  replaceSeen(transaction, { id: 1, at: now, probedAt: now });

/** Records only that the store is writable, for use while the clock isn't trusted. */
export const recordProbe = updating("last_seen", ["probedAt"], {});
