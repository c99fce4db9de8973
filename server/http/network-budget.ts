import { createHmac, randomBytes } from "node:crypto";
import type { Database } from "../database/database.ts";
import { createOwnPurse, type Share } from "../database/limits.ts";
import type { Keys } from "../keys/keys.ts";
import { networksOf } from "./networks.ts";

export type Spent = { ok: true } | { ok: false; retryAfterMs: number };

/**
 * What a client may cost, and all of its networks together. Whoever has nothing left waits; so do their neighbours when
 * it was a whole network's share, and nobody else.
 */
export type NetworkBudget = ReturnType<typeof createNetworkBudget>;

const formsWindowMs = 10 * 60_000;

/** A quarter of the thread, of which forms at the usual limit need the hundredth part. */
const work = { ms: 2_500, windowMs: 10_000, usualForms: 60 };

/**
 * @param options.forms how many of a single client in ten minutes; what else it may cost grows with it
 *
 * Clients are told apart by a keyed hash of their networks. Where one server counts, the key lives in memory only and
 * changes with the day of `clock`, so nothing kept here leads back to a person; several servers need the same one, and
 * make it of the day and their keys. Work is known by address, for seconds.
 */
export function createNetworkBudget(options: {
  forms: number;
  clock: () => Temporal.Instant;
  keys: Pick<Keys, "hash">;
  database: Pick<Database, "purses" | "isShared">;
}) {
  const { database, keys, forms } = options;
  const takeForms = database.purses({ name: "forms", windowMs: formsWindowMs });
  const takeWork = createOwnPurse(work.windowMs);
  const workMs = work.ms * Math.max(1, forms / work.usualForms);
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

  const sharesOf = (client: string, most: number, nameOf = (prefix: string) => prefix): Share[] =>
    networksOf(client).map(({ prefix, share }) => ({ key: nameOf(prefix), most: most * share }));
  const toSpent = (waitMs: number): Spent =>
    waitMs > 0 ? { ok: false, retryAfterMs: waitMs } : { ok: true };

  return {
    /** One form, with what is stored and mailed for it, wherever it arrives. */
    async spendForm(clientAddress: string): Promise<Spent> {
      const today = options.clock().toString().slice(0, 10);
      const shares = sharesOf(clientAddress, forms, (prefix) => hash(today, prefix));
      return toSpent(await takeForms(shares, 1));
    },
    /** Milliseconds of this server's one thread. `client` is an address, or a name for somebody known. */
    spendWork: (client: string, ms: number) => toSpent(takeWork(sharesOf(client, workMs), ms)),
  };
}
