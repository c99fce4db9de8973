import type { Pool } from "pg";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";

/** Counts how often each client did something within a while. */
export type Limits = (options: { name: string; count: number; windowMs: number }) => Limiter;

/** Rejects with how long to wait, as `RateLimiterRes`, when it was too often. */
export type Limiter = { consume(client: string): Promise<unknown> };

/** For one server: it counts in its memory. */
export function createOwnLimits(): Limits {
  return ({ count, windowMs }) =>
    new RateLimiterMemory({ points: count, duration: windowMs / 1000 });
}

/** For several: they count in one table. While that cannot be reached, each counts for itself. */
export function createSharedLimits(pool: Pool): Limits {
  return ({ name, count, windowMs }) => {
    const options = { points: count, duration: windowMs / 1000, keyPrefix: name };
    return new RateLimiterPostgres({
      ...options,
      storeClient: pool,
      storeType: "pool",
      tableName: "limits",
      tableCreated: true,
      insuranceLimiter: new RateLimiterMemory(options),
    });
  };
}
