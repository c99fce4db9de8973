import { listing, replacing } from "./statement.ts";

/**
 * Kind of refused request. The store keeps daily counts of refused sign-ins and account-system
 * calls and the time of the last refusal, but nothing about the client. It keeps them a day longer
 * than the Health page looks back (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
