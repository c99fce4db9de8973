import { listing, replacing } from "./statement.ts";

/**
 * How often somebody was refused on a day, and when last: no word of whom. Kept for as long as a row of Health looks back,
 * and a day more (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

/** Adds to the count of a day. */
export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
