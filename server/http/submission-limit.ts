import { createHmac, randomBytes } from "node:crypto";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { clientNetwork } from "./client-address.ts";

export type SubmissionLimit = {
  /** Counts one submission. `ok: false` tells after how many milliseconds the next one is accepted. */
  take(clientAddress: string): Promise<{ ok: true } | { ok: false; retryAfterMs: number }>;
};

/**
 * At most `count` submissions per client and window. Clients are told apart by a keyed hash of their address; the
 * key lives in memory only and changes with the day of `clock`, so nothing kept here leads back to a person.
 */
export function createSubmissionLimit(options: {
  count: number;
  windowMs: number;
  clock: () => Temporal.Instant;
}): SubmissionLimit {
  const limiter = new RateLimiterMemory({
    points: options.count,
    duration: options.windowMs / 1000,
  });
  let day = "";
  let key = randomBytes(32);
  return {
    async take(clientAddress) {
      const today = options.clock().toString().slice(0, 10);
      if (today !== day) {
        day = today;
        key = randomBytes(32);
      }
      const client = createHmac("sha256", key)
        .update(clientNetwork(clientAddress))
        .digest("base64url");
      try {
        await limiter.consume(client);
        return { ok: true };
      } catch (refusal) {
        return { ok: false, retryAfterMs: (refusal as RateLimiterRes).msBeforeNext };
      }
    },
  };
}
