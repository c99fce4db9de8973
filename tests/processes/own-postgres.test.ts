import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askPostgres } from "../../server/database/database.fixture.ts";
import { findPackagedServer } from "../harness/packaged-postgres.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

test("each test file gets a database of its own, which is gone afterwards", async () => {
  const first = await createTestDatabase(server.url);
  const second = await createTestDatabase(server.url);
  await askPostgres(first.url, "CREATE TABLE notes (text text)");
  const tables = "SELECT 1 FROM pg_tables WHERE tablename = 'notes'";
  expect(await askPostgres(first.url, tables)).toHaveLength(1);
  expect(await askPostgres(second.url, tables)).toHaveLength(0);
  await Promise.all([first.drop(), second.drop()]);
  await expect(askPostgres(first.url, "SELECT 1")).rejects.toThrow("does not exist");
});

test("what was committed is there after a crash and after a stop, at the same address", async () => {
  const database = await createTestDatabase(server.url);
  await askPostgres(database.url, "CREATE TABLE notes (text text)");
  await askPostgres(database.url, "INSERT INTO notes VALUES ('kept')");
  for (const end of [server.crash, server.halt]) {
    await end();
    await expect(askPostgres(database.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
    await server.start();
    expect(await askPostgres(database.url, "SELECT text FROM notes")).toEqual([{ text: "kept" }]);
  }
});

test("nothing is left of a server whose tests were killed", async () => {
  const starter = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dirname, "../harness/postgres.ts"))});
    const { Client } = await import("pg");
    const server = await startPostgres();
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query("SHOW data_directory");
    console.log(JSON.stringify({ url: server.url, folder: rows[0].data_directory }));
  `;
  const tests = spawn(process.execPath, ["--input-type=module", "-e", starter], {
    cwd: join(import.meta.dirname, "../.."),
  });
  const said = await new Promise<string>((resolve) => tests.stdout.once("data", resolve));
  const { url, folder } = JSON.parse(String(said)) as { url: string; folder: string };
  expect(existsSync(folder)).toBe(true);
  tests.kill("SIGKILL");
  while (existsSync(folder)) await setTimeout(20);
  await expect(askPostgres(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
});

test("a kind of machine without a packaged server is told what to set", () => {
  const found = findPackagedServer("freebsd", "x64");
  expect(found).toEqual({
    ok: false,
    problem:
      "There is no packaged PostgreSQL for freebsd-x64. Set TEST_DATABASE_URL=postgres://user:password@host/postgres to an account that may create databases.",
  });
});
