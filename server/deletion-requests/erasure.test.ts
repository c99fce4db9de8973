import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EmailAddress } from "../addresses/email-address.ts";
import { runsOnPostgres } from "../database/database.fixture.ts";
import { listPersonal } from "../database/schema.ts";
import { openOffice, type TestOffice } from "./office.fixture.ts";

/**
 * Addresses must be gone from the bytes of the files, not only from the rows. How a file of any size is rewritten is
 * SQLite's own.
 */

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

const typed = (number: number) =>
  `person-${String((number * 7919) % 100_000).padStart(5, "0")}@uni.example`;

async function submit(from: number, to: number, longest = 400): Promise<void> {
  for (let start = from; start < to; start += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, to - start) }, (_, index) =>
        office.submit({
          email: typed(start + index),
          feedback: `words of ${typed(start + index)} ${"x".repeat((index * 37) % longest)}`,
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
}, 600_000);

test.skipIf(runsOnPostgres)(
  "nor when the store is so large that it is rewritten in a thread, while forms go on arriving",
  async () => {
    await submit(0, 700, 4000);
    // What is smaller is rewritten on the spot (`rewrittenAtOnceBytes` in database/sqlite.ts).
    expect((await office.readFolder()).length).toBeGreaterThan(2 ** 20);
    office.pass({ days: 7 });
    const [late] = await Promise.all([
      office.submit({ email: "late@uni.example" }),
      office.upkeep.run(),
    ]);
    await vi.waitFor(
      async () => {
        await office.upkeep.run();
        expect(await findLeftovers()).toEqual([]);
      },
      { timeout: 300_000, interval: 200 },
    );
    expect((await office.queue()).map(({ reference }) => reference)).toEqual([late.reference]);
    expect(await office.readFolder()).toContain("late@uni.example");
  },
  600_000,
);

test.skipIf(runsOnPostgres)(
  "nor when thousands come and go day by day, with some that stay",
  async () => {
    for (let day = 0; day < 20; day++) {
      await submit(day * 120, (day + 1) * 120);
      office.pass({ days: 1 });
      await office.upkeep.run();
    }
    const open = new Set((await office.queue()).map((request) => request.email?.slice(0, 13)));
    expect(open.size).toBeGreaterThan(100);
    // The store is not rewritten every time, so the last to go may take a few rounds.
    await vi.waitFor(
      async () => {
        await office.upkeep.run();
        const left = (await findLeftovers()).filter((address) => !open.has(address));
        expect(left).toEqual([]);
      },
      { timeout: 300_000, interval: 200 },
    );
  },
  600_000,
);

test("whatever column is marked as a person's is empty once the request is erased", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(
    reference,
    { type: "refuse", reason: "no-account", explanation: "Nobody of that name." },
    "Nadia",
  );
  const marked: string[] = [];
  for (const { table, owner, erased } of listPersonal()) {
    for (const name of Object.keys(erased)) {
      const canary = `canary-${table}-${name}-`;
      const column = sql.ref(name);
      // Two rows may not be the same in some columns.
      await sql`update ${sql.table(table)} set ${column} = ${canary} || id where ${sql.ref(owner)} = 1`.execute(
        office.kysely,
      );
      marked.push(canary);
    }
  }
  const findCanaries = async () => [
    ...new Set((await office.readFolder()).match(/canary-\w+-\w+-/g) ?? []),
  ];
  // One that is missing here stands in a table where this request has no row.
  expect((await findCanaries()).sort()).toEqual(marked.sort());
  office.pass({ days: 31 });
  await office.upkeep.run();
  expect(await findCanaries()).toEqual([]);
});

// Named by hand, because a mark that is wrong in the schema is wrong for whatever reads the marks.
test("of a closed mailbox neither address is left, nor what was said of it", async () => {
  const { request } = await office.desk.enterRequest(
    {
      email: "closed@uni.example" as EmailAddress,
      contact: "instead@mail.example" as EmailAddress,
      proof: "in-person",
      reason: "other",
      receivedAt: office.clock(),
    },
    "Nadia",
  );
  await office.desk.act(request.reference, { type: "approve" }, "Rahim");
  const refusal = { type: "refuse", reason: "no-account", explanation: "So she said." } as const;
  await office.desk.act(request.reference, refusal, "Rahim");
  const findWords = async () =>
    [...new Set((await office.readFolder()).match(/closed@|instead@|So she said/g))].sort();
  expect(await findWords()).toEqual(["So she said", "closed@", "instead@"]);
  office.pass({ days: 31 });
  await office.upkeep.run();
  expect(await findWords()).toEqual([]);
});
