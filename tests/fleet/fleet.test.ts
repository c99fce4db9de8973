import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connections } from "../../server/platform/database/postgres-pools.ts";
import { type Fleet, startFleet } from "./fleet.fixture.ts";
import { findBrokenPromises } from "./fleet-promises.ts";

// Three servers on one PostgreSQL database, with leases as long as in production. Run with `npm run
// test:deep -- fleet`.
const kills = Number(process.env.KILLS ?? 30);
const people = 4;

/** Kinds of messages that the load must cause. */
const kinds = [
  ...["confirm", "confirmed", "cancelled", "in-progress"],
  ...["held", "released", "completed", "refused"],
  ...["operator-invitation", "operator-account-system"],
  ...["account.deletion.requested", "account.deletion.cancelled"],
];

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet(3);
}, 900_000);
afterAll(() => fleet?.close());

async function expectPromisesKept() {
  await fleet.settle();
  const found = await findBrokenPromises(fleet);
  expect(found.broken).toEqual([]);
  expect(found.forms).toBeGreaterThanOrEqual(fleet.acknowledged.size);
  console.log(JSON.stringify({ ...found, acknowledged: fleet.acknowledged.size }));
  return found;
}

const expectHealth = (instance: Fleet["instances"][number] | undefined, status: number) =>
  expect.poll(async () => (await instance?.health())?.status).toBe(status);

const waitForForms = (more: number) => {
  const wanted = fleet.acknowledged.size + more;
  return expect
    .poll(() => fleet.acknowledged.size, { timeout: 600_000 })
    .toBeGreaterThanOrEqual(wanted);
};

test(`loses and duplicates no acknowledged work when one of three servers is killed ${kills} times`, async () => {
  using load = fleet.load(people);
  for (let round = 0; round < kills; round++) {
    await waitForForms(10 + Math.floor(Math.random() * 20));
    const victim = Math.floor(Math.random() * fleet.instances.length);
    fleet.instances[victim]?.signal("SIGKILL");
    await waitForForms(5);
    await fleet.replace(victim);
  }
  await load.stop();
  const { owed } = await expectPromisesKept();
  expect(Object.keys(owed)).toEqual(expect.arrayContaining(kinds));
}, 1_800_000);

test("doesn't repeat finished work when a server resumes with expired leases", async () => {
  using load = fleet.load(people);
  const [, sleeper] = fleet.instances;
  // Pauses the server while it waits for the mail server to acknowledge its emails.
  fleet.silenceMailServer(1);
  await expect.poll(fleet.countUnanswered, { timeout: 180_000 }).toBeGreaterThan(0);
  sleeper?.signal("SIGSTOP");
  // Meanwhile, the other servers send the same emails again under the same keys.
  await expect.poll(fleet.countOwedOfUnanswered, { timeout: 600_000, interval: 500 }).toBe(0);
  // Rejects the paused server's emails. By now, its leases on them have expired.
  fleet.refuseUnanswered();
  sleeper?.signal("SIGCONT");
  await waitForForms(10);
  await load.stop();
  await expectPromisesKept();
}, 900_000);

test("recovers without a restart after the database stops or crashes", async () => {
  using load = fleet.load(people);
  for (const end of [fleet.postgres.halt, fleet.postgres.crash]) {
    await waitForForms(10);
    await end();
    const [instance] = fleet.instances;
    await expectHealth(instance, 503);
    expect((await fetch(`${instance?.url}/faq`)).status).toBe(200);
    await fleet.postgres.start();
  }
  await waitForForms(20);
  await load.stop();
  for (const instance of fleet.instances) await expectHealth(instance, 200);
  await expectPromisesKept();
}, 900_000);

test("loses and duplicates no work when connections break around a commit", async () => {
  using load = fleet.load(people);
  const isCommit = (data: Buffer) => data.includes("commit") && Math.random() < 0.3;
  fleet.network.cutBefore(isCommit);
  await waitForForms(20);
  fleet.network.restore();
  fleet.network.cutAfter(isCommit);
  await waitForForms(20);
  fleet.network.restore();
  for (let count = 0; count < 10; count++) {
    fleet.network.cut();
    await waitForForms(2);
  }
  await load.stop();
  await expectPromisesKept();
}, 900_000);

test("serves pages and refuses forms while every connection waits for a lock", async () => {
  const lock = new Client({ connectionString: fleet.databaseUrl });
  await lock.connect();
  await lock.query("begin; lock table requests in access exclusive mode");
  const refusedBefore = fleet.countRefused();
  const waiting = Array.from({ length: 60 }, () => fleet.sendForm());
  const countWaiting = async () => {
    const [row] = await fleet.ask(
      "select count(*) as n from pg_stat_activity where wait_event_type = 'Lock'",
    );
    return Number(row?.n);
  };
  await expect
    .poll(countWaiting, { timeout: 300_000, interval: 500 })
    .toBeGreaterThanOrEqual(fleet.instances.length * connections);
  for (const { url } of fleet.instances) {
    expect((await fetch(`${url}/faq`)).status).toBe(200);
  }
  await expect.poll(fleet.countRefused, { timeout: 300_000 }).toBeGreaterThan(refusedBefore);
  await lock.query("rollback");
  await lock.end();
  await Promise.all(waiting);
  await expectPromisesKept();
}, 900_000);
