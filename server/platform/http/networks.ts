import { BlockList, isIP } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import type { TrustProxy } from "../../config.ts";
import type { Keys } from "../crypto/keys.ts";
import type { Database } from "../database/database.ts";
import type { Share } from "../database/token-buckets.ts";

/**
 * Creates a function that finds a client's IP address. It starts at the connection's peer and walks
 * back through `X-Forwarded-For`, whose last entry is the nearest hop, until the first untrusted
 * hop. If the configuration specifies a number of proxies, it takes the entry that the outermost of
 * them appended.
 */
export function createClientAddress(trust: TrustProxy) {
  const isTrusted = createTrust(trust);
  return (socketAddress: string, forwardedFor: string | null): string => {
    if (!isTrusted(socketAddress)) return socketAddress;
    const chain = readChain(forwardedFor);
    if (trust.kind === "hops") {
      // An invalid entry still counts as a hop. If the client's own entry is invalid, uses the next
      // valid entry closer to us.
      return chain.slice(-trust.count).find((entry) => entry !== undefined) ?? socketAddress;
    }
    let client = socketAddress;
    for (const hop of chain.reverse()) {
      if (!isTrusted(client) || hop === undefined) break;
      client = hop;
    }
    return client;
  };
}

/**
 * This machine and private networks, which are trusted if the configuration specifies only a number
 * of proxies.
 */
const nearby = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
];

/** Creates a function that checks whether a connection comes from one of our own proxies. */
export function createTrust(trust: TrustProxy): (socketAddress: string) => boolean {
  if (trust.kind === "none") return () => false;
  const trusted = new BlockList();
  for (const entry of trust.kind === "hops" ? nearby : trust.addresses) {
    const [address = "", prefix] = entry.split("/");
    const family = familyOf(address);
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (address) => trusted.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

/**
 * Parses the entries of `X-Forwarded-For`. An entry that isn't an IP address becomes `undefined`.
 * Drops the port that some proxies append.
 */
function readChain(forwardedFor: string | null): (string | undefined)[] {
  if (!forwardedFor) return [];
  return forwardedFor.split(",").map((part) => {
    const entry = part.trim();
    const address = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1];
    return [address ?? entry].find((text) => isIP(text) !== 0);
  });
}

// Networks of clients

/**
 * A group of IP addresses. `share` is the group's limit as a multiple of a single client's limit.
 */
type Network = { prefix: string; share: number };

/**
 * Typical IPv6 prefixes: a /64 for a household or phone, a /56 for a subscriber, and a /48 for a
 * company or campus.
 */
const shares6 = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
];

/**
 * Lists the networks that contain an IP address, narrowest first: an IPv4 address and its /24, or
 * an IPv6 address's /64, /56 and /48. Wider networks have a larger share, which grows more slowly
 * than their number of addresses.
 */
export function networksOf(address: string): [Network, ...Network[]] {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const full = { prefix: plain, share: 1 };
  const version = isIP(plain);
  if (version === 4) {
    return [full, { prefix: `${plain.slice(0, plain.lastIndexOf("."))}.0/24`, share: 4 }];
  }
  if (version !== 6) return [full];
  const digits = expandIPv6(plain.toLowerCase()).replaceAll(":", "");
  const [narrowest = full, ...wider] = shares6.map(({ bits, share }) => ({
    prefix: `${digits.slice(0, bits / 4)}/${bits}`,
    share,
  }));
  return [narrowest, ...wider];
}

// Budgets of clients and networks

export type Spent = { ok: true } | { ok: false; retryAfterMs: number };

/**
 * Rate limits for clients and their networks. A client that has used up its budget must wait. Its
 * neighbors must wait only if their common network has used up its budget, too.
 */
export type NetworkBudget = ReturnType<typeof createNetworkBudget>;

const formsWindowMs = 10 * 60_000;

/**
 * Leaky bucket that holds one second of the thread's time and drains by a quarter of a second per
 * second. Even the worst client therefore leaves three quarters of the time to everyone else.
 * Cached pages are free; everything else, including built files and not-found pages, costs budget.
 * A hundred visitors behind one IP address can submit a form at the same moment, and twenty-five
 * more each second.
 */
const work = { ms: 1_000, windowMs: 4_000, usualForms: 60 };

