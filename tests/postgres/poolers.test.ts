import { afterEach, beforeEach, expect, test } from "vitest";
import {
  openTestService,
  type TestService,
} from "../../server/deletion-requests/service.fixture.ts";
import { createKeyText } from "../../server/platform/crypto/keys.fixture.ts";
import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { openDatabase } from "../../server/platform/database/database.ts";
import {
  countOf,
  failed,
  insert,
} from "../../server/platform/database/monthly-counters.fixture.ts";
import { createFilledDatabase, type TestDatabase } from "../harness/postgres.ts";
import { keepsStatements, pgbouncerVersion, startPgbouncer } from "./pgbouncer.fixture.ts";

/**
 * Runs the store behind a real pgbouncer in transaction mode. Skipped if pgbouncer isn't installed
 * (on Debian: apt-get install pgbouncer).
 */

let target: TestDatabase;
let pooler: Awaited<ReturnType<typeof startPgbouncer>> | undefined;
let services: TestService[];

beforeEach(async () => {
  target = await createFilledDatabase();
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.close()));
  await target.drop();
  await pooler?.close();
  pooler = undefined;
});

const ifInstalled = test.runIf(pgbouncerVersion !== undefined);

async function open(settings?: Parameters<typeof startPgbouncer>[1]) {
  pooler = await startPgbouncer(target.url, settings);
  return { url: pooler.url, database: (await target.open(pooler.url)).database };
}

ifInstalled("stores forms and sends emails behind a pooler in transaction mode", async () => {
  pooler = await startPgbouncer(target.url);
  const settings = { SECRET_KEYS: createKeyText(), DATABASE_URL: pooler.url };
  for (let index = 0; index < 2; index++) {
    services.push(await openTestService(undefined, { settings }));
  }
  const [first, second] = services as [TestService, TestService];
  const stored = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? first : second).submit({ email: `student${index}@uni.example` }),
    ),
  );
  expect(new Set(stored.map((form) => form.reference)).size).toBe(40);
  await Promise.all([first.rounds.runOnce(), second.rounds.runOnce()]);
  expect(
    await target.ask("select state, count(*) from outbox where kind = 'confirm' group by state"),
  ).toEqual([{ state: "delivered", count: "40" }]);
  expect(await first.database.findTrouble()).toBeUndefined();
});

ifInstalled("leaves no settings behind in a shared session", async () => {
  // With a single session, a setting that outlives its transaction is visible to the next client.
  const { url, database } = await open({ default_pool_size: 1 });
  const names = [
    "lock_timeout",
    "statement_timeout",
    "synchronous_commit",
    "transaction_read_only",
  ];
  const settings = names.map((name) => `current_setting('${name}') as ${name}`).join(", ");
  const query = `select ${settings}`;
  const before = await target.ask(query);
  await database.purses({ name: "forms", windowMs: 1000 })([{ key: "one", most: 1 }], 1);
  await database.write((transaction) => insert(transaction, { month: "m" }));
  expect(await countOf(database.read, { month: "m" })).toEqual({ count: 0 });
  expect(await queryPostgres(url, query)).toEqual(before);
});

ifInstalled("rejects writes in read transactions", async () => {
  const { database } = await open();
  const disguised = insert as unknown as typeof countOf;
  const refused = await failed(database.read.all(disguised, { month: "m" }));
  expect(refused).toMatchObject({ code: "25006" });
  expect(await countOf(database.read, { month: "m" })).toBeUndefined();
});

ifInstalled("warns of a pooler that loses prepared statements", async () => {
  const { database } = await open({ default_pool_size: 1 });
  if (keepsStatements) expect(database.warning).toBeUndefined();
  else expect(database.warning).toMatch(/^A pooler .* max_prepared_statements = 200\.$/);
});

ifInstalled("rewrites tables behind a pooler", async () => {
  const { database } = await open();
  await database.write((transaction) => insert(transaction, { month: "m" }));
  expect(await database.erasePhysically()).toBe(true);
});

ifInstalled("explains the problem with a pooler that allows no transactions", async () => {
  pooler = await startPgbouncer(target.url, { pool_mode: "statement" });
  const opened = await openDatabase({ dataDir: target.folder, url: pooler.url });
  expect(opened).toMatchObject({
    ok: false,
    problem: expect.stringMatching(
      /^A pooler such as pgbouncer .* Set its pool_mode to transaction\.$/,
    ),
  });
});
