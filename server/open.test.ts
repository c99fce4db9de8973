import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Config, readConfig } from "./config.ts";
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

async function configFor(dataDir: string, isEmpty = false): Promise<Config> {
  const read = readConfig(await settingsFor(dataDir, isEmpty));
  if (!read.ok) throw new Error(read.problems.join());
  return read.config;
}

test("a command on a mistyped folder says so, and makes nothing there", async () => {
  const dataDir = join(folder, "mistyped");
  expect(await openFoundation(await configFor(dataDir, true), { create: false })).toEqual({
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

test("what the server made, a command opens with the same calendar and keys", async () => {
  const server = await openFoundation(await configFor(folder), { create: true });
  if (!server.ok) throw new Error(server.problem);
  await server.foundation.database.close();
  const command = await openFoundation(await configFor(folder), { create: false });
  if (!command.ok) throw new Error(command.problem);
  expect(command.foundation.calendar).toEqual(server.foundation.calendar);
  const sealed = server.foundation.keys.seal("check", "text");
  expect(command.foundation.keys.unseal("check", sealed)).toBe("text");
  await command.foundation.database.close();
});

test("a command without the server's keys says so, and makes none", async () => {
  const server = await openFoundation(await configFor(folder), { create: true });
  if (!server.ok) throw new Error(server.problem);
  await server.foundation.database.close();
  await rm(join(folder, "keys"));
  expect(await openFoundation(await configFor(folder), { create: false })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^There are no keys: /),
  });
  expect(await readdir(folder)).not.toContain("keys");
});
