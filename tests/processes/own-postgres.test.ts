import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { askPostgres } from "../../server/database/database.fixture.ts";

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
