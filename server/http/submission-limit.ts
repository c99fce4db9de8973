import type { RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../database/database.ts";
import type { Keys } from "../keys/keys.ts";
import { clientNetwork } from "./client-address.ts";

export type SubmissionLimit = {
  /** Counts one submission. `ok: false` tells after how many milliseconds the next one is accepted. */
  take(clientAddress: string): Promise<{ ok: true } | { ok: false; retryAfterMs: number }>;
};

/**
 * At most `count` submissions per client and window, wherever they arrive. Clients are told apart by a hash of their
 * address under the server's keys, another one each day of `clock`; it goes an hour after its window.
 */
export function createSubmissionLimit(options: {
  /** What is counted together. */
  name: string;
  count: number;
  windowMs: number;
  clock: () => Temporal.Instant;
  keys: Pick<Keys, "hash">;
  database: Pick<Database, "limits">;
}): SubmissionLimit {
  const limiter = options.database.limits(options);
  return {
    async take(clientAddress) {
      const today = options.clock().toString().slice(0, 10);
      const client = options.keys.hash("client", `${today} ${clientNetwork(clientAddress)}`).hash;
      try {
        await limiter.consume(client);
        return { ok: true };
      } catch (refusal) {
        return { ok: false, retryAfterMs: (refusal as RateLimiterRes).msBeforeNext };
      }
    },
  };
}
