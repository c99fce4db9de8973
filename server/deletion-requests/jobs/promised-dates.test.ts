import { beforeEach, describe, expect, test } from "vitest";
import { recordRestore, recordRestoreConfirmed } from "../../platform/database/restore-hold.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

// The clock starts on Sunday, November 22, 2026. A request confirmed on that day is due on Sunday,
// December 6.

serviceForEachTest();

function listPromises(): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { kind, to } of service.sent) {
    if (to === "anika@uni.example") kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

const at = (instant: string) => service.roundAt(instant);

const dates = Temporal.PlainDate.from;
const find = (reference: string) => service.desk.find(reference);

/**
 * One test for each date that we promise a requester in writing. Each test checks the state just
 * before the date and after it. Other dates are tested elsewhere:
 * - self-service/visits.test.ts: expiry of links
 * - retention-jobs.test.ts: expiry of unconfirmed requests, and the final deletion
 * - restore.test.ts: the page of an ended request
 * - cli/requests.test.ts: the undo period and the retention of backups
 */
const overEach: Record<string, () => Promise<void>> = {
  async "the promised day of deletion"() {
    await service.submit({}, "bn");
    await service.requests.confirm(await service.openMail("confirm"));
    await at("2026-12-06T17:59:00Z");
    expect(listPromises()).not.toHaveProperty("late");
    await at("2026-12-07T01:59:00Z");
    expect(listPromises()).not.toHaveProperty("late");
    for (const day of ["07", "08", "20"]) await at(`2026-12-${day}T02:01:00Z`);
    expect(listPromises()).toHaveProperty("late", 1);
    expect(service.newest("late")).toMatchObject({ language: "bn" });
    expect(service.newest("late").letter.text.replace(/\s+/g, " ")).toContain(
      "No one has been able to start the deletion yet.",
    );
  },
  async "the last day of a hold"() {
    const reference = await service.submitConfirmed();
    await service.hold(reference, "2026-11-26");
    await at("2026-11-26T17:59:00Z");
    expect(await find(reference)).toHaveProperty("hold.until", dates("2026-11-26"));
    await at("2026-11-26T18:01:00Z");
    expect(await find(reference)).toHaveProperty("hold", undefined);
    expect(listPromises()).toMatchObject({ held: 1, released: 1 });
  },
  async "the day on which an ended request's email address is erased"() {
    const [done, refused] = [
      await service.submitConfirmed({ email: "done@uni.example" }),
      await service.submitConfirmed(),
    ];
    await service.desk.act(done, { type: "cancel", explanation: "" }, "Nadia");
    await service.refuse(refused);
    await at("2026-11-22T04:11:00Z");
    await at("2026-12-22T03:59:00Z");
    expect(await find(done)).toHaveProperty("email", undefined);
    expect(await find(refused)).toHaveProperty("email", "anika@uni.example");
    await at("2026-12-22T04:01:00Z");
    expect(await find(refused)).toHaveProperty("email", undefined);
  },
};

test.each(Object.entries(overEach))("keeps a promised date: %s", (_, run) => run());

test("sends no late notice if the request was completed or extended in time", async () => {
  const moved = await service.submitConfirmed();
  await service.extend(moved, 5, "Exams.");
  await service.submitCompleted({ email: "done@uni.example" });
  await at("2026-12-07T02:01:00Z");
  expect(service.sent.filter(({ kind }) => kind === "late")).toEqual([]);
  await at("2026-12-14T02:01:00Z");
  expect(listPromises()).toHaveProperty("late", 1);
  expect((await service.desk.readDetail(moved))?.events.at(-1)).toMatchObject({
    type: "late",
    actor: "system",
  });
});

test("promises a deletion date after the last day of a long hold", async () => {
  await service.hold(await service.submitConfirmed(), "2026-12-20");
  await service.round({ minutes: 10 });
  expect(service.newest("held").letter.text).toMatch(
    /We'll\s+delete\s+your\s+account\s+by\s+Tuesday,\s+22\s+December/,
  );
});

describe("upkeep while the clock is in doubt", () => {
  const inDoubt = async (instant: string) => {
    service.setClock(instant);
    await service.upkeep.run({ mayErase: false });
    await service.outbox.sendAll();
  };

  test("ends holds after their last day while the clock is in doubt", async () => {
    const held = await service.submitConfirmed();
    await service.hold(held, "2026-11-25");
    await inDoubt("2026-12-01T02:01:00Z");
    expect(listPromises()).toHaveProperty("released", 1);
    expect(await service.desk.find(held)).toMatchObject({ hold: undefined });
  });

  test("sends late notices while the clock is in doubt", async () => {
    await service.submitConfirmed();
    await inDoubt("2026-12-07T02:01:00Z");
    expect(listPromises()).toHaveProperty("late", 1);
  });

  test("sends receipts but erases no email addresses while the clock is in doubt", async () => {
    const done = await service.submitConfirmed();
    await service.callDone(done);
    await inDoubt("2026-12-07T02:01:00Z");
    expect(listPromises()).toHaveProperty("completed", 1);
    await service.upkeep.run({ mayErase: false });
    expect(await service.desk.find(done)).toMatchObject({ email: "anika@uni.example" });
    await service.upkeep.run();
    expect(await service.desk.find(done)).toMatchObject({ email: undefined });
  });

  test("doesn't expire unconfirmed requests while the clock is in doubt", async () => {
    await service.submit();
    await inDoubt("2026-12-07T02:01:00Z");
    expect(await service.queue()).toHaveLength(1);
  });
});

test("lets an operator decide on late notices after a restore", async () => {
  const reference = await service.submitConfirmed();
  const restored = Temporal.Instant.from("2026-12-07T02:01:00Z");
  await service.database.write((transaction) =>
    recordRestore(transaction, { at: restored, name: "Nadia", knownUntil: restored, report: "" }),
  );
  await at("2026-12-07T03:00:00Z");
  expect(listPromises()).not.toHaveProperty("late");
  await service.database.write((transaction) =>
    recordRestoreConfirmed(transaction, { confirmedAt: restored }),
  );
  await at("2026-12-07T04:00:00Z");
  // The lost server may have completed the request or sent the notice, so an operator decides
  // whether to send this email.
  expect(listPromises()).not.toHaveProperty("late");
  expect((await service.desk.readDetail(reference))?.mails.at(-1)).toMatchObject({
    kind: "late",
    state: "needs-person",
  });
});

describe("upkeep after an operator confirms a restore", () => {
  beforeEach(async () => {
    const now = service.clock();
    await service.database.write(async (transaction) => {
      await recordRestore(transaction, { at: now, name: "Nadia", knownUntil: now, report: "" });
      await recordRestoreConfirmed(transaction, { confirmedAt: now });
    });
    service.pass({ minutes: 1 });
  });

  test("sends receipts for requests marked done after the restore was confirmed", async () => {
    await service.callDone(await service.submitConfirmed());
    await service.round({ minutes: 11 });
    expect(listPromises()).toHaveProperty("completed", 1);
  });

  test("sends late notices for due dates after the restore was confirmed", async () => {
    await service.submitConfirmed();
    await at("2026-12-07T02:01:00Z");
    expect(listPromises()).toHaveProperty("late", 1);
  });
});
