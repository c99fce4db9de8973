import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { dropTestDatabase, runsOnPostgres, settingsFor } from "./database/database.fixture.ts";
import { openFoundation } from "./open.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-"));
});

afterEach(async () => {
  await dropTestDatabase(folder);
  await rm(folder, { recursive: true });
});

/** As the server or a command opens a data folder. */
async function open(dataDir: string, create: boolean, isEmpty = false) {
  const read = readConfig(await settingsFor(dataDir, isEmpty));
  if (!read.ok) throw new Error(read.problems.join());
  const opened = await openFoundation(read.config, { create });
  if (opened.ok) await opened.foundation.database.close();
  return opened;
}

test("a command on a mistyped folder says so, and makes nothing there", async () => {
  const dataDir = join(folder, "mistyped");
  expect(await open(dataDir, false, true)).toEqual({
    ok: false,
    missing: true,
    problem: expect.stringMatching(
      runsOnPostgres
        ? /^The database \S+ at \S+ is empty\. Only the server makes its tables: /
        : /^There is no database in .*mistyped\. Only the server makes one: /,
    ),
  });
  expect(existsSync(dataDir)).toBe(false);
  await dropTestDatabase(dataDir);
});

test("what the server made, a command opens with its keys; without them it says so, and makes none", async () => {
  const server = await open(folder, true);
  const command = await open(folder, false);
  if (!server.ok || !command.ok) throw new Error("It cannot be opened");
  const sealed = server.foundation.keys.seal("check", "text");
  expect(command.foundation.keys.unseal("check", sealed)).toBe("text");
  await rm(join(folder, "keys"));
  expect(await open(folder, false)).toEqual({
    ok: false,
    problem: expect.stringMatching(/^There are no keys: /),
  });
  expect(await readdir(folder)).not.toContain("keys");
});