/**
 * Maximum number of buckets, more than honest clients need. Beyond it, the least recently used
 * bucket is dropped.
 */
const mostNames = 200_000;

/**
 * Creates a rate limiter with one leaky bucket for each name. A bucket is full at `most`, and a
 * full bucket drains within `windowMs`. Each call adds its cost to all of its buckets, or to none
 * of them if any is full. A bucket with room takes even a large cost, but never rises above twice
 * `most`.
 * @returns 0 if the cost was added, otherwise the milliseconds until all of the call's buckets have
 * room
 */
function createBucket(windowMs: number): (shares: readonly Share[], cost: number) => number {
  const buckets = new Map<string, { level: number; atMs: number }>();
  return (shares, cost) => {
    const nowMs = performance.now();
    for (const [key, { atMs }] of buckets) {
      if (nowMs - atMs < 2 * windowMs && buckets.size <= mostNames) break;
      buckets.delete(key);
    }
    const levels = shares.map(({ key, most }) => {
      const bucket = buckets.get(key);
      return bucket ? Math.max(0, bucket.level - ((nowMs - bucket.atMs) * most) / windowMs) : 0;
    });
    const waits = shares.map(({ most }, index) => {
      const level = levels[index] ?? 0;
      return level >= most ? windowMs / 4 + ((level - most) / most) * windowMs : 0;
    });
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return waitMs;
    for (const [index, { key, most }] of shares.entries()) {
      buckets.delete(key);
      buckets.set(key, { level: Math.min((levels[index] ?? 0) + cost, 2 * most), atMs: nowMs });
    }
    return 0;
  };
}

/**
 * Limits the number of slots that each client holds at the same time. Wider networks get a multiple
 * of the limit.
 */
export function createPlaces(perClient: number) {
  const held = new Map<string, number>();
  /** @returns a function that frees the slot, or `undefined` if no slot is free */
  return (client: string): (() => void) | undefined => {
    const networks = networksOf(client);
    const isFull = ({ prefix, share }: Network) => (held.get(prefix) ?? 0) >= perClient * share;
    if (networks.some(isFull)) return undefined;
    for (const { prefix } of networks) held.set(prefix, (held.get(prefix) ?? 0) + 1);
    return () => {
      for (const { prefix } of networks) {
        const left = (held.get(prefix) ?? 1) - 1;
        if (left > 0) held.set(prefix, left);
        else held.delete(prefix);
      }
    };
  };
}

/**
 * Creates the budgets. Forms are counted under a keyed hash of the network and the date so that no
 * stored key identifies anyone. The date comes from `clock`, which is the same on every server.
 * Work is counted in memory per IP address and forgotten after a few seconds.
 * @param options.forms number of forms that a single client may submit in ten minutes; its work
 * budget scales with that number
 */
export function createNetworkBudget(options: {
  forms: number;
  clock: () => Temporal.Instant;
  keys: Pick<Keys, "hash">;
  database: Pick<Database, "purses">;
}) {
  const { database, keys, forms } = options;
  const takeForms = database.purses({ name: "forms", windowMs: formsWindowMs });
  const takeWork = createBucket(work.windowMs);
  const workMs = work.ms * Math.max(1, forms / work.usualForms);
  const sharesOf = (client: string, most: number, nameOf = (prefix: string) => prefix): Share[] =>
    networksOf(client).map(({ prefix, share }) => ({ key: nameOf(prefix), most: most * share }));
  const toSpent = (waitMs: number): Spent =>
    waitMs > 0 ? { ok: false, retryAfterMs: waitMs } : { ok: true };

  return {
    networksOf,
    /** Charges for a form, including its storage and emails. All servers share the count. */
    async spendForm(clientAddress: string): Promise<Spent> {
      const today = options.clock().toString().slice(0, 10);
      const nameOf = (prefix: string) => keys.hash("client", `${today} ${prefix}`).hash;
      const shares = sharesOf(clientAddress, forms, nameOf);
      return toSpent(await takeForms(shares, 1));
    },
    /**
     * Charges milliseconds of this server's single thread. `client` is an IP address or a session's
     * name. The returned `network` is the widest network that contains the client.
     */
    spendWork(client: string, ms: number) {
      const shares = sharesOf(client, workMs);
      return { ...toSpent(takeWork(shares, ms)), network: shares.at(-1)?.key ?? client };
    },
  };
}
