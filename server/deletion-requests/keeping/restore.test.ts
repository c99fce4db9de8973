import { expect, test } from "vitest";
import { findUnconfirmedRestore } from "../../database/restore-hold.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { confirmRestored, enterRestored, readOpen } from "./restore.ts";

// What server/command-line/restore.test.ts does not see of a copy that is put back.

serviceForEachTest();

/** The site is lost, and for three days nobody can use it. */
async function loseThreeDays(): Promise<void> {
  const knownUntil = service.clock();
  service.pass({ days: 3 });
  const at = service.clock();
  const report = { copies: [], restored: [], same: 0 };
  await enterRestored(service, { name: "Nadia", at, knownUntil, report });
  const restore = await findUnconfirmedRestore(service.database.read);
  if (!restore) throw new Error("Nothing was put back");
  await confirmRestored(service, restore, "Nadia", at);
}

test("a link that confirms works for as much longer as nobody could use it", async () => {
  await service.submitMailed();
  await loseThreeDays();
  await service.round({ hours: 47 });
  const visit = await service.follow(service.newest("confirm"));
  expect(await service.requests.openVisit(visit)).toHaveProperty("kind", "confirm");
});

test("the page of an ended request opens for as much longer as nobody could open it", async () => {
  await service.submitCompleted();
  await service.round();
  const mail = service.newest("completed");
  await loseThreeDays();
  await service.round({ days: 30, minutes: -1 });
  expect(await service.follow(mail)).toBeTruthy();
  await service.round({ minutes: 1 });
  await expect(service.follow(mail)).rejects.toThrow("unknown");
});

test("however many are open, each of them is written to", async () => {
  await service.submitMany(501, (number) => ({ email: `s${number}@uni.example` }));
  expect(await Array.fromAsync(readOpen(service.database.read))).toHaveLength(501);
});
