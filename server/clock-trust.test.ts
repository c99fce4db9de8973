import { expect, test } from "vitest";
import { createClockTrust, findClockProblem } from "./clock-trust.ts";
import { service, serviceForEachTest } from "./deletion-requests/test-service.fixture.ts";
import { readLastSeen, recordSeen } from "./platform/database/last-seen.ts";

serviceForEachTest("2026-11-22T04:00:00Z");

/** Simulates a restart with the same database. `pass` advances the clock and the elapsed time. */
function restart() {
  let hours = 0;
  const trust = createClockTrust({
    clock: service.clock,
    elapsedMs: () => hours * 60 * 60_000,
    lastSeen: () => readLastSeen(service.database.read),
    log: { warn: () => {} },
  });
  return {
    trust,
    pass(count: number) {
      hours += count;
      service.pass({ hours: count });
    },
  };
}

const lastRan = () =>
  service.database.write((transaction) => recordSeen(transaction, { now: service.clock() }));

test("trusts the clock on the first start and after two days of downtime", async () => {
  expect(await restart().trust.isTrusted()).toBe(true);
  await lastRan();
  service.pass({ days: 2 });
  expect(await restart().trust.isTrusted()).toBe(true);
});

test.each([8, 31])(
  "holds erasure for a day if the server starts %i days after its last run",
  async (days) => {
    await service.submit();
    await lastRan();
    service.pass({ days });
    const { trust, pass } = restart();
    for (const hours of [0, 1, 22]) {
      pass(hours);
      expect(await trust.isTrusted()).toBe(false);
      await service.upkeep.run({ mayErase: await trust.isTrusted() });
      expect(await service.queue()).toHaveLength(1);
    }
    pass(1);
    expect(await trust.isTrusted()).toBe(true);
  },
);

test("doesn't shorten the hold on erasure when the server restarts", async () => {
  await lastRan();
  service.pass({ days: 8 });
  const first = restart();
  expect(await first.trust.isTrusted()).toBe(false);
  first.pass(20);
  const second = restart();
  second.pass(20);
  expect(await second.trust.isTrusted()).toBe(false);
});

test("ends the hold on erasure when an operator confirms the clock", async () => {
  await lastRan();
  service.pass({ days: 31 });
  const { trust } = restart();
  expect(await trust.isTrusted()).toBe(false);
  await service.desk.trustClock("Nadia");
  expect(await trust.isTrusted()).toBe(true);
  expect(trust.isHeld()).toBe(false);
});

// tests/faults/storage-failures.test.ts covers a clock that is days behind.
test("finds no clock problem on the first start or if the clock is half an hour behind", () => {
  const now = Temporal.Instant.from("2026-11-22T04:00:00Z");
  expect(findClockProblem(now, undefined)).toBeUndefined();
  expect(findClockProblem(now, now.add({ minutes: 30 }))).toBeUndefined();
});
