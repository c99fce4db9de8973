import { describe, expect, test } from "vitest";
import type { TrustProxy } from "../config.ts";
import { createClientAddress } from "./client-address.ts";

const findClientAddress = (trust: TrustProxy, socket: string, header: string | null) =>
  createClientAddress(trust)(socket, header);

describe("behind no proxy", () => {
  test("the header is not believed", () => {
    expect(findClientAddress({ kind: "none" }, "203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  });
});

describe("behind a number of proxies", () => {
  const two = { kind: "hops", count: 2 } as const;

  test("the address before the trusted hops counts", () => {
    expect(findClientAddress(two, "10.0.0.1", "198.51.100.1, 10.0.0.2")).toBe("198.51.100.1");
  });

  test("what a client puts in front of it does not count", () => {
    expect(findClientAddress(two, "10.0.0.1", "8.8.8.8, 198.51.100.1, 10.0.0.2")).toBe(
      "198.51.100.1",
    );
  });

  test.each([
    ["8.8.8.8, 198.51.100.1:4711, 10.0.0.2:443", "198.51.100.1"],
    ["8.8.8.8, [2001:db8::5]:4711, [fd00::1]:443", "2001:db8::5"],
    ["8.8.8.8, [2001:db8::5], 10.0.0.2", "2001:db8::5"],
    // Dropping what is no address would let the client choose who it is.
    ["8.8.8.8, unknown, 10.0.0.2", "10.0.0.2"],
    ["8.8.8.8, unknown, _hidden", "10.0.0.1"],
    ["198.51.100.1", "198.51.100.1"],
  ])("every entry is a hop, whatever it looks like: %s", (header, client) => {
    expect(findClientAddress(two, "10.0.0.1", header)).toBe(client);
  });

  test.each(["203.0.113.7", "2001:db8::1", "::ffff:203.0.113.7"])(
    "whoever reaches the port from elsewhere is believed nothing: %s",
    (socket) => expect(findClientAddress(two, socket, "198.51.100.1, 10.0.0.2")).toBe(socket),
  );

  test.each(["127.0.0.1", "::1", "172.17.0.2", "192.168.1.2", "fd00::1", "::ffff:10.0.0.1"])(
    "a proxy on this machine or in a private network is: %s",
    (socket) => expect(findClientAddress(two, socket, "198.51.100.1, x")).toBe("198.51.100.1"),
  );

  test("without the header the socket counts", () => {
    expect(findClientAddress(two, "10.0.0.1", null)).toBe("10.0.0.1");
    expect(findClientAddress(two, "10.0.0.1", "unknown, nonsense")).toBe("10.0.0.1");
  });
});

describe("behind named proxies and networks", () => {
  const named = { kind: "addresses", addresses: ["10.0.0.0/8", "192.0.2.1", "fd00::/8"] } as const;
  const find = (socket: string, header: string | null) =>
    findClientAddress({ ...named, addresses: [...named.addresses] }, socket, header);

  test("trusted hops are walked back", () => {
    expect(find("10.0.0.1", "198.51.100.1, 192.0.2.1")).toBe("198.51.100.1");
    expect(find("fd00::1", "2001:db8::5")).toBe("2001:db8::5");
  });

  test("the walk ends at the first stranger", () => {
    expect(find("10.0.0.1", "8.8.8.8, 198.51.100.1")).toBe("198.51.100.1");
    expect(find("203.0.113.7", "198.51.100.1")).toBe("203.0.113.7");
  });

  test("the walk ends where somebody hides", () => {
    expect(find("10.0.0.1", "8.8.8.8, unknown, 192.0.2.1:4711")).toBe("192.0.2.1");
  });

  test("an IPv4 proxy in its IPv6 spelling is the same proxy", () => {
    expect(find("::ffff:10.0.0.1", "198.51.100.1")).toBe("198.51.100.1");
  });
});
