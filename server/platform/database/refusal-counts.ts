import { listing, replacing } from "./statement.ts";

/**
 * Kind of refused request: a sign-in, or a call from the account system. For each kind, the store
 * keeps a count per day and the time of the last refusal, but nothing about the client. The counts
 * are kept a day longer than the Health page looks back (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
