import { afterEach, expect, test } from "vitest";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { readConfig } from "../../config.ts";
import { openFoundation } from "../../open.ts";
import { returnTestDatabase, settingsFor } from "../database/database.fixture.ts";

folderForEachTest();
afterEach(() => returnTestDatabase(folder));

const firstKey = `1:${"A".repeat(43)}`;
const otherOne = `1:${"B".repeat(42)}A`;
const two = `2:${"C".repeat(42)}A`;

/** Checks whether the database opens with these keys, for the server or for a command. */
async function isOpened(SECRET_KEYS: string, by: "server" | "command" = "server") {
  const read = readConfig({ ...(await settingsFor(folder)), SECRET_KEYS });
  if (!read.ok) throw new Error(read.problems.join(" "));
  const opened = await openFoundation(read.config, { create: by === "server" });
  if (opened.ok) await opened.foundation.database.close();
  return opened.ok;
}

test("rejects a key that differs from the registered key of the same version", async () => {
  expect(await isOpened(firstKey)).toBe(true);
  expect(await isOpened(firstKey)).toBe(true);
  expect(await isOpened(otherOne)).toBe(false);
});

test("accepts a key rotation to a higher version but not back to a lower version", async () => {
  await isOpened(firstKey);
  expect(await isOpened(`${two},${firstKey}`)).toBe(true);
  expect(await isOpened(two)).toBe(true);
  expect(await isOpened(firstKey)).toBe(false);
  expect(await isOpened(`${two},${otherOne}`)).toBe(false);
});

test("doesn't register a new key from a command", async () => {
  expect(await isOpened(firstKey)).toBe(true);
  for (const keys of [two, `${two},${firstKey}`])
    expect(await isOpened(keys, "command")).toBe(false);
  expect(await isOpened(firstKey, "command")).toBe(true);
});
