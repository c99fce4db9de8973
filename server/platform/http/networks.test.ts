import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestKeys } from "../crypto/keys.fixture.ts";
import { createLocalBuckets } from "../database/token-buckets.ts";
import { createNetworkBudget, createPlaces, type NetworkBudget, networksOf } from "./networks.ts";

let now: Temporal.Instant;
let budget: NetworkBudget;
beforeEach(() => {
  now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  budget = createNetworkBudget({
    forms: 2,
    clock: () => now,
    keys: createTestKeys(),
    database: { purses: createLocalBuckets },
  });
});

const isTaken = async (address: string) => (await budget.spendForm(address)).ok;

/** Submits a form from each IP address and counts the accepted forms. */
async function countTaken(addresses: string[]): Promise<number> {
  return (await Array.fromAsync(addresses, isTaken)).filter(Boolean).length;
}

test("refuses a form beyond the limit and returns how long to wait", async () => {
  expect(await isTaken("203.0.113.7")).toBe(true);
  expect(await isTaken("::ffff:203.0.113.7")).toBe(true);
  expect(await budget.spendForm("203.0.113.7")).toMatchObject({
    ok: false,
    retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 600_000),
  });
});

test.each([
  ["one /64", 2, (number: number) => `2001:db8:1:2::${number}`],
  ["one /56", 4, (number: number) => `2001:db8:1:${number}::1`],
  ["one /48", 8, (number: number) => `2001:db8:1:${number}00::1`],
  ["one /24", 8, (number: number) => `203.0.113.${number}`],
])("limits %s to %i forms, regardless of the number of IP addresses", async (_, share, nameOf) => {
  const addresses = Array.from({ length: 50 }, (_, number) => nameOf(number + 10));
  expect(await countTaken(addresses)).toBe(share);
  expect(await isTaken("2001:db8:9::1")).toBe(true);
  expect(await isTaken("198.51.100.1")).toBe(true);
});

test("doesn't charge the network for a refused form", async () => {
  expect(await countTaken(Array(50).fill("203.0.113.7"))).toBe(2);
  expect(await countTaken(["203.0.113.8", "203.0.113.8", "203.0.113.9"])).toBe(3);
});

test("resets the form counts on the next day", async () => {
  expect(await countTaken(["203.0.113.7", "203.0.113.7", "203.0.113.7"])).toBe(2);
  now = now.add({ hours: 24 });
  expect(await isTaken("203.0.113.7")).toBe(true);
});

test("keeps a session's work budget separate from its IP address", () => {
  const spent = { ok: true, network: "203.0.113.0/24" };
  expect(budget.spendWork("203.0.113.7", 10_000_000)).toEqual(spent);
  expect(budget.spendWork("203.0.113.7", 1)).toMatchObject({ ok: false });
  expect(budget.spendWork("session 7", 1)).toEqual({ ok: true, network: "session 7" });
});

describe("a work budget", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => vi.useRealTimers());

  function spendAll(client: string, ms: number): number {
    let taken = 0;
    while (budget.spendWork(client, ms).ok) taken += ms;
    return taken;
  }

  test("allows one second of work in a burst, then a quarter of each second", () => {
    expect(spendAll("203.0.113.7", 10)).toBe(1_000);
    vi.advanceTimersByTime(1_000);
    expect(spendAll("203.0.113.7", 10)).toBe(250);
  });

  test("lets a hundred visitors behind one IP address submit at the same moment", () => {
    expect(spendAll("203.0.113.7", 10) / 10).toBeGreaterThanOrEqual(100);
  });

  test("recovers within seconds after a cost far beyond the limit", () => {
    budget.spendWork("203.0.113.7", 10_000_000);
    vi.advanceTimersByTime(4_100);
    expect(budget.spendWork("203.0.113.7", 1).ok).toBe(true);
  });
});

describe("slots", () => {
  test("limits the slots of a client and reuses released slots", () => {
    const take = createPlaces(2);
    const leave = take("203.0.113.7");
    expect(take("203.0.113.7")).toBeDefined();
    expect(take("203.0.113.7")).toBeUndefined();
    leave?.();
    expect(take("203.0.113.7")).toBeDefined();
  });

  test("limits the slots of all clients in a network together", () => {
    const take = createPlaces(2);
    const taken = Array.from({ length: 20 }, (_, number) => take(`203.0.113.${number}`));
    expect(taken.filter((place) => place !== undefined)).toHaveLength(8);
  });
});

const v6 = ["20010db800010002/64", "20010db8000100/56", "20010db80001/48"];

test.each([
  ["203.0.113.7", ["203.0.113.7", "203.0.113.0/24"]],
  ["::ffff:203.0.113.7", ["203.0.113.7", "203.0.113.0/24"]],
  ["2001:db8:1:2:3:4:5:6", v6],
  ["2001:0DB8:0001:0002::9", v6],
  ["::1", ["0000000000000000/64", "00000000000000/56", "000000000000/48"]],
  ["fe80::1%eth0", ["fe80000000000000/64", "fe800000000000/56", "fe8000000000/48"]],
  ["", [""]],
])("lists the networks that contain the IP address %j", (address, prefixes) => {
  expect(networksOf(address).map(({ prefix }) => prefix)).toEqual(prefixes);
});
