import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AccountSystemConfig } from "../config.ts";
import {
  createTestKeys,
  openOffice,
  sampleFound,
  type TestOffice,
} from "../deletion-requests/office.fixture.ts";
import { runCommand } from "./account-system.ts";

// The accounts were restored from a backup, and nobody but people ever deleted any.

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

const run = (...words: string[]) =>
  runCommand([...words, "--as", "Nadia"], { ...office, config: off });

async function deleteByHand(name: string): Promise<string> {
  const reference = await office.submitConfirmed({ email: `${name}@uni.example` });
  await office.desk.act(reference, { type: "take" }, "Nadia");
  const by = { address: `${name}@uni.example`, found: sampleFound };
  await office.desk.complete(reference, by, "Nadia");
  office.pass({ minutes: 11 });
  await office.rounds.runOnce();
  return reference;
}

async function accountsNow(...lines: string[]): Promise<string> {
  const path = join(office.folder, "accounts.csv");
  await writeFile(path, ["address,created", ...lines].join("\n"));
  return path;
}

test("every deletion by hand stays open until it is not in the list of accounts, or somebody has looked", async () => {
  const anika = await deleteByHand("anika");
  const kabir = await deleteByHand("kabir");
  const tuli = await deleteByHand("tuli");
  expect(await run("compare", await accountsNow())).toMatchObject({
    code: 1,
    problem: "Nothing is being rechecked. Begin with: recheck --as NAME\n",
  });

  const begun = await run("recheck");
  expect(begun.code).toBe(3);
  for (const reference of [anika, kabir, tuli]) expect(begun.out).toContain(reference);
  expect(begun.out).not.toContain("@");
  expect((await runCommand(["show"], { ...office, config: off })).out).toContain(
    "3 deletions were done by hand",
  );

  const list = await accountsNow("Kabir@UNI.example,2026-01-05", "mina@uni.example,2025-02-01");
  const compared = await run("compare", list);
  expect(compared.code).toBe(3);
  expect(compared.out).toMatch(/^1 account came back:\n/);
  expect(compared.out).toMatch(new RegExp(`Kabir@uni.example +2026-11-22 +${kabir}`));
  expect(compared.out).toContain("2 are not there, and ticked off.");

  // It is deleted again, by hand.
  expect(await run("gone", anika)).toMatchObject({ code: 1 });
  expect(await run("gone", kabir, "--because", "deleted again")).toMatchObject({
    code: 0,
    out: "That was the last one: nothing is left to look for.\n",
  });
  const events = (await office.desk.tell(kabir))?.events;
  expect(events?.at(-1)).toMatchObject({
    type: "recheck",
    code: "gone",
    name: "Nadia",
    note: "deleted again",
  });
  expect(await run("compare", list)).toMatchObject({
    code: 0,
    out: "No account that was deleted by hand is left to look for.\n",
  });
  expect((await runCommand(["show"], { ...office, config: off })).out).not.toContain("by hand");
});

test("a list with a line that nobody can read ticks nothing off, and still tells who came back", async () => {
  await deleteByHand("anika");
  const kabir = await deleteByHand("kabir");
  await run("recheck");
  const compared = await run("compare", await accountsNow("kabir@uni.example", "anika(at)uni"));
  expect(compared).toMatchObject({
    code: 3,
    out: expect.stringContaining(kabir),
    problem:
      "1 line holds no usable address, so nothing is ticked off: an account may stand there.\n",
  });
  expect(compared.out).not.toContain("ticked off.");
  const empty = await run("compare", await accountsNow());
  expect(empty).toMatchObject({ code: 4, problem: expect.stringContaining("holds an address") });
  expect((await runCommand(["show"], { ...office, config: off })).out).toContain(
    "2 deletions were done by hand",
  );
});

test("what was hashed with a key that is gone is never ticked off by a list", async () => {
  await deleteByHand("anika");
  await run("recheck");
  const withOtherKeys = { ...office, keys: createTestKeys(2) };
  const words = ["compare", await accountsNow("kabir@uni.example"), "--as", "Nadia"];
  expect(await runCommand(words, { ...withOtherKeys, config: off })).toMatchObject({
    code: 4,
    problem: "1 deletion cannot be compared: their key is missing from SECRET_KEYS.\n",
  });
});

test("the next restore begins anew; what was deleted since, or opened again, is not looked for", async () => {
  const anika = await deleteByHand("anika");
  await run("recheck");
  await run("gone", anika);
  const kabir = await deleteByHand("kabir");
  expect((await runCommand(["show"], { ...office, config: off })).out).not.toContain(kabir);
  office.pass({ days: 1 });
  const again = await run("recheck");
  expect(again.out).toContain(anika);
  expect(again.out).toContain(kabir);
});

const off = {
  accountSystem: { mode: "off" } as AccountSystemConfig,
  publicUrl: "http://127.0.0.1:3000",
};
