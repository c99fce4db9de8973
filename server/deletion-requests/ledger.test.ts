import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { createForgetting } from "./forgetting.ts";
import { createLedger } from "./ledger.ts";
import { openOffice, type TestOffice } from "./office.fixture.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

async function completeFor(email: string): Promise<string> {
  const reference = await office.submitConfirmed({ email });
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.act(reference, { type: "complete" }, "Nadia");
  await office.rounds.runOnce();
  return reference;
}

test("tells which accounts of a restored backup had been deleted, though no address is left", async () => {
  const reference = await completeFor("anika@uni.example");
  await office.submitConfirmed({ email: "cancelled@uni.example" });
  await office.rounds.runOnce();
  await office.requests.cancel(await office.follow(office.newest("confirmed")));
  expect(await office.readFolder()).not.toContain("anika");
  const result = await office.ledger.check(
    [
      "id,email,name",
      '7,"ANIKA@uni.example",Anika',
      "8;kabir@uni.example",
      "cancelled@uni.example",
      "",
    ],
    "Nadia",
  );
  expect(result).toEqual({
    mustBeErased: [{ address: "ANIKA@uni.example", reference, completedAt: office.clock() }],
    read: 3,
    unreadable: 0,
    hasEntries: true,
    unknownKeys: 0,
  });
});

test("a restored older database is brought up to date by the exported ledger", async () => {
  const reference = await office.submitConfirmed({ feedback: "Goodbye and thanks" });
  await office.database.erasePhysically();
  const restoredFolder = join(office.folder, "restored");
  await mkdir(restoredFolder);
  await copyFile(join(office.folder, "requests.sqlite"), join(restoredFolder, "requests.sqlite"));
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.act(reference, { type: "complete" }, "Nadia");
  await office.rounds.runOnce();
  const later = await completeFor("kabir@uni.example");
  const exported = await Array.fromAsync(office.ledger.list("Nadia"));

  const opened = await openDatabase({ dataDir: restoredFolder });
  if (!opened.ok) throw new Error(opened.problem);
  const { database } = opened;
  const forgetting = createForgetting({ database, removeMailFiles: office.mailFiles.remove });
  const ledger = createLedger({ ...office, database, forgetting });
  expect(await ledger.merge(exported, "Nadia")).toBe(2);
  expect(await ledger.merge(exported, "Nadia")).toBe(0);
  expect(await Array.fromAsync(ledger.list("Nadia"))).toEqual(exported);
  const found = await ledger.check(["anika@uni.example", "kabir@uni.example"], "Nadia");
  expect(found.mustBeErased.map((account) => account.reference)).toEqual([reference, later]);
  await opened.database.close();
  const left = await office.readFolder();
  expect(left).not.toContain("anika");
  expect(left).not.toContain("Goodbye and thanks");
});
