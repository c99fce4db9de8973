import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { readConfig } from "../../server/config.ts";
import { describeInstance, joinOthers } from "../../server/instances.ts";
import { openFoundation } from "../../server/open.ts";
import { createTestKeys } from "../../server/platform/crypto/keys.fixture.ts";
import type { Database } from "../../server/platform/database/database.ts";
import { readLastSeen, recordSeen } from "../../server/platform/database/last-seen.ts";
import { inserting, writing } from "../../server/platform/database/statement.ts";
import { createNetworkBudget } from "../../server/platform/http/networks.ts";
import { campusDir } from "../harness/campus.ts";
import { type FaultyNetwork, startFaultyNetwork } from "../harness/faulty-network.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";

let target: TestDatabase;
let network: FaultyNetwork;
let database: Database;
const places: { leave(): Promise<void> }[] = [];

beforeAll(async () => {
  target = await createTestDatabase();
  const url = new URL(target.url);
  network = await startFaultyNetwork(Number(url.port));
  url.port = String(network.port);
  ({ database } = await target.open(url.href));
});
afterAll(async () => {
  await target.drop();
  await network.end();
});

const clock = () => Temporal.Instant.from("2026-11-22T04:00:00Z");
const keys = createTestKeys();
const holiday = { date: "2027-05-01", name: "may-day" };
const calendar = { timeZone: "Asia/Dhaka", weekend: [5, 6], holidays: [holiday] };
const accounts = {
  key: "accounts",
  holder: "us" as const,
  words: { en: "our account database" },
};
const dataList = { stores: [accounts], kinds: [], ownershipProofs: [], backupDays: 30 };
const promises = { calendar, businessDays: 10, dataList };
const config = {
  publicUrl: "https://rides.example",
  deletionMode: "real" as const,
  secondPerson: true,
  smtpUrl: undefined,
  accountSystem: { mode: "off" as const },
};
const facts = describeInstance(config, keys, promises).facts;

let lost: string[];
beforeEach(() => {
  lost = [];
});
afterEach(async () => {
  for (const place of places.splice(0)) await place.leave();
});

/**
 * Settings for tests that wait for a running instance's heartbeat. Only a hanging test reaches
 * `patienceMs`.
 */
const quick = { beatMs: 20, patienceMs: 120_000 };

async function take(
  ownFacts: Parameters<typeof joinOthers>[1],
  how: Partial<Parameters<typeof joinOthers>[2]> = quick,
) {
  const onLost = (problem: string) => lost.push(problem);
  const result = await joinOthers(database, ownFacts, { clock, onLost, ...how });
  if (result.ok) places.push(result.membership);
  return result;
}

const withMailServer = { facts, writesMailFiles: false };
const alone = { facts, writesMailFiles: true };

test("refuses an instance with different keys or another calendar", async () => {
  await take(withMailServer);
  const other = describeInstance(config, createTestKeys(), { ...promises, businessDays: 5 });
  expect(await take({ ...other, writesMailFiles: false })).toMatchObject({
    ok: false,
    problem: expect.stringMatching(
      /with another SECRET_KEYS and another calendar of working days\. All of them need the same\. To change it, stop all of them first\.$/,
    ),
  });
});

test("accepts an instance whose campus differs only in wording", async () => {
  await take(withMailServer);
  const renamed = {
    calendar: { ...calendar, names: { "may-day": "Labour Day" }, weekend: [6, 5] },
    businessDays: 10,
    dataList: { ...dataList, stores: [{ ...accounts, words: { en: "our list of accounts" } }] },
  };
  const other = describeInstance(config, keys, renamed);
  expect(await take({ ...other, writesMailFiles: false })).toMatchObject({ ok: true });
});

test("refuses an instance with an additional holiday or kind of data", async () => {
  await take(withMailServer);
  const holidays = [holiday, { date: "2027-05-02", name: "may-day" }];
  const kind = {
    key: "identity",
    store: "accounts",
    accounts: ["User" as const],
    onDeletion: "deleted" as const,
  };
  for (const changed of [
    { ...promises, calendar: { ...calendar, holidays } },
    { ...promises, dataList: { ...dataList, kinds: [kind] } },
  ]) {
    const other = describeInstance(config, keys, changed);
    expect(await take({ ...other, writesMailFiles: false })).toMatchObject({ ok: false });
  }
});

test("allows only one instance if emails are written to files", async () => {
  await take(alone);
  for (const second of [alone, withMailServer]) {
    expect(await take(second)).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/SMTP_URL is not set: emails would become files/),
    });
  }
  for (const place of places.splice(0)) await place.leave();
  await take(withMailServer);
  expect((await take(alone)).ok).toBe(false);
});

test("takes over from a killed instance", async () => {
  expect((await take(alone, { beatMs: 1_000_000 })).ok).toBe(true);
  let waited = 0;
  const next = await take(
    { facts: { ...facts, PUBLIC_URL: "another" }, writesMailFiles: true },
    { onWait: () => waited++, beatMs: 20, patienceMs: 100 },
  );
  expect([next.ok, waited]).toEqual([true, 1]);
  if (next.ok) await next.membership.leave();
  await take(alone);
});

