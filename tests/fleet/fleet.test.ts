import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connections } from "../../server/database/postgres.ts";
import { type Fleet, startFleet } from "./fleet.fixture.ts";
import { findBrokenPromises } from "./fleet-promises.ts";

// Three servers on one PostgreSQL, and leases that really run out: `npm run test:deep -- fleet`.
const kills = Number(process.env.KILLS ?? 30);
const people = 4;

/** What is owed, by what it tells of. */
const kinds = [
  ...["confirm", "confirmed", "cancelled", "in-progress"],
  ...["held", "released", "completed", "refused"],
  ...["operator-invitation", "operator-new", "operator-account-system"],
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

test(`one of three is killed ${kills} times, and nothing that was acknowledged is lost or doubled`, async () => {
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
  // People and the account system did all that they can do, and each act had its mail.
  expect(Object.keys(owed)).toEqual(expect.arrayContaining(kinds));
}, 1_800_000);

test("one that stood still for longer than its leases does nothing twice when it wakes", async () => {
  using load = fleet.load(people);
  const [, sleeper] = fleet.instances;
  // It falls asleep over mails that have arrived, before it hears so.
  fleet.silenceMailServer(1);
  await expect.poll(fleet.countUnanswered, { timeout: 180_000 }).toBeGreaterThan(0);
  sleeper?.signal("SIGSTOP");
  // Others have sent them once more, under the same name.
  await expect.poll(fleet.countOwedOfUnanswered, { timeout: 600_000, interval: 500 }).toBe(0);
  // It wakes to hear that they were refused: that is nothing to it any more.
  fleet.refuseUnanswered();
  sleeper?.signal("SIGCONT");
  await waitForForms(10);
  await load.stop();
  await expectPromisesKept();
}, 900_000);

test("when the database stops and starts, everything goes on by itself", async () => {
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

test("connections that are cut before, in and after a commit leave nothing half and nothing twice", async () => {
  using load = fleet.load(people);
  const isCommit = (said: Buffer) => said.includes("commit") && Math.random() < 0.3;
  fleet.network.cutBefore(isCommit);
  await waitForForms(20);
  fleet.network.mend();
  fleet.network.cutAfter(isCommit);
  await waitForForms(20);
  fleet.network.mend();
  for (let count = 0; count < 10; count++) {
    fleet.network.cut();
    await waitForForms(2);
  }
  await load.stop();
  await expectPromisesKept();
}, 900_000);

test("when every connection waits, pages are served, forms are told so, and it passes", async () => {
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
