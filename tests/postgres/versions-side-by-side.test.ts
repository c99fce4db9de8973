import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations, upgradeStore } from "../../server/platform/database/migrate.ts";
import { openPostgres } from "../../server/platform/database/postgres.ts";
import { parsePostgresAddress } from "../../server/platform/database/postgres-address.ts";
import { root } from "../harness/campus.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";
import { compileForPostgres } from "../harness/released-statements.ts";

// During a rollout, the previous version runs on the new tables. For how to write such migrations,
// see docs/how-it-is-built.md.

const released: string[] = JSON.parse(
  await readFile(join(root, "server/platform/database/released-statements.json"), "utf8"),
);

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.open();
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Finds the statements that no longer work on these tables. */
async function findRefused(statements: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ table: string; column: string }>(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO'`);
  const refused: string[] = [];
  for (const sql of statements) {
    try {
      await client.query(`prepare one as ${sql}`);
      await client.query("deallocate one");
    } catch (error) {
      refused.push(`${(error as Error).message}: ${sql}`);
      continue;
    }
    const [, table, columns = ""] = /^insert into "(\w+)" \(([^)]*)\)/.exec(sql) ?? [];
    const given = columns.split(", ");
    for (const { column } of rows.filter((row) => row.table === table)) {
      if (!given.includes(`"${column}"`)) refused.push(`${table}.${column} must be said: ${sql}`);
    }
  }
  return refused;
}

test("accepts the previous version's statements on this version's tables", async () => {
  expect(released.length).toBeGreaterThan(150);
  expect(await findRefused(released)).toEqual([]);
});

test("accepts this version's statements on this version's tables", async () => {
  expect(await findRefused(compileForPostgres())).toEqual([]);
});

test("migrates without blocking a busy older version", async () => {
  const other = await createTestDatabase();
  const address = parsePostgresAddress(other.url);
  if (!address.ok) throw new Error(address.problem);
  const older = openPostgres(address.address);
  // Creates the tables as they were before the migration that drops indexes.
  await upgradeStore(older.dialect, Object.fromEntries(Object.entries(migrations).slice(0, 3)));
  await older.close();
  const atWork = new Client({ connectionString: other.url });
  await atWork.connect();
  await atWork.query("begin; select from hand_overs");
  const starting = other.open();
  while ((await other.ask("select from pg_locks where not granted")).length === 0);
  await atWork.query("select from requests; commit");
  await starting;
  expect(await other.ask("select to_regclass('requests_by_end') as one")).toEqual([{ one: null }]);
  await atWork.end();
  await other.drop();
});

test("detects dropped, renamed and newly required columns", async () => {
  await client.query("begin");
  await client.query("alter table submissions drop column feedback");
  await client.query("alter table operators rename column left_at to gone_at");
  await client.query("alter table journal add column place text not null");
  await client.query("savepoint here");
  const refused: string[] = [];
  for (const sql of released) {
    refused.push(...(await findRefused([sql])));
    await client.query("rollback to here");
  }
  await client.query("rollback");
  const text = refused.join("\n");
  expect(text).toContain('column "feedback"');
  expect(text).toContain('"left_at"');
  expect(text).toContain("journal.place must be said");
});
