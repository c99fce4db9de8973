import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { createTestKeys } from "../platform/crypto/keys.fixture.ts";
import { runCommand } from "./ledger.ts";

serviceForEachTest();

const run = (...words: string[]) => runCommand(words, service);

async function check(content: string, { keys } = service) {
  const path = join(service.folder, "accounts.txt");
  await writeFile(path, content);
  return runCommand(["check", path], { ...service, keys });
}

test("finds restored accounts that must be deleted again, even after their addresses were erased", async () => {
  await service.submitCompleted();
  await service.submitConfirmed({ email: "cancelled@uni.example" });
  await service.requests.cancel(await service.openMail("confirmed"));
  expect(await service.readFolder()).not.toContain("anika");
  const rows =
    'id,email\r\n7,"ANIKA@uni.example"\r\n8;kabir@uni.example\r\ncancelled@uni.example\r\n';
  const checked = await check(rows);
  expect(checked.code).toBe(3);
  // program.test.ts checks the history entries of the other commands.
  const { acts } = await service.desk.teamActs(9, null);
  expect(acts.map(({ type }) => type)).toContain("ledger-check");
  expect(checked.out).toMatch(/^ADDRESS .*\nANIKA@uni\.example +2026-11-22T04:00Z +.{9}\n$/);
  expect(await check("kabir@uni.example\n")).toMatchObject({
    code: 0,
    out: "We checked 1 address. No account has to be erased again.\n",
  });
});

test.each([
  ["a file without any address", "%PDF-1.7\n%binary\n", /^No line of .* contains an address/],
  [
    "a file in which a line is damaged",
    "kabir@uni.example\nkabir(at)uni\n",
    /^1 line contains no us/,
  ],
  ["an empty file", "", /^No line of .* contains an address/],
])('answers "can\'t tell" for %s', async (_, content, problem) => {
  await service.submitCompleted();
  expect(await check(content)).toMatchObject({
    code: 4,
    out: "We can't tell whether accounts must be erased again.\n",
    problem: expect.stringMatching(problem),
  });
});

test('answers "can\'t tell" if the ledger is empty or a key is missing', async () => {
  expect(await check("kabir@uni.example\n")).toMatchObject({
    code: 4,
    problem: expect.stringMatching(/^The ledger is empty/),
  });
  await service.submitCompleted();
  expect(await check("anika@uni.example\n", { ...service, keys: createTestKeys(2) })).toMatchObject(
    {
      code: 4,
      out: "We can't tell whether accounts must be erased again.\n",
      problem: "1 entry can't be compared: their key is missing from SECRET_KEYS.\n",
    },
  );
});

test("reports a ledger entry that was changed", async () => {
  expect(await run("verify")).toEqual({ code: 0, out: "The ledger is intact: 0 entries.\n" });
  await service.submitCompleted();
  expect(await run("verify")).toEqual({ code: 0, out: "The ledger is intact: 1 entry.\n" });
  await sql`update ledger_entries set text = text || 'x'`.execute(service.kysely);
  expect(await run("verify")).toEqual({
    code: 3,
    out: "THE LEDGER IS NOT INTACT. It has 1 entry.\n  entry 1 was changed\n",
  });
});

test("shows a request's ledger entry exactly as signed", async () => {
  const reference = await service.submitCompleted();
  expect((await run("show", reference)).out).toMatch(
    /^Key: 1\nSignature: .{88}\n\nDeletion receipt\n/,
  );
  expect((await run("show", "HHHH-HHHH")).code).toBe(1);
});

test("reports that the file of accounts is missing", async () => {
  expect((await run("check", "/nowhere/at/all")).problem).toBe(
    "We can't read the file /nowhere/at/all.\n",
  );
});
