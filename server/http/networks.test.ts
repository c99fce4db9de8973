import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createOwnPurses } from "../database/limits.ts";
import { createTestKeys } from "../deletion-requests/service.fixture.ts";
import { createNetworkBudget, createPlaces, type NetworkBudget, networksOf } from "./networks.ts";

let now: Temporal.Instant;
let budget: NetworkBudget;
beforeEach(() => {
  now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  budget = createNetworkBudget({
    forms: 2,
    clock: () => now,
    keys: createTestKeys(),
    database: { purses: createOwnPurses },
  });
});

const isTaken = async (address: string) => (await budget.spendForm(address)).ok;

/** How many forms are taken from as many addresses. */
async function countTaken(addresses: string[]): Promise<number> {
  return (await Array.fromAsync(addresses, isTaken)).filter(Boolean).length;
}

test("the third of two is told to wait", async () => {
  expect(await isTaken("203.0.113.7")).toBe(true);
  expect(await isTaken("::ffff:203.0.113.7")).toBe(true);
  expect(await budget.spendForm("203.0.113.7")).toMatchObject({
    ok: false,
    retryAfterMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 600_000),
  });
});

test.each([
  ["one /64", 2, (one: number) => `2001:db8:1:2::${one}`],
  ["one /56", 4, (one: number) => `2001:db8:1:${one}::1`],
  ["one /48", 8, (one: number) => `2001:db8:1:${one}00::1`],
  ["one /24", 8, (one: number) => `203.0.113.${one}`],
])("%s has its share, however many addresses it has: %i", async (_, share, nameOf) => {
  const addresses = Array.from({ length: 50 }, (_, one) => nameOf(one + 10));
  expect(await countTaken(addresses)).toBe(share);
  expect(await isTaken("2001:db8:9::1")).toBe(true);
  expect(await isTaken("198.51.100.1")).toBe(true);
});

test("who is refused takes nothing from the neighbours", async () => {
  expect(await countTaken(Array(50).fill("203.0.113.7"))).toBe(2);
  expect(await countTaken(["203.0.113.8", "203.0.113.8", "203.0.113.9"])).toBe(3);
});

test("with the next day nobody is known any more", async () => {
  expect(await countTaken(["203.0.113.7", "203.0.113.7", "203.0.113.7"])).toBe(2);
  now = now.add({ hours: 24 });
  expect(await isTaken("203.0.113.7")).toBe(true);
});

test("work is spent by whoever has it done, and somebody known by name has a budget of their own", () => {
  const spent = { ok: true, network: "203.0.113.0/24" };
  expect(budget.spendWork("203.0.113.7", 10_000_000)).toEqual(spent);
  expect(budget.spendWork("203.0.113.7", 1)).toMatchObject({ ok: false });
  expect(budget.spendWork("session 7", 1)).toEqual({ ok: true, network: "session 7" });
});

describe("a budget of work", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => vi.useRealTimers());

  function spendAll(client: string, ms: number): number {
    let taken = 0;
    while (budget.spendWork(client, ms).ok) taken += ms;
    return taken;
  }

  test("is one second at once, and a quarter of each second after it", () => {
    expect(spendAll("203.0.113.7", 10)).toBe(1_000);
    vi.advanceTimersByTime(1_000);
    expect(spendAll("203.0.113.7", 10)).toBe(250);
  });

  test("lets a hundred people behind one address send their form in the same moment", () => {
    expect(spendAll("203.0.113.7", 10) / 10).toBeGreaterThanOrEqual(100);
  });

  test("lets a client that cost far more than it had come back after seconds", () => {
    budget.spendWork("203.0.113.7", 10_000_000);
    vi.advanceTimersByTime(4_100);
    expect(budget.spendWork("203.0.113.7", 1).ok).toBe(true);
  });
});

describe("places", () => {
  test("are as many as the client's share, and free again when they are given back", () => {
    const take = createPlaces(2);
    const leave = take("203.0.113.7");
    expect(take("203.0.113.7")).toBeDefined();
    expect(take("203.0.113.7")).toBeUndefined();
    leave?.();
    expect(take("203.0.113.7")).toBeDefined();
  });

  test("are shared by a whole network", () => {
    const take = createPlaces(2);
    const taken = Array.from({ length: 20 }, (_, one) => take(`203.0.113.${one}`));
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
])("%s counts for its own network and for those around it", (address, prefixes) => {
  expect(networksOf(address).map(({ prefix }) => prefix)).toEqual(prefixes);
});
