import { afterEach, expect, test } from "vitest";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { readConfig } from "../../config.ts";
import { openFoundation } from "../../open.ts";
import { returnTestDatabase, settingsFor } from "../database/database.fixture.ts";

folderForEachTest();
afterEach(() => returnTestDatabase(folder));

const one = `1:${"A".repeat(43)}`;
const otherOne = `1:${"B".repeat(42)}A`;
const two = `2:${"C".repeat(42)}A`;

/** Tries to open the store with these keys, as the server or as a command. */
async function isOpened(SECRET_KEYS: string, by: "server" | "command" = "server") {
  const read = readConfig({ ...(await settingsFor(folder)), SECRET_KEYS });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const opened = await openFoundation(read.config, { create: by === "server" });
  if (opened.ok) await opened.foundation.database.close();
  return opened.ok;
}

test("trusts the first keys, and rejects different keys with the same version", async () => {
  expect(await isOpened(one)).toBe(true);
  expect(await isOpened(one)).toBe(true);
  expect(await isOpened(otherOne)).toBe(false);
});

test("accepts a new key with a higher version, and detects a lower or missing key", async () => {
  await isOpened(one);
  expect(await isOpened(`${two},${one}`)).toBe(true);
  expect(await isOpened(two)).toBe(true);
  expect(await isOpened(one)).toBe(false);
  expect(await isOpened(`${two},${otherOne}`)).toBe(false);
});

test("rejects a command whose key is newer than the server's, without locking out the server", async () => {
  expect(await isOpened(one)).toBe(true);
  for (const keys of [two, `${two},${one}`]) expect(await isOpened(keys, "command")).toBe(false);
  expect(await isOpened(one, "command")).toBe(true);
});
