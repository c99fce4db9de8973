import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import "../../server/command-line/ledger.ts";
import "../../server/command-line/requests.ts";
import { type Database, openDatabase, type Underneath } from "../../server/database/database.ts";
import { declaredStatements } from "../../server/database/statement.ts";
import { createTestKeys, openOffice } from "../../server/deletion-requests/office.fixture.ts";
import "../../server/services.ts";
import { createTestDatabase } from "../harness/postgres.ts";

// The same as tests/house/statements.test.ts, on PostgreSQL: how it goes about every statement with 10,000 requests.

/** Tables that grow with the number of requests, and the columns that differ in each copy of a row. */
const growing: Record<string, string[]> = {
  requests: ["id", "reference", "email_match"],
  submissions: ["id", "request_id", "reference", "form_key_hash"],
  request_events: ["id", "request_id"],
  tokens: ["id", "request_id", "submission_id", "hash"],
  outbox: ["id", "request_id", "message_key", "once"],
  ledger_entries: ["sequence", "request_id"],
};

let test1: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let database: Database;
let store: Underneath;

beforeAll(async () => {
  test1 = await createTestDatabase();
  const { url } = test1;
  folder = await mkdtemp(join(tmpdir(), "plans-"));
  const own = await mkdtemp(join(tmpdir(), "office-"));
  const office = await openOffice(undefined, { folder: own, keys: createTestKeys(), url });
  const end = await office.submitConfirmed({ email: "ended@uni.example" });
  await office.complete(end);
  office.pass({ minutes: 20 });
  await office.rounds.runOnce();
  await office.submitConfirmed({ email: "working@uni.example" });
  await office.submit({ email: "received@uni.example" });
  await office.close();
  await fill(url);
  const opened = await openDatabase({ dataDir: folder, url });
  if (!opened.ok) throw new Error(opened.problem);
  ({ database, store } = opened);
});

afterAll(async () => {
  await database.close();
  await test1.drop();
  await rm(folder, { recursive: true });
});

/** 9,000 that have ended, 500 at work and 500 unconfirmed, with all that hangs on them, each at a time of its own. */
async function fill(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const [table, own] of Object.entries(growing)) {
    const { rows } = await client.query(
      "select column_name as name, data_type as type from information_schema.columns where table_name = $1",
      [table],
    );
    const change = (name: string, type: string) => {
      const column = `t."${name}"`;
      if (own.includes(name)) {
        return type === "text" ? `${column} || '-' || i` : `${column} + i * 1000`;
      }
      // Of all mails ever a few are still to leave.
      if (table === "outbox" && name === "state") {
        return `case when i > 20 then 'delivered' else ${column} end`;
      }
      if (/(?:^at|_at|_on|until)$/.test(name)) {
        return `case when length(${column}) = 10 then (${column}::date + i % 300)::text
          else to_char((${column}::timestamptz + i * interval '11 minutes') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;
      }
      return column;
    };
    const columns = rows.map(({ name }) => `"${name}"`).join(", ");
    const values = rows.map(({ name, type }) => change(name, type)).join(", ");
    const id = table === "requests" ? "id" : "request_id";
    await client.query(
      `insert into ${table} (${columns}) select ${values} from ${table} t
        cross join lateral generate_series(1, case t.${id} when 1 then 9000 else 500 end) i where t.${id} <= 3`,
    );
  }
  await client.query(
    "insert into journal (at, name, act, about) select '2026-11-22T04:00:00.' || lpad((i % 1000)::text, 3, '0') || 'Z', '', '', '' from generate_series(1, 5000) i",
  );
  await client.query("analyze");
  await client.end();
}

/** The hashes made with one key are all or none of them: nothing is found by reading fewer rows. */
const counted =
  /^select count\(\*\) .* from "requests" where "address_hash" is not null and "address_hash_version"/;

/** What is sorted belongs to one request or one page; PostgreSQL would rather sort a few rows than read in order. */
const fewRows = 100;

/** Tables of which a plan reads every row, and rows that it sorts though there are ever more of them. */
function faultsOf(steps: readonly string[]): string[] {
  return steps.flatMap((step) => {
    const table = /Seq Scan on (\w+)/.exec(step)?.[1];
    if (table && (table in growing || table === "journal")) return [step.trim()];
    const sorted = /^[\s>-]*(?:Incremental )?Sort .* rows=(\d+)/.exec(step)?.[1];
    return Number(sorted ?? 0) > fewRows ? [step.trim()] : [];
  });
}

test("the check sees a plan that reads a whole table", async () => {
  const { steps } = await store.explain({
    access: "reads",
    build: (tables) => tables.selectFrom("requests").selectAll().where("reason", "=", "x") as never,
  });
  expect(faultsOf(steps)).toEqual([expect.stringContaining("Seq Scan on requests")]);
});

test("the check sees a plan that sorts a whole table for one page", async () => {
  const { steps } = await store.explain({
    access: "reads",
    build: (tables) =>
      tables.selectFrom("requests").select("id").orderBy("reason").limit(20) as never,
  });
  expect(faultsOf(steps)).toContainEqual(expect.stringContaining("Sort"));
});

test("no statement reads a growing table from end to end in PostgreSQL either, or sorts what it reads", async () => {
  const wrong: string[] = [];
  for (const statement of declaredStatements()) {
    const { sql, steps } = await store.explain(statement);
    if (counted.test(sql)) continue;
    wrong.push(...faultsOf(steps).map((fault) => `${fault}: ${sql}`));
  }
  expect(wrong).toEqual([]);
});

test("whatever a transaction reads can be locked for it", async () => {
  const nothing = new Proxy({}, { get: () => null });
  for (const statement of declaredStatements()) {
    if (statement.access !== "reads") continue;
    const rows = await database.write((transaction) => {
      const all = transaction.all as (statement: unknown, values: unknown) => Promise<unknown[]>;
      return all(statement, nothing);
    });
    expect(Array.isArray(rows)).toBe(true);
  }
});
