import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkLedger } from "../../server/deletion-requests/ledger/verification.ts";
import {
  openTestService,
  type TestService,
} from "../../server/deletion-requests/service.fixture.ts";
import { createKeyText } from "../../server/platform/crypto/keys.fixture.ts";
import { readTables } from "../../server/platform/database/database.fixture.ts";
import { isStorageProblem } from "../../server/platform/database/database.ts";
import { migrations } from "../../server/platform/database/migrate.ts";
import {
  addOne,
  countOf,
  failed,
  insert,
  setCount,
} from "../../server/platform/database/monthly-counters.fixture.ts";
import { reading } from "../../server/platform/database/statement.ts";
import {
  createFilledDatabase,
  createTestDatabase,
  type TestDatabase,
} from "../harness/postgres.ts";

// Concurrency and connection faults specific to PostgreSQL.

let test1: TestDatabase;
let open: TestService[];

beforeEach(async () => {
  test1 = await createFilledDatabase();
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((store) => store.close()));
  await test1.drop();
});

const openStore = async () => (await test1.open()).database;

async function openTestServices(count: number) {
  const settings = { SECRET_KEYS: createKeyText(), DATABASE_URL: test1.url };
  for (let index = 0; index < count; index++) {
    open.push(await openTestService(undefined, { settings }));
  }
  return open as [TestService, ...TestService[]];
}

const ask = (sql: string) => test1.ask(sql);

