import { listing, replacing } from "./statement.ts";

/**
 * Daily counts of refused sign-ins and calls, and when the last one was refused; nothing about the
 * client. Kept a day longer than the Health page looks back (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

/** Adds to a day's count. */
export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
