import { afterEach, beforeEach, expect, test } from "vitest";
import {
  openTestService,
  type TestService,
} from "../../server/deletion-requests/service.fixture.ts";
import { createFormKey } from "../../server/deletion-requests/state-machine/request.ts";
import { createKeyText } from "../../server/platform/crypto/keys.fixture.ts";
import { parsePostgresAddress } from "../../server/platform/database/postgres-address.ts";
import { openPools } from "../../server/platform/database/postgres-pools.ts";
import { toFormValues } from "../../server/platform/forms/form-values.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { createFilledDatabase, type TestDatabase } from "../harness/postgres.ts";
import { startWatchedWire } from "../harness/watched-wire.ts";

/**
 * Counts a form's round trips and checks what a form waits for. For more measurements, run `npm run
 * test:deep -- bench trips`.
 */

let target: TestDatabase;
let wire: Awaited<ReturnType<typeof startWatchedWire>>;
let services: TestService[];
let settings: Record<string, string>;

beforeEach(async () => {
  target = await createFilledDatabase();
  wire = await startWatchedWire(Number(new URL(target.url).port));
  settings = { SECRET_KEYS: createKeyText(), MAX_UNCONFIRMED: "1000000" };
  services = [];
});
afterEach(async () => {
  wire.release();
  await Promise.all(services.map((service) => service.close()));
  wire.close();
  await target.drop();
});

async function open(way: "direct" | "watched") {
  const { href } = Object.assign(new URL(target.url), way === "watched" && { port: wire.port });
  const service = await openTestService(undefined, {
    settings: { ...settings, DATABASE_URL: href },
  });
  services.push(service);
  return service;
}

const send = ({ requests }: TestService, email: string, client = "203.0.113.5") =>
  requests.submit(toFormValues(filledForm({ email, formKey: createFormKey() })), "", client);

/**
 * Sends forms, each from another network, after PostgreSQL has analyzed nearly empty tables. Closes
 * the connections, because each reports its counts when it ends.
 */
async function growSinceAnalysis(forms: number): Promise<void> {
  const service = await open("direct");
  await send(service, "first@uni.example");
  await target.ask("analyze");
  for (let form = 0; form < forms; form++) {
    await send(service, `${form}@uni.example`, `${form + 1}.0.0.7`);
    await service.outbox.sendAll();
  }
  await service.close();
  services = [];
}

test("stores a form in at most five round trips whether or not its email address is known", async () => {
  const service = await open("watched");
  // Opens the connections and prepares every statement.
  for (const email of ["first@uni.example", "first@uni.example"]) await send(service, email);
  const tripsOf = async (email: string) => {
    const before = wire.count();
    expect((await send(service, email)).kind).toBe("stored");
    return wire.count() - before;
  };
  expect(await tripsOf("second@uni.example")).toBeLessThanOrEqual(5);
  expect(await tripsOf("second@uni.example")).toBe(await tripsOf("third@uni.example"));
});

test("sends an email in at most five round trips", async () => {
  const service = await open("watched");
  for (const email of ["first@uni.example", "second@uni.example"]) {
    await send(service, email);
    await service.outbox.sendAll();
  }
  await send(service, "third@uni.example");
  const before = wire.count();
  await service.outbox.sendAll();
  expect(service.sent).toHaveLength(3);
  expect(wire.count() - before).toBeLessThanOrEqual(5);
});

test.each([
  ["readers", "reading"],
  ["writers", "writing"],
  ["writers", "losing"],
  ["counting", "counting"],
] as const)("plans a prepared statement only once (%s, %s)", async (name, mode) => {
  const parsed = parsePostgresAddress(target.url);
  if (!parsed.ok) throw new Error(parsed.problem);
  const { pools, begins } = openPools(parsed.address, 1000);
  const client = await pools[name].connect();
  for (let run = 0; run < 6; run++) {
    await client.query(begins[mode]);
    const text = "select id from requests where id = any($1::bigint[])";
    await client.query({ name: "asked", text, values: [[run]] });
    await client.query("commit");
  }
  const { rows } = await client.query(
    "select generic_plans, custom_plans from pg_prepared_statements where name = 'asked'",
  );
  client.release();
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
  expect(rows).toEqual([{ generic_plans: 6, custom_plans: 0 }]);
});

test("scans no table that has grown since PostgreSQL analyzed it", async () => {
  const forms = 100;
  await growSinceAnalysis(forms);
  const count = async () => {
    const [row] = await target.ask(
      "select sum(n_tup_ins) as added, sum(seq_tup_read) as scanned from pg_stat_user_tables",
    );
    return { added: Number(row?.added), scanned: Number(row?.scanned) };
  };
  await expect.poll(async () => (await count()).added).toBeGreaterThan(5 * forms);
  expect((await count()).scanned).toBeLessThan(forms);
});

test("checks a network's limits without reading those of other networks", async () => {
  const forms = 100;
  await growSinceAnalysis(forms);
  // Reading an entire index counts as one search of it.
  const count = async () => {
    const [row] = await target.ask(
      "select idx_scan, idx_tup_read from pg_stat_user_indexes where indexrelname = 'limits_pkey'",
    );
    return { searches: Number(row?.idx_scan), read: Number(row?.idx_tup_read) };
  };
  await expect.poll(async () => (await count()).searches).toBeGreaterThan(forms);
  const { searches, read } = await count();
  expect(read).toBeLessThanOrEqual(searches);
});

test("stores a network's forms while another form's commit is pending", async () => {
  const [slow, other] = [await open("watched"), await open("direct")];
  await send(slow, "first@uni.example");
  wire.hold((data) => data.includes("commit\0") && !data.includes("begin"));
  const pending = send(slow, "pending@uni.example");
  await expect.poll(() => wire.countHeld()).toBe(1);
  for (let form = 0; form < 5; form++) {
    expect((await send(other, `other${form}@uni.example`)).kind).toBe("stored");
  }
  wire.release();
  expect((await pending).kind).toBe("stored");
});

test("merges the form counts of two servers into one row", async () => {
  const [first, second] = [await open("direct"), await open("direct")];
  await Promise.all(
    Array.from({ length: 20 }, (_, form) => send(form % 2 ? first : second, `${form}@uni.example`)),
  );
  const month = Temporal.PlainYearMonth.from("2026-11");
  const received = async () => (await first.desk.happened(month)).received;
  expect(await received()).toBe(20);
  await first.upkeep.run();
  expect(await target.ask("select name, count from tallies where name like 'received%'")).toEqual([
    { name: "received", count: "20" },
  ]);
  expect(await received()).toBe(20);
});
