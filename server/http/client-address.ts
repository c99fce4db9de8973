import { BlockList, isIP } from "node:net";
import type { TrustProxy } from "../config.ts";

/**
 * The address a request came from, walking back through `X-Forwarded-For` only past hops that are trusted.
 * @param socketAddress the peer of the connection
 * @param forwardedFor the header's value, nearest hop last
 */
export function findClientAddress(
  trust: TrustProxy,
  socketAddress: string,
  forwardedFor: string | null,
): string {
  const chain = (forwardedFor ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => isIP(part) !== 0);
  if (trust.kind === "none") return socketAddress;
  if (trust.kind === "hops") return chain.at(-trust.count) ?? chain[0] ?? socketAddress;
  const trusted = new BlockList();
  for (const entry of trust.addresses) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  let client = socketAddress;
  for (const hop of [...chain].reverse()) {
    if (!trusted.check(client, isIP(client) === 6 ? "ipv6" : "ipv4")) break;
    client = hop;
  }
  return client;
}

/**
 * What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, which one household or phone
 * gets whole.
 */
export function clientNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const start = head.split(":").filter(Boolean);
  const end = tail?.split(":").filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : 8 - start.length - end.length;
  const groups = [...start, ...Array<string>(Math.max(0, missing)).fill("0"), ...end];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
