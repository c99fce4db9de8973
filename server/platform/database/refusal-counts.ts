import { listing, replacing } from "./statement.ts";

/**
 * Daily counts of refused sign-ins and calls, and the time of the last refusal, with nothing about
 * the client. Kept a day longer than Health looks back (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

/** Adds to the count of a day. */
export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
