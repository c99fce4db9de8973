import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillPostgres } from "../../bench/store-filling.ts";
import "../../server/cli/ledger.ts";
import "../../server/cli/requests.ts";
import type { Database, Underneath } from "../../server/platform/database/database.ts";
import { declaredStatements } from "../../server/platform/database/statement.ts";
import "../../server/services.ts";
import { growing } from "../harness/fill-store.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";

// Checks PostgreSQL's plans for a store with 10,000 requests. tests/house/statements.test.ts covers
// SQLite.

let test1: TestDatabase;
let database: Database;
let store: Underneath;

beforeAll(async () => {
  test1 = await createTestDatabase();
  mkdirSync(test1.folder);
  // 9,000 ended, 500 confirmed and 500 unconfirmed requests. Those that ended are spread over 700
  // days.
  await fillPostgres(test1.folder, test1.url, 10_000);
  await test1.ask(
    `insert into journal (at, name, act, about) select '2026-11-22T04:00:00.' || lpad((i % 1000)::text, 3, '0') || 'Z',
      '', '', '' from generate_series(1, 5000) i;
    insert into hand_overs (request_id, public_id, test, state, asked_at)
      select id, id, 0, 'done', received_at from requests where ended_at is not null; analyze`,
  );
  ({ database, store } = await test1.open());
});

afterAll(() => test1.drop());

/**
 * Counts of hashes by key version are exempt. Either all rows match or none, so an index wouldn't
 * help.
 */
const counted =
  /^select count\(\*\) .* from "requests" where "address_hash" is not null and "address_hash_version"/;

/**
 * Sorting up to this many rows is fine. They belong to one request or page, and PostgreSQL may
 * prefer a sort to an index.
 */
const fewRows = 100;

/** Finds sequential scans of growing tables, and sorts whose row count grows with the store. */
function faultsOf(steps: readonly string[]): string[] {
  return steps.flatMap((step) => {
    const table = /Seq Scan on (\w+)/.exec(step)?.[1];
    if (table && growing.includes(table)) return [step.trim()];
    const sorted = /^[\s>-]*(?:Incremental )?Sort .* rows=(\d+)/.exec(step)?.[1];
    return Number(sorted ?? 0) > fewRows ? [step.trim()] : [];
  });
}

test("detects a plan that scans and sorts an entire table for one page", async () => {
  const { steps } = await store.explain({
    access: "reads",
    build: (tables) =>
      tables.selectFrom("requests").select("id").orderBy("reason").limit(20) as never,
  });
  const faults = faultsOf(steps).join("\n");
  expect(faults).toContain("Seq Scan on requests");
  expect(faults).toContain("Sort");
});

test("no statement scans or sorts an entire growing table", async () => {
  const wrong: string[] = [];
  for (const statement of declaredStatements()) {
    const { sql, steps } = await store.explain(statement);
    if (counted.test(sql)) continue;
    wrong.push(...faultsOf(steps).map((fault) => `${fault}: ${sql}`));
  }
  expect(wrong).toEqual([]);
});

test("every read can lock its rows within a transaction", async () => {
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