const cutAll = () =>
  ask(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

test("serializes concurrent read-modify-write transactions", async () => {
  const [first, second] = [await openStore(), await openStore()];
  await first.write((transaction) => insert(transaction, { month: "m" }));
  await Promise.all(Array.from({ length: 60 }, (_, i) => addOne(i % 2 ? first : second, "m")));
  expect(await countOf(first.read, { month: "m" })).toEqual({ count: 60 });
});

test("retries a deadlocked transaction so that both transactions succeed", async () => {
  const database = await openStore();
  for (const month of ["a", "b"]) {
    await database.write((transaction) => insert(transaction, { month }));
  }
  const hasRead = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const both = (months: ("a" | "b")[]) =>
    database.write(async (transaction) => {
      for (const month of months) {
        const row = await countOf(transaction, { month });
        hasRead[month].resolve();
        await Promise.all([hasRead.a.promise, hasRead.b.promise]);
        await setCount(transaction, { month, count: (row?.count ?? 0) + 1 });
      }
    });
  await Promise.all([both(["a", "b"]), both(["b", "a"])]);
  expect(await countOf(database.read, { month: "a" })).toEqual({ count: 2 });
});

test("rejects writes on the read connections", async () => {
  const database = await openStore();
  const disguised = insert as unknown as typeof countOf;
  expect(isStorageProblem(await failed(database.read.all(disguised, { month: "m" })))).toBe(true);
  expect(await countOf(database.read, { month: "m" })).toBeUndefined();
});

test("merges concurrent forms for one email address into one request", async () => {
  const services = await openTestServices(3);
  const forms = await Promise.all(
    Array.from({ length: 30 }, (_, index) => services[index % 3]?.submit()),
  );
  expect(new Set(forms.map((form) => form?.reference)).size).toBe(30);
  const rows = await ask("select sent, state from requests");
  expect(rows).toEqual([{ sent: "30", state: "received" }]);
  // As many emails as if the forms had arrived one after another.
  expect(await ask("select count(*) from outbox where state = 'waiting'")).toEqual([
    { count: "3" },
  ]);
});

test("creates one ledger entry per request when several servers end requests", async () => {
  const services = await openTestServices(3);
  const [first] = services;
  const references: string[] = [];
  for (let index = 0; index < 12; index++) {
    references.push(await first.submitConfirmed({ email: `p${index}@uni.example` }));
  }
  await Promise.all(references.map((reference, index) => services[index % 3]?.refuse(reference)));
  const verdict = await checkLedger(first.database, first.keys);
  expect(verdict).toMatchObject({ entries: 12, findings: [] });
});

test("retries a transaction whose connection breaks", async () => {
  const database = await openStore();
  let runs = 0;
  await database.write(async (transaction) => {
    runs++;
    await insert(transaction, { month: "cut" });
    if (runs > 1) return;
    await cutAll();
    // Without this insert, the connection might break during the commit and leave the outcome
    // unknown.
    await insert(transaction, { month: "after the cut" });
  });
  // The count exceeds two if another pooled connection is still closing.
  expect(runs).toBeGreaterThan(1);
  expect(await countOf(database.read, { month: "cut" })).toEqual({ count: 0 });
});

test("aborts a stalled transaction before waiting transactions give up", async () => {
  const [stalling, other] = [await openStore(), await openStore()];
  await other.write((transaction) => insert(transaction, { month: "m" }));
  let runs = 0;
  const stalled = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const held = stalling.write(async (transaction) => {
    runs++;
    await setCount(transaction, { month: "m", count: 10 });
    if (runs > 1) return;
    stalled.resolve();
    await mayGoOn.promise;
    await setCount(transaction, { month: "m", count: 99 });
  });
  await stalled.promise;
  await addOne(other, "m");
  // PostgreSQL has rolled the stalled transaction back. Its owner will retry.
  expect(await countOf(other.read, { month: "m" })).toEqual({ count: 1 });
  mayGoOn.resolve();
  await held;
  expect(runs).toBe(2);
  expect(await countOf(other.read, { month: "m" })).toEqual({ count: 10 });
});

test("keeps prepared statements working when a newer instance adds a column", async () => {
  const all = reading((tables) => tables.selectFrom("restores").selectAll());
  const database = await openStore();
  await database.read.all(all);
  await database.write((transaction) => transaction.all(all));
  await ask("alter table restores add column later text");
  expect(await database.read.all(all)).toEqual([]);
  await database.write((transaction) => transaction.all(all));
});

test("blocks writes by an instance that has lost its lease", async () => {
  const [first, second] = [(await openStore()).duty("upkeep"), (await openStore()).duty("upkeep")];
  expect(await first.take()).toBe(true);
  expect(await second.take()).toBe(false);
  await first.database.write((transaction) => insert(transaction, { month: "mine" }));
  // Expires the lease. Only the database's clock counts.
  await ask("update leases set until = '2000-01-01T00:00:00.000Z'");
  expect(await second.take()).toBe(true);
  const late = first.database.write((transaction) => insert(transaction, { month: "late" }));
  expect(isStorageProblem(await failed(late))).toBe(true);
  expect(await ask("select month from tallies")).toEqual([{ month: "mine" }]);
  expect(await first.take()).toBe(false);
  await second.leave();
  expect(await first.take()).toBe(true);
});

test("doesn't let another instance take a lease during its holder's transaction", async () => {
  const [first, second] = [(await openStore()).duty("upkeep"), (await openStore()).duty("upkeep")];
  await first.take();
  await ask("update leases set until = '2000-01-01T00:00:00.000Z'");
  let taking: Promise<boolean> | undefined;
  await first.database.write(async (transaction) => {
    taking = second.take();
    const waiting =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'leases'";
    // Queries keep the transaction from counting as stalled.
    while ((await ask(waiting)).length === 0) await countOf(transaction, { month: "whole" });
    await insert(transaction, { month: "whole" });
  });
  // The holder's transaction has renewed the lease.
  expect(await taking).toBe(false);
});

test("sends one digest a day no matter which instance runs the jobs", async () => {
  const services = await openTestServices(3);
  for (const service of services) service.setClock("2026-11-23T03:00:00Z");
  await Promise.all(services.map((service) => service.upkeep.run()));
  const rows = await ask("select once from outbox where once like 'digest:%'");
  expect(rows).toEqual([{ once: "digest:2026-11-23" }]);
});

test("creates the tables once when instances start together", async () => {
  const empty = await createTestDatabase();
  await Promise.all(Array.from({ length: 4 }, () => empty.open()));
  const made = await empty.ask("select name from kysely_migration order by name");
  await empty.drop();
  expect(made.map(({ name }) => name)).toEqual(Object.keys(migrations));
});

test("orders text by bytes regardless of the database's locale", async () => {
  const database = await openStore();
  for (const month of ["b", "B", "a", "-c"]) {
    await database.write((transaction) => insert(transaction, { month }));
  }
  const rows = await ask("select month from tallies order by month");
  expect(rows.map((row) => row.month)).toEqual(["-c", "B", "a", "b"]);
});

test("copies a consistent snapshot to a file while forms arrive", async () => {
  const [service] = await openTestServices(1);
  await service.submitConfirmed({ email: "working@uni.example" });
  await service.submit({ email: "received@uni.example" });
  const path = join(service.folder, "copy.sqlite");
  await Promise.all([
    service.database.copyTo(path),
    service.submitMany(6, (number) => ({ email: `during${number}@uni.example` })),
  ]);
  expect(await readdir(service.folder)).toEqual(["copy.sqlite"]);
  using copy = new DatabaseSync(path, { readOnly: true });
  const first = copy.prepare("select email from submissions order by id limit 2").all();
  expect(first.map(({ email }) => email)).toEqual(["working@uni.example", "received@uni.example"]);
  await expect(service.database.copyTo(path)).rejects.toMatchObject({ code: "EEXIST" });
});

test("leaves no erased text in the tables' files", async () => {
  const [service] = await openTestServices(1);
  const address = "unmistakable.person@uni.example";
  const reference = await service.submitConfirmed({ email: address });
  const holds = async (text: string) => (await readTables(test1.url)).includes(text);
  expect(await holds(address)).toBe(true);
  const reader = new Client(test1.url);
  await reader.connect();
  await reader.query("begin isolation level repeatable read; select from requests");
  await service.refuse(reference);
  service.pass({ days: 40 });
  await service.rounds.runOnce();
  // An older snapshot still sees the row.
  expect(await (await openStore()).erasePhysically()).toBe(false);
  await reader.end();
  // Each attempt opens a new instance, because an instance waits between its attempts.
  await vi.waitFor(async () => {
    expect(await (await openStore()).erasePhysically()).toBe(true);
    expect(await holds(address)).toBe(false);
  }, 120_000);
  expect(await holds(reference)).toBe(true);
});
