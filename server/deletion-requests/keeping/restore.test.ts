import { expect, test } from "vitest";
import { findUnconfirmedRestore } from "../../database/restore-hold.ts";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";
import { confirmRestored, enterRestored, readOpen } from "./restore.ts";

// What server/command-line/restore.test.ts does not see of a copy that is put back.

openOfficeForEachTest();

/** The site is lost, and for three days nobody can use it. */
async function loseThreeDays(): Promise<void> {
  const knownUntil = office.clock();
  office.pass({ days: 3 });
  const at = office.clock();
  const report = { copies: [], restored: [], same: 0 };
  await enterRestored(office, { name: "Nadia", at, knownUntil, report });
  const restore = await findUnconfirmedRestore(office.database.read);
  if (!restore) throw new Error("Nothing was put back");
  await confirmRestored(office, restore, "Nadia", at);
}

test("a link that confirms works for as much longer as nobody could use it", async () => {
  await office.submitMailed();
  await loseThreeDays();
  await office.round({ hours: 47 });
  const visit = await office.follow(office.newest("confirm"));
  expect(await office.requests.openVisit(visit)).toHaveProperty("kind", "confirm");
});

test("the page of an ended request opens for as much longer as nobody could open it", async () => {
  await office.submitCompleted();
  await office.round();
  const mail = office.newest("completed");
  await loseThreeDays();
  await office.round({ days: 30, minutes: -1 });
  expect(await office.follow(mail)).toBeTruthy();
  await office.round({ minutes: 1 });
  await expect(office.follow(mail)).rejects.toThrow("unknown");
});

test("however many are open, each of them is written to", async () => {
  await office.submitMany(501, (number) => ({ email: `s${number}@uni.example` }));
  expect(await Array.fromAsync(readOpen(office.database.read))).toHaveLength(501);
});
