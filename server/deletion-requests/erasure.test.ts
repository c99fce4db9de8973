import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openOffice, type TestOffice } from "./office.fixture.ts";

/** Addresses must be gone from the bytes of the files, not only from the rows. */

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

const typed = (number: number) =>
  `person-${String((number * 7919) % 100_000).padStart(5, "0")}@uni.example`;

async function submit(from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, to - start) }, (_, index) =>
        office.submit({
          email: typed(start + index),
          feedback: `words of ${typed(start + index)} ${"x".repeat((index * 37) % 400)}`,
        }),
      ),
    );
  }
}

async function findLeftovers(): Promise<string[]> {
  const found = (await office.readFolder()).match(/person-\d{5}@/g) ?? [];
  return [...new Set(found)];
}

test("after 700 requests expired, no address is left anywhere in the files", async () => {
  await submit(0, 700);
  expect((await findLeftovers()).length).toBe(700);
  office.pass({ days: 7 });
  await office.upkeep.run();
  expect(await office.queue()).toEqual([]);
  expect(await findLeftovers()).toEqual([]);
});

test("nor when thousands come and go day by day, with some that stay", async () => {
  for (let day = 0; day < 20; day++) {
    await submit(day * 120, (day + 1) * 120);
    office.pass({ days: 1 });
    await office.upkeep.run();
  }
  const open = new Set((await office.queue()).map((request) => request.email?.slice(0, 13)));
  expect(open.size).toBeGreaterThan(500);
  // The store is not rewritten every time, so the last to go may take a few rounds.
  await vi.waitFor(
    async () => {
      await office.upkeep.run();
      const left = (await findLeftovers()).filter((address) => !open.has(address));
      expect(left).toEqual([]);
    },
    { timeout: 100_000, interval: 200 },
  );
}, 120_000);
