import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { createTestKeys } from "../deletion-requests/office.fixture.ts";
import { office, openOfficeForEachTest } from "../deletion-requests/office-of-each-test.fixture.ts";
import { openSealedFile } from "../keys/sealed-file.ts";
import { runCommand } from "./ledger.ts";

openOfficeForEachTest();

async function file(content: string): Promise<string> {
  const path = join(office.folder, "accounts.txt");
  await writeFile(path, content);
  return path;
}

test("says which accounts of a restored backup must be erased again", async () => {
  await office.submitCompleted();
  const restored = await file("anika@uni.example\r\nkabir@uni.example\r\n");
  const checked = await runCommand(["check", restored], office);
  expect(checked.code).toBe(3);
  expect(checked.out).toMatch(/^ADDRESS .*\nanika@uni\.example +2026-11-22T04:00Z +.{9}\n$/);
  expect(await runCommand(["check", await file("kabir@uni.example\n")], office)).toMatchObject({
    code: 0,
    out: "No account must be erased again, of 1 address.\n",
  });
});

test.each([
  ["a file without any address", "%PDF-1.7\n%binary\n", /^No line of .* holds an address/],
  ["a file in which a line is damaged", "kabir@uni.example\nkabir(at)uni\n", /^1 line holds no us/],
  ["an empty file", "", /^No line of .* holds an address/],
])("%s is no reason to say that nothing must be erased", async (_, content, problem) => {
  await office.submitCompleted();
  expect(await runCommand(["check", await file(content)], office)).toMatchObject({
    code: 4,
    out: "Cannot tell whether accounts must be erased again.\n",
    problem: expect.stringMatching(problem),
  });
});

test("an empty ledger cannot tell", async () => {
  const checked = await runCommand(["check", await file("kabir@uni.example\n")], office);
  expect(checked).toMatchObject({
    code: 4,
    problem: expect.stringMatching(/^The ledger is empty/),
  });
});

test("where the key is gone that the deletions were entered with, it cannot tell", async () => {
  await office.submitCompleted();
  const withNewKey = { ...office, keys: createTestKeys(2) };
  const restored = await file("anika@uni.example\nkabir@uni.example\n");
  expect(await runCommand(["check", restored], withNewKey)).toMatchObject({
    code: 4,
    out: "Cannot tell whether accounts must be erased again.\n",
    problem: "1 entry cannot be compared: their key is missing from SECRET_KEYS.\n",
  });
});

test("who checked, exported or read the ledger through stays to be read", async () => {
  await runCommand(["check", await file("kabir@uni.example\n"), "--as", "Nadia"], office);
  await runCommand(["verify", "--as", "Rahim"], office);
  await runCommand(["export", join(office.folder, "export.sealed"), "--as", "Tuli"], office);
  expect((await office.desk.journal(9)).map(({ name, act }) => `${name} ${act}`)).toEqual([
    "Tuli ledger-export",
    "Rahim ledger-verify",
    "Nadia ledger-check",
  ]);
});

test("says whether the ledger is whole, and with which entry it ends", async () => {
  expect(await runCommand(["verify"], office)).toMatchObject({ code: 0 });
  await office.submitCompleted();
  expect(await runCommand(["verify"], office)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^The ledger is whole: 1 entry\.\nThe last one, 1, has the hash \w{64}\n/,
    ),
  });
  const shown = await runCommand(["show", "1"], office);
  const hash = /Hash: (\w{64})/.exec(String(shown.out))?.[1] ?? "";
  expect(await runCommand(["verify", "--against", hash.toUpperCase()], office)).toMatchObject({
    code: 0,
    out: expect.stringContaining("Entry 1 has the hash that you asked after"),
  });
  expect(await runCommand(["verify", "--against", "0".repeat(64)], office)).toMatchObject({
    code: 3,
    out: expect.stringMatching(/^THIS IS NOT THE LEDGER THAT HAD THAT HASH/),
  });
  expect((await runCommand(["verify", "--against", "x"], office)).code).toBe(2);
  await sql`update ledger_entries set text = text || 'x'`.execute(office.kysely);
  expect(await runCommand(["verify"], office)).toEqual({
    code: 3,
    out: "THE LEDGER IS NOT WHOLE. It has 1 entry.\n  entry 1 was changed\n",
  });
});

test("the daily export is sealed, holds everything, and overwrites nothing", async () => {
  await office.submitConfirmed();
  const path = join(office.folder, "export.sealed");
  expect(await runCommand(["export", path], office)).toMatchObject({
    code: 0,
    out: expect.stringContaining("is in"),
  });
  expect(await readFile(path, "latin1")).not.toContain("anika");
  const opened = join(office.folder, "opened");
  const [key] = office.keys.fileKeys();
  expect(await openSealedFile(path, opened, key?.opening ?? "")).toBe("opened");
  expect(await readFile(opened, "latin1")).toContain("anika@uni.example");
  expect(await runCommand(["export", path], office)).toMatchObject({
    code: 1,
    problem: expect.stringMatching(/is there already/),
  });
});

test("shows an entry as it was signed, by its request or its number", async () => {
  const reference = await office.submitCompleted();
  const shown = await runCommand(["show", reference], office);
  expect(shown.out).toMatch(
    /^Key: 1\nSignature: .{88}\nHash: \w{64}\n\nDeletion ledger, entry 1\n/,
  );
  expect(await runCommand(["show", "1"], office)).toEqual(shown);
  expect((await runCommand(["show", "2"], office)).code).toBe(1);
});

test.each([[["check"]], [["export"]], [["dance"]], [["check", "a", "b"]]])(
  "%j is not understood",
  async (words) => {
    expect((await runCommand(words, office)).code).toBe(2);
  },
);

test("a file that is not there is told", async () => {
  expect((await runCommand(["check", "/nowhere/at/all"], office)).problem).toBe(
    "The file /nowhere/at/all cannot be read.\n",
  );
});
