import { BlockList, isIP } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";
import type { TrustProxy } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Share } from "../database/limits.ts";
import type { Keys } from "../keys/keys.ts";

/** Who asks: the address of a client, the networks that it belongs to, and what each of them may cost. */

/**
 * The address a request came from, walking back through `X-Forwarded-For` only past hops that are trusted. That is asked
 * with the peer of the connection and the header's value, nearest hop last.
 */
export function createClientAddress(trust: TrustProxy) {
  const isTrusted = createTrust(trust);
  return (socketAddress: string, forwardedFor: string | null): string => {
    if (!isTrusted(socketAddress)) return socketAddress;
    const chain = readChain(forwardedFor);
    if (trust.kind === "hops") {
      // An entry that is no address still is a hop. What comes nearest to its place, on our side, stands for it.
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

/** This machine and private networks: where a proxy stands that is not named by its address. */
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

/** Whether a connection comes from a proxy of ours. */
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

/** Every entry in its place; undefined where it is no address. Some proxies add the port. */
function readChain(forwardedFor: string | null): (string | undefined)[] {
  if (!forwardedFor) return [];
  return forwardedFor.split(",").map((part) => {
    const entry = part.trim();
    const address = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1];
    return [address ?? entry].find((text) => isIP(text) !== 0);
  });
}

// To which networks it belongs

/** Addresses that belong together, and how many times the share of a single client they have between them. */
export type Network = { prefix: string; share: number };

/** What an IPv6 address belongs to: a household or phone gets a /64, a subscriber a /56, a company or campus a /48. */
const shares6 = [
  { bits: 64, share: 1 },
  { bits: 56, share: 2 },
  { bits: 48, share: 4 },
];

/**
 * Every network that an address counts for, the narrowest first: an IPv4 address and its /24; of an IPv6 address its
 * /64, /56 and /48. Whoever has a wider one has more, but not as many times more as it has addresses.
 */
export function networksOf(address: string): [Network, ...Network[]] {
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const own = { prefix: plain, share: 1 };
  const version = isIP(plain);
  if (version === 4) {
    return [own, { prefix: `${plain.slice(0, plain.lastIndexOf("."))}.0/24`, share: 4 }];
  }
  if (version !== 6) return [own];
  const digits = expandIPv6(plain.toLowerCase()).replaceAll(":", "");
  const [narrowest = own, ...wider] = shares6.map(({ bits, share }) => ({
    prefix: `${digits.slice(0, bits / 4)}/${bits}`,
    share,
  }));
  return [narrowest, ...wider];
}

// What they may cost

export type Spent = { ok: true } | { ok: false; retryAfterMs: number };

/**
 * What a client may cost, and all of its networks together. Whoever has nothing left waits; so do their neighbours when
 * it was a whole network's share, and nobody else.
 */
export type NetworkBudget = ReturnType<typeof createNetworkBudget>;

const formsWindowMs = 10 * 60_000;

/**
 * A bucket of one second of the thread that leaks a quarter of it each second, so that a client at its worst leaves
 * three quarters to everyone else. Kept pages and files cost nothing, so it is only spent by forms and pages that are
 * made: of a campus behind one address a hundred people can send theirs in the same moment, and twenty-five each second.
 */
const work = { ms: 1_000, windowMs: 4_000, usualForms: 60 };

/** More names than honest clients have; those that spent longest ago go before memory does. */
const mostNames = 200_000;

/**
 * A leaky bucket for each name: full at `most`, empty again after `windowMs`. Nothing is taken where one is full, and one that
 * was filled beyond its brim by a single cost owes no more than it holds.
 * @returns in how many milliseconds all have room again; 0 where it was taken
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

/** Counts what each client holds at once; its wider networks have their shares. */
export function createPlaces(perClient: number) {
  const held = new Map<string, number>();
  /** @returns what gives the place back; undefined where a network has no more */
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
 * @param options.forms how many of a single client in ten minutes; what else it may cost grows with it
 *
 * Clients are told apart by a keyed hash of their networks and the day of `clock`, the same on every server, so that nothing
 * kept here leads back to a person. Work is known by address, for seconds.
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
    /** One form, with what is stored and mailed for it, wherever it arrives. */
    async spendForm(clientAddress: string): Promise<Spent> {
      const today = options.clock().toString().slice(0, 10);
      const nameOf = (prefix: string) => keys.hash("client", `${today} ${prefix}`).hash;
      const shares = sharesOf(clientAddress, forms, nameOf);
      return toSpent(await takeForms(shares, 1));
    },
    /**
     * Milliseconds of this server's one thread. `client` is an address, or a name for somebody known; `network` is one name
     * for all whom one network operator can be.
     */
    spendWork(client: string, ms: number) {
      const shares = sharesOf(client, workMs);
      return { ...toSpent(takeWork(shares, ms)), network: shares.at(-1)?.key ?? client };
    },
  };
}
