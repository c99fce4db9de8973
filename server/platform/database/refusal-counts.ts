import { listing, replacing } from "./statement.ts";

/**
 * A way in which a client can be refused. The store keeps daily counts of refused sign-ins and
 * account-system calls and the time of the last refusal, but nothing about the client. It keeps
 * them a day longer than the Health page looks back (`schema.ts`).
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

/** Adds to a day's count. */
export const addRefusals = replacing("refusals", "count");

export const listRefusals = listing("refusals", { day: ">=" }, ["day"]);
