import { setImmediate } from "node:timers/promises";

/** How many connections are taken in between two pieces of work that hold the one thread. */
const connections = 64;

/**
 * Whoever waits for the one thread goes first: whoever connects, and whoever asks for what is ready. The event loop takes
 * in one new connection each time it turns (libuv since 1.46), so with a single turn between, a newcomer would wait for as
 * many pieces of work as there are connections before theirs. A turn in which nothing happens takes microseconds.
 */
export async function letOthersIn(): Promise<void> {
  for (let turn = 0; turn < connections; turn++) await setImmediate();
}
