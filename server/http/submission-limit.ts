import { createHmac, randomBytes } from "node:crypto";
import type { RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "../database/database.ts";
import type { Keys } from "../keys/keys.ts";
import { networksOf } from "./networks.ts";

export type SubmissionLimit = {
  /** Counts one submission. `ok: false` tells after how many milliseconds the next one is accepted. */
  take(clientAddress: string): Promise<{ ok: true } | { ok: false; retryAfterMs: number }>;
};

/**
 * At most `count` submissions per client and window, wherever they arrive. Clients are told apart by a keyed hash of
 * their address. Where one server counts, the key lives in memory only and changes with the day of `clock`, so nothing
 * kept here leads back to a person; several servers need the same one, and make it of the day and their keys.
 */
export function createSubmissionLimit(options: {
  /** What is counted together. */
  name: string;
  count: number;
  windowMs: number;
  clock: () => Temporal.Instant;
  keys: Pick<Keys, "hash">;
  database: Pick<Database, "limits" | "isShared">;
}): SubmissionLimit {
  const { database, keys } = options;
  const limiter = database.limits(options);
  let day = "";
  let key = randomBytes(32);
  function hash(today: string, network: string): string {
    if (database.isShared) return keys.hash("client", `${today} ${network}`).hash;
    if (today !== day) {
      day = today;
      key = randomBytes(32);
    }
    return createHmac("sha256", key).update(network).digest("base64url");
  }
  return {
    async take(clientAddress) {
      const today = options.clock().toString().slice(0, 10);
      try {
        await limiter.consume(hash(today, networksOf(clientAddress)[0].prefix));
        return { ok: true };
      } catch (refusal) {
        return { ok: false, retryAfterMs: (refusal as RateLimiterRes).msBeforeNext };
      }
    },
  };
}
