import { expect, test } from "vitest";
import type { TrustProxy } from "../../config.ts";
import { createClientAddress } from "./networks.ts";

const nobody: TrustProxy = { kind: "none" };
const two: TrustProxy = { kind: "hops", count: 2 };
const named: TrustProxy = {
  kind: "addresses",
  addresses: ["10.0.0.0/8", "192.0.2.1", "fd00::/8"],
};

type Case = [string, TrustProxy, from: [socket: string, header: string | null], client: string];

test.each<Case>([
  ["untrusted peer", nobody, ["203.0.113.7", "198.51.100.1"], "203.0.113.7"],

  ["entry before the hops", two, ["10.0.0.1", "198.51.100.1, 10.0.0.2"], "198.51.100.1"],
  ["forged entry in front", two, ["10.0.0.1", "8.8.8.8, 198.51.100.1, 10.0.0.2"], "198.51.100.1"],
  ["ports", two, ["10.0.0.1", "8.8.8.8, 198.51.100.1:4711, 10.0.0.2:443"], "198.51.100.1"],
  ["ports", two, ["10.0.0.1", "8.8.8.8, [2001:db8::5]:4711, [fd00::1]:443"], "2001:db8::5"],
  ["brackets", two, ["10.0.0.1", "8.8.8.8, [2001:db8::5], 10.0.0.2"], "2001:db8::5"],
  // If invalid entries were skipped, a client could choose its own IP address.
  ["invalid entry as a hop", two, ["10.0.0.1", "8.8.8.8, unknown, 10.0.0.2"], "10.0.0.2"],
  ["invalid entries as hops", two, ["10.0.0.1", "8.8.8.8, unknown, _hidden"], "10.0.0.1"],
  ["fewer entries than hops", two, ["10.0.0.1", "198.51.100.1"], "198.51.100.1"],
  ["no header", two, ["10.0.0.1", null], "10.0.0.1"],
  ["no valid entry", two, ["10.0.0.1", "unknown, nonsense"], "10.0.0.1"],
  // With a number of hops, only peers on this machine or in a private network are trusted.
  ...["203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7"].map(
    (socket): Case => ["public peer", two, [socket, "198.51.100.1, x"], socket],
  ),
  ...["127.0.0.1", "::1", "172.17.0.2", "192.168.1.2", "fd00::1", "::ffff:10.0.0.1"].map(
    (socket): Case => ["nearby peer", two, [socket, "198.51.100.1, x"], "198.51.100.1"],
  ),

  ["trusted IPv4 hops", named, ["10.0.0.1", "198.51.100.1, 192.0.2.1"], "198.51.100.1"],
  ["trusted IPv6 peer", named, ["fd00::1", "2001:db8::5"], "2001:db8::5"],
  ["untrusted hop", named, ["10.0.0.1", "8.8.8.8, 198.51.100.1"], "198.51.100.1"],
  ["untrusted peer", named, ["203.0.113.7", "198.51.100.1"], "203.0.113.7"],
  ["invalid entry", named, ["10.0.0.1", "8.8.8.8, unknown, 192.0.2.1:4711"], "192.0.2.1"],
  ["IPv4-mapped IPv6 peer", named, ["::ffff:10.0.0.1", "198.51.100.1"], "198.51.100.1"],
])(
  "finds the client (%s): trusting %j, peer and X-Forwarded-For %j lead to %s",
  (_, trust, [socket, header], client) => {
    expect(createClientAddress(trust)(socket, header)).toBe(client);
  },
);
