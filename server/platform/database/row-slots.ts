import { randomInt } from "node:crypto";

/**
 * Splits a counter into several rows, because concurrent transactions that increment the same row
 * wait for each other's commits. Readers sum the rows. Each server starts at a random row.
 */
const slots = 64;
let last = randomInt(slots);

export function nextSlot(): number {
  last = (last + 1) % slots;
  return last;
}
