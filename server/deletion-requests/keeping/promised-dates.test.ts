import { beforeEach, describe, expect, test } from "vitest";
import { enterRestore, enterRestoreConfirmed } from "../../database/restore-hold.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

// Sunday 22 November 2026; what is confirmed now is due on Sunday 6 December.

serviceForEachTest();

/** What a person was sent, each kind with how often. */
function told(): Record<string, number> {
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
 * Dates that a person has from us in writing. Of those of a link, of what nobody confirms and of when the last of a request
 * goes ask asking/visits.test.ts and retention-jobs.test.ts; of the page of an ended request, restore.test.ts; of what was called done,
 * and of how long copies stand, command-line/requests.test.ts. The clock moves over each: what is so before it, and what on the day after.
 */
const overEach: Record<string, () => Promise<void>> = {
  async "the day by which the account is deleted"() {
    await service.submit({}, "bn");
    await service.requests.confirm(await service.openMail("confirm"));
    await at("2026-12-06T17:59:00Z");
    expect(told()).not.toHaveProperty("late");
    await at("2026-12-07T01:59:00Z");
    expect(told()).not.toHaveProperty("late");
    for (const day of ["07", "08", "20"]) await at(`2026-12-${day}T02:01:00Z`);
    expect(told()).toHaveProperty("late", 1);
    expect(service.newest("late")).toMatchObject({ language: "bn" });
    expect(service.newest("late").letter.text).toContain("Nobody has been able to begin yet.");
  },
  async "the last day on which a request waits, whoever set it"() {
    const reference = await service.submitConfirmed();
    await service.hold(reference, "2026-11-26");
    await at("2026-11-26T17:59:00Z");
    expect(await find(reference)).toHaveProperty("hold.until", dates("2026-11-26"));
    await at("2026-11-26T18:01:00Z");
    expect(await find(reference)).toHaveProperty("hold", undefined);
    expect(told()).toMatchObject({ held: 1, released: 1 });
  },
  async "when an ended request loses address and feedback"() {
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

test.each(Object.entries(overEach))("%s: the date is kept on the day after", (_, run) => run());

test("a date that was moved in time, or kept, brings no word that it is late", async () => {
  const moved = await service.submitConfirmed();
  await service.extend(moved, 5, "Exams.");
  await service.submitCompleted({ email: "done@uni.example" });
  await at("2026-12-07T02:01:00Z");
  expect(service.sent.filter(({ kind }) => kind === "late")).toEqual([]);
  await at("2026-12-14T02:01:00Z");
  expect(told()).toHaveProperty("late", 1);
  expect((await service.desk.tell(moved))?.events.at(-1)).toMatchObject({
    type: "late",
    actor: "system",
  });
});

test("no mail says that a request waits longer than until it is done", async () => {
  await service.hold(await service.submitConfirmed(), "2026-12-20");
  await service.round({ minutes: 10 });
  expect(service.newest("held").letter.text).toMatch(
    /now be deleted by\*?\*?\s+Tuesday, 22 December/,
  );
});

describe("while the clock is in doubt", () => {
  const inDoubt = async (instant: string) => {
    service.setClock(instant);
    await service.upkeep.run(false);
    await service.outbox.sendAll();
  };

  test("ends a hold whose day is over and tells its person", async () => {
    const held = await service.submitConfirmed();
    await service.hold(held, "2026-11-25");
    await inDoubt("2026-12-01T02:01:00Z");
    expect(told()).toHaveProperty("released", 1);
    expect(await service.desk.find(held)).toMatchObject({ hold: undefined });
  });

  test("tells a person whose promised day has passed", async () => {
    await service.submitConfirmed();
    await inDoubt("2026-12-07T02:01:00Z");
    expect(told()).toHaveProperty("late", 1);
  });

  test("sends the receipt of a completed request and keeps its address", async () => {
    const done = await service.submitConfirmed();
    await service.callDone(done);
    await inDoubt("2026-12-07T02:01:00Z");
    expect(told()).toHaveProperty("completed", 1);
    await service.upkeep.run(false);
    expect(await service.desk.find(done)).toMatchObject({ email: "anika@uni.example" });
    await service.upkeep.run();
    expect(await service.desk.find(done)).toMatchObject({ email: undefined });
  });

  test("keeps a request that nobody confirmed", async () => {
    await service.submit();
    await inDoubt("2026-12-07T02:01:00Z");
    expect(await service.queue()).toHaveLength(1);
  });
});

test("does not tell anyone that we are late before an operator confirms a restored copy", async () => {
  const reference = await service.submitConfirmed();
  const restored = Temporal.Instant.from("2026-12-07T02:01:00Z");
  await service.database.write((transaction) =>
    enterRestore(transaction, { at: restored, name: "Nadia", knownUntil: restored, report: "" }),
  );
  await at("2026-12-07T03:00:00Z");
  expect(told()).not.toHaveProperty("late");
  await service.database.write((transaction) =>
    enterRestoreConfirmed(transaction, { confirmedAt: restored }),
  );
  await at("2026-12-07T04:00:00Z");
  // It may have been deleted, or told, since the copy was made: a person decides.
  expect(told()).not.toHaveProperty("late");
  expect((await service.desk.tell(reference))?.mails.at(-1)).toMatchObject({
    kind: "late",
    state: "needs-person",
  });
});

describe("once somebody has looked at a copy that was put back", () => {
  beforeEach(async () => {
    const now = service.clock();
    await service.database.write(async (transaction) => {
      await enterRestore(transaction, { at: now, name: "Nadia", knownUntil: now, report: "" });
      await enterRestoreConfirmed(transaction, { confirmedAt: now });
    });
    service.pass({ minutes: 1 });
  });

  test("what is called done brings its receipt by itself", async () => {
    await service.callDone(await service.submitConfirmed());
    await service.round({ minutes: 11 });
    expect(told()).toHaveProperty("completed", 1);
  });

  test("whose promised day passes is told so by itself", async () => {
    await service.submitConfirmed();
    await at("2026-12-07T02:01:00Z");
    expect(told()).toHaveProperty("late", 1);
  });
});
