import { isIP } from "node:net";
import { expandIPv6 } from "hono/utils/ipaddr";

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

/** One name for all whom one network operator can be: the widest network of an address. */
export function widestNetwork(address: string): string {
  return networksOf(address).at(-1)?.prefix ?? address;
}
