import { finding, replacing, updating, type Write } from "./statement.ts";

/**
 * The last time at which the server ran with a trusted clock; a clock that is wrong from the
 * start is compared with it. Written every minute, which also shows that the store is writable.
 */
export const readLastSeen = finding("last_seen", {}, ({ at }) => at);

const replaceSeen = replacing("last_seen");

export const recordSeen = (transaction: Write, { now }: { now: Temporal.Instant }) =>
  replaceSeen(transaction, { id: 1, at: now, probedAt: now });

/** Only tests that the store is writable, while the clock is not trusted. */
export const recordProbe = updating("last_seen", ["probedAt"], {});
