import { randomInt } from "node:crypto";

/**
 * Spreads a counter over several rows, because concurrent transactions that add to one row wait for
 * each other's commits. Readers sum the rows. Each server starts at a random row.
 */
const slots = 64;
let last = randomInt(slots);

/** Returns the number of the row to add to. */
export function nextSlot(): number {
  last = (last + 1) % slots;
  return last;
}
