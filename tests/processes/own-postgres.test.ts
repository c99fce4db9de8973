import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { askPostgres } from "../../server/database/database.fixture.ts";
import { findPackagedServer } from "../harness/packaged-postgres.ts";

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
