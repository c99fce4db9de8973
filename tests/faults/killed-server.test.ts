import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../server/database/database.ts";

const submitForever = join(import.meta.dirname, "submit-forever.ts");

/** Starts a process that stores requests and tells each reference; kills it without warning after `count` of them. */
function storeAndKill(dataDir: string, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [submitForever, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let told = "";
    child.stdout.on("data", (chunk: Buffer) => {
      told += chunk.toString();
      if (told.split("\n").length > count) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", () => resolve(told.split("\n").slice(0, -1)));
  });
}

test("a server killed right after it answered has lost nothing", { timeout: 60_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "killed-"));
  const acknowledged: string[] = [];
  for (const count of [1, 1, 2, 3, 5, 8]) {
    acknowledged.push(...(await storeAndKill(dataDir, count)));
  }
  const opened = await openDatabase({ dataDir });
  if (!opened.ok) throw new Error(opened.problem);
  const rows = await opened.database.kysely.selectFrom("submissions").select("reference").execute();
  const stored = rows.map((row) => row.reference);
  expect(acknowledged.length).toBeGreaterThanOrEqual(20);
  expect(stored).toEqual(expect.arrayContaining(acknowledged));
  await opened.database.close();
  await rm(dataDir, { recursive: true });
});
