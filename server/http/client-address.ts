import { BlockList, isIP } from "node:net";
import type { TrustProxy } from "../config.ts";

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