test("reports a lost membership when a paused instance resumes after a takeover", async () => {
  const sleeper = await take(alone);
  // Simulates a takeover during the pause: another instance has removed this one's row and entered.
  await database.write(async (transaction) => {
    await transaction.run(removeAll);
    const otherFacts = JSON.stringify({ ...facts, SECRET_KEYS: "others" });
    const row = { id: "other", beat: 1, facts: otherFacts, mailFiles: false, enteredAt: clock() };
    await enter(transaction, row);
  });
  expect(sleeper.ok).toBe(true);
  await expect.poll(() => lost[0] ?? "").toContain("with another SECRET_KEYS");
  await database.write((transaction) => transaction.run(removeAll));
});

test("doesn't re-register an instance whose heartbeat was in flight during shutdown", async () => {
  const place = await take(withMailServer);
  let leaving: Promise<void> | undefined;
  await database.write(async (transaction) => {
    await transaction.lock("instances");
    const beating =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'beat'";
    while ((await target.ask(beating)).length === 0) await transaction.run(removeAll);
    leaving = place.ok ? place.membership.leave() : undefined;
  });
  await leaving;
  await database.write((transaction) => transaction.lock("instances"));
  expect(await target.ask("select from instances")).toEqual([]);
});

const removeAll = writing((tables) => tables.deleteFrom("instances"));
const enter = inserting("instances");

test("writes no key and no row when a server is refused", async () => {
  const settings = (secretKeys: string) => {
    const read = readConfig({
      DATABASE_URL: target.url,
      SECRET_KEYS: secretKeys,
      SMTP_URL: "smtp://127.0.0.1:2525",
      CAMPUS_DIR: campusDir,
      DATA_DIR: target.folder,
    });
    if (!read.ok) throw new Error(read.problems.join());
    return read.config;
  };
  const key = (version: number) => `${version}:${randomBytes(32).toString("base64url")}`;
  const firstKey = key(1);
  const join = { onLost: () => {}, ...quick };
  const first = await openFoundation(settings(firstKey), { create: true, join });
  if (!first.ok) throw new Error(first.problem);
  const second = await openFoundation(settings(`${key(2)},${firstKey}`), { create: true, join });
  expect(second).toMatchObject({ ok: false, problem: expect.stringContaining("SECRET_KEYS") });
  await first.membership?.leave();
  await first.foundation.database.close();
  const again = await openFoundation(settings(firstKey), { create: true, join });
  expect(again.ok).toBe(true);
  if (!again.ok) return;
  await again.membership?.leave();
  await again.foundation.database.close();
});

const createBudget = (on: Database) => createNetworkBudget({ forms: 3, clock, keys, database: on });

test("limits forms per client and per network across all servers", async () => {
  const { database: other } = await target.open();
  const [here, there] = [createBudget(database), createBudget(other)];
  const answers = [];
  for (const budget of [here, there, here, there])
    answers.push((await budget.spendForm("203.0.113.5")).ok);
  expect(answers).toEqual([true, true, true, false]);
  expect((await there.spendForm("203.0.113.6")).ok).toBe(true);
  const crowd = Array.from({ length: 30 }, (_, number) => `2001:db8:1:${number}::1`);
  const taken = await Promise.all(
    crowd.map((address, turn) => [here, there][turn % 2]?.spendForm(address)),
  );
  // Concurrent requests may miss each other's count.
  expect(taken.filter((result) => result?.ok).length).toBeLessThan(24);
  expect((await here.spendForm("2001:db8:1:99::1")).ok).toBe(false);
});

test("ignores a server's wrong clock when counting forms", async () => {
  const budget = createBudget(database);
  for (let count = 0; count < 3; count++) await budget.spendForm("203.0.114.5");
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 7_200_000);
  const fourth = await budget.spendForm("203.0.114.5");
  expect(fourth).toMatchObject({
    ok: false,
    retryAfterMs: expect.toSatisfy((ms) => ms <= 600_000),
  });
});

test("counts forms per server while the database is down", async () => {
  const budget = createBudget(database);
  network.close();
  const answers = [];
  for (let count = 0; count < 4; count++) answers.push((await budget.spendForm("203.0.115.9")).ok);
  expect(answers).toEqual([true, true, true, false]);
  const countTogether = async () => (await target.ask("select from limits")).length;
  const before = await countTogether();
  network.open();
  const more = async () => (await budget.spendForm("203.0.116.9")) && countTogether();
  await expect.poll(more).toBeGreaterThan(before);
});

test("uses the database's time if a server's clock is two hours ahead", async () => {
  const right = Temporal.Now.instant();
  vi.spyOn(Temporal.Now, "instant").mockReturnValue(right.add({ hours: 2 }));
  const { database: ahead } = await target.open();
  await ahead.write((transaction) => recordSeen(transaction, { now: ahead.clock() }));
  const entered = await readLastSeen(ahead.read);
  expect(entered?.since(right).total("minutes")).toBeLessThan(5);
});
