import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openOffice, type TestOffice } from "../deletion-requests/office.fixture.ts";
import { runCommand } from "./ledger.ts";
import type { Outcome } from "./start.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

/** What a command says, however long it is. */
async function read({ out = "" }: Outcome): Promise<string> {
  return typeof out === "string" ? out : (await Array.fromAsync(out)).join("");
}

async function file(content: string): Promise<string> {
  const path = join(office.folder, "accounts.txt");
  await writeFile(path, content);
  return path;
}

test("says which accounts of a restored backup must be erased again", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.act(reference, { type: "complete" }, "Nadia");
  const restored = await file("anika@uni.example\r\nkabir@uni.example\r\n");
  const checked = await runCommand(["check", restored], office);
  expect(checked.code).toBe(3);
  expect(checked.out).toMatch(/^ADDRESS .*\nanika@uni\.example +2026-11-22T04:00Z +.{9}\n$/);
  expect(await runCommand(["check", await file("kabir@uni.example\n")], office)).toMatchObject({
    code: 0,
    out: "No account must be erased again.\n",
  });
});

test("an export can be merged again; anything else is refused whole", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.act(reference, { type: "complete" }, "Nadia");
  const out = await read(await runCommand(["export"], office));
  expect(out).not.toContain("anika");
  expect((await runCommand(["merge", await file(out)], office)).out).toBe(
    "1 entries read, 1 applied.\n",
  );
  expect(await runCommand(["merge", await file(`${out}{}\n`)], office)).toMatchObject({
    code: 1,
    problem: expect.stringMatching(/^Line 2 of .* is no entry/),
  });
});

test.each([[["check"]], [["export", "x"]], [["dance"]], [["check", "a", "b"]]])(
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
