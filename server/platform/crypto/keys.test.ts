import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { createKeys, loadKeys, parseKeys, Secret } from "./keys.ts";

const firstKey = `1:${"A".repeat(43)}`;
const two = `2:${"B".repeat(42)}A`;

folderForEachTest();

function keysOf(text: string) {
  return createKeys(parseKeys(text) ?? []);
}

test("encrypts with the newest key and decrypts with older keys", () => {
  const sealed = keysOf(firstKey).seal("outbox", "hello");
  const rotated = keysOf(`${two},${firstKey}`);
  expect(rotated.unseal("outbox", sealed)).toBe("hello");
  expect(rotated.seal("outbox", "x")).toMatch(/^2\./);
  expect(keysOf(two).unseal("outbox", sealed)).toBeUndefined();
});

test("doesn't decrypt text that was changed or sealed for another purpose", () => {
  const keys = keysOf(firstKey);
  const sealed = keys.seal("visit to link", "secret");
  expect(keys.unseal("outbox", sealed)).toBeUndefined();
  const changed = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
  expect(keys.unseal("visit to link", changed)).toBeUndefined();
  expect(keys.unseal("visit to link", "1.x")).toBeUndefined();
  expect(sealed).not.toContain("secret");
});

test("computes equal hashes only with the same key", () => {
  const before = keysOf(firstKey).hash("ledger", "a@x.edu");
  const rotated = keysOf(`${two},${firstKey}`);
  expect(rotated.hashWith("ledger", "a@x.edu", 1)).toEqual(before);
  expect(rotated.hash("ledger", "a@x.edu").hash).not.toBe(before.hash);
  expect(keysOf(two).hashWith("ledger", "a@x.edu", 1)).toBeUndefined();
});

test.each([
  "",
  "x",
  "1:short",
  `${firstKey},${firstKey}`,
  `0:${"A".repeat(43)}`,
  `${firstKey};${two}`,
])("rejects %j as a list of keys", (text) => {
  expect(parseKeys(text)).toBeUndefined();
});

test("creates a key file that only this OS user can read, and loads it on the next run", async () => {
  const dataDir = folder;
  const first = await loadKeys({ secretKeys: undefined, dataDir });
  const second = await loadKeys({ secretKeys: undefined, dataDir });
  if (!first.ok || !second.ok) throw new Error("no keys");
  expect(second.keys.unseal("visit to link", first.keys.seal("visit to link", "x"))).toBe("x");
  expect((await stat(join(dataDir, "keys"))).mode & 0o777).toBe(0o600);
});

test("revokes other OS users' access to the key file", async () => {
  const path = join(folder, "keys");
  await writeFile(path, firstKey, { mode: 0o644 });
  await chmod(path, 0o644);
  await loadKeys({ secretKeys: undefined, dataDir: folder });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("reports missing keys instead of creating them if `mustExist` is set", async () => {
  const loading = { secretKeys: undefined, dataDir: folder, mustExist: true };
  const problem = expect.stringMatching(/^There are no keys: /);
  expect(await loadKeys(loading)).toEqual({ ok: false, problem });
  expect(await readdir(folder)).toEqual([]);
});

test("prefers configured keys and never writes them to disk", async () => {
  const loaded = await loadKeys({ secretKeys: new Secret(firstKey), dataDir: folder });
  expect(loaded).toMatchObject({ ok: true });
  await expect(readFile(join(folder, "keys"))).rejects.toThrow("ENOENT");
});

test("reports a damaged key file without replacing it", async () => {
  await writeFile(join(folder, "keys"), "nonsense");
  expect(await loadKeys({ secretKeys: undefined, dataDir: folder })).toEqual({
    ok: false,
    problem: `The file ${join(folder, "keys")} does not contain keys.`,
  });
});
