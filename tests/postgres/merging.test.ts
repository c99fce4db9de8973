import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../server/platform/database/database.ts";
import { insertingOnce, reading, replacing } from "../../server/platform/database/statement.ts";
import { createFilledDatabase, type TestDatabase } from "../harness/postgres.ts";

let target: TestDatabase;
let database: Database;
beforeAll(async () => {
  target = await createFilledDatabase();
  ({ database } = await target.open());
});
afterAll(() => target.drop());

const keepOnce = insertingOnce("tallies");
const addUp = replacing("tallies", "count");
const doomOnce = insertingOnce("doomed_mails");

const countOf = reading(
  (tables, { month }: { month: string }) =>
    tables.selectFrom("tallies").select("count").where("month", "=", month),
  ([row]) => row?.count,
);
const kindsOfValues = reading((tables) =>
  tables.selectNoFrom([
    sql<string>`'”দু\\"'`.as("text"),
    sql<number>`12::bigint`.as("number"),
    sql<number>`true`.as("flag"),
    sql<null>`null`.as("nothing"),
  ]),
);

const until = Temporal.Instant.from("2026-12-01T06:00:00Z");

test("gives each of several reads its own rows, as if it ran alone", async () => {
  await database.write((transaction) => addUp(transaction, { month: "a", name: "", count: 3 }));
  const alone = await database.write((transaction) => kindsOfValues(transaction));
  const together = await database.write((transaction) =>
    transaction.together([
      () => countOf(transaction, { month: "a" }),
      () => kindsOfValues(transaction),
      () => countOf(transaction, { month: "missing" }),
      () => transaction.reserve("requests", "submissions"),
    ]),
  );
  expect(together).toEqual([3, alone, undefined, [1, 1]]);
});

test("tells which of several inserts added a row", async () => {
  const insert = () =>
    database.write((transaction) =>
      transaction.together([
        () => keepOnce(transaction, { month: "b", name: "", count: 1 }),
        () => doomOnce(transaction, { messageKey: "key", until }),
      ]),
    );
  await database.write((transaction) => keepOnce(transaction, { month: "b", name: "", count: 1 }));
  expect(await insert()).toEqual([false, true]);
  expect(await insert()).toEqual([false, false]);
});

test("keeps the order of reads and inserts", async () => {
  const add = (transaction: Parameters<typeof addUp>[0]) =>
    addUp(transaction, { month: "c", name: "", count: 1 });
  const [before, , , after] = await database.write((transaction) =>
    transaction.together([
      () => countOf(transaction, { month: "c" }),
      () => add(transaction),
      () => add(transaction),
      () => countOf(transaction, { month: "c" }),
    ]),
  );
  expect([before, after]).toEqual([undefined, 2]);
});

test("stores nothing if one of several inserts fails", async () => {
  const failing = database.write((transaction) =>
    transaction.together([
      () => doomOnce(transaction, { messageKey: "lost", until }),
      () => keepOnce(transaction, { month: "d", name: "", count: null as never }),
    ]),
  );
  await expect(failing).rejects.toThrow(/null value/);
  expect(await target.ask("select * from doomed_mails where message_key = 'lost'")).toEqual([]);
});
