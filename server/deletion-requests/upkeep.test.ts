import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMailer } from "../mail/mailer.ts";
import { openOffice, type TestOffice } from "./office.fixture.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

async function complete(reference: string): Promise<void> {
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.act(reference, { type: "complete" }, "Nadia");
}

describe("requests that nobody confirms", () => {
  test("expire after seven days and leave nothing but a count", async () => {
    await office.submit({ feedback: "Goodbye and thanks" });
    await office.worker.runOnce();
    office.pass({ days: 7, minutes: -1 });
    await office.worker.runOnce();
    expect(await office.desk.list()).toHaveLength(1);
    office.pass({ minutes: 1 });
    await office.worker.runOnce();
    expect(await office.desk.list()).toEqual([]);
    const left = await office.readFolder();
    expect(left).not.toContain("anika");
    expect(left).not.toContain("Goodbye and thanks");
    expect(await office.desk.figures()).toMatchObject({ received: 1, expired: 1, confirmed: 0 });
  });

  test("get seven more days when they are sent again", async () => {
    await office.submit();
    office.pass({ days: 6 });
    await office.submit();
    office.pass({ days: 6 });
    await office.worker.runOnce();
    expect(await office.desk.list()).toHaveLength(1);
    office.pass({ days: 1 });
    await office.worker.runOnce();
    expect(await office.desk.list()).toEqual([]);
  });
});

describe("after the end", () => {
  test("a delivered receipt is followed by the erasure of everything that names the person", async () => {
    const reference = await office.submitConfirmed({ feedback: "Goodbye and thanks" });
    await office.desk.act(
      reference,
      { type: "extend", businessDays: 1, explanation: "Anika asked for a week." },
      "Nadia",
    );
    await complete(reference);
    expect(await office.readFolder()).toContain("anika@uni.example");
    await office.worker.runOnce();
    expect(office.newest("completed").to).toBe("anika@uni.example");

    const left = (await office.readFolder()) + office.log.join("\n");
    for (const trace of ["anika", "Anika", "Goodbye and thanks"]) expect(left).not.toContain(trace);
    const story = await office.desk.tell(reference);
    expect(story?.request).toMatchObject({ state: "completed", email: "" });
    expect(story?.events.map((event) => event.type)).toEqual([
      "receive",
      "confirm",
      "extend",
      "take",
      "complete",
      "erase",
    ]);
    expect(story?.mails).toEqual([]);
  });

  test("a receipt that cannot be delivered holds the address for 30 days and no longer", async () => {
    const reference = await office.submitConfirmed();
    office.answer = () => ({ kind: "failed", problem: "recipient refused (550)", permanent: true });
    await complete(reference);
    await office.worker.runOnce();
    office.pass({ days: 29 });
    await office.worker.runOnce();
    expect((await office.desk.find(reference))?.email).toBe("anika@uni.example");
    office.pass({ days: 1 });
    await office.worker.runOnce();
    expect((await office.desk.find(reference))?.email).toBe("");
    expect(await office.readFolder()).not.toContain("anika");
  });

  test("mails that became files are no delivery, and are erased with the request", async () => {
    const files = createMailer({
      smtpUrl: undefined,
      tls: "optional",
      files: office.files,
      from: { name: "Rides", address: "rides@rides.example", replyTo: "help@rides.example" },
    });
    office.answer = (letter) => files.send(letter);
    const reference = await office.submitConfirmed();
    await complete(reference);
    await office.worker.runOnce();
    expect((await office.readFolder()).match(/\.eml/g)?.length).toBeGreaterThanOrEqual(3);
    expect((await office.desk.find(reference))?.email).toBe("anika@uni.example");
    office.pass({ days: 30 });
    await office.worker.runOnce();
    const left = await office.readFolder();
    expect(left).not.toContain("anika");
    expect(left).not.toContain(`confirm ${reference}`);
  });

  test("after 24 months nothing is left", async () => {
    const reference = await office.submitConfirmed();
    await complete(reference);
    await office.worker.runOnce();
    office.setClock("2028-11-22T03:59:00Z");
    await office.worker.runOnce();
    expect(await office.desk.find(reference)).toBeDefined();
    office.pass({ minutes: 1 });
    await office.worker.runOnce();
    expect(await office.desk.find(reference)).toBeUndefined();
  });
});

describe("what operators are told", () => {
  test("one digest each working day, from eight in the morning on the campus", async () => {
    const digests = () => office.sent.filter((mail) => mail.kind === "operator-digest").length;
    office.setClock("2026-11-23T01:59:00Z");
    await office.worker.runOnce();
    expect(digests()).toBe(0);
    office.setClock("2026-11-23T02:00:00Z");
    await office.worker.runOnce();
    office.pass({ hours: 3 });
    await office.worker.runOnce();
    expect(digests()).toBe(1);
    for (let day = 0; day < 7; day++) {
      office.pass({ days: 1 });
      await office.worker.runOnce();
    }
    expect(digests()).toBe(6);
  });

  test("a warning two business days before the due date, once for each date", async () => {
    const reference = await office.submitConfirmed();
    const warnings = () => office.sent.filter((mail) => mail.kind === "operator-due-soon").length;
    office.setClock("2026-12-01T17:59:00Z");
    await office.worker.runOnce();
    expect(warnings()).toBe(0);
    office.setClock("2026-12-02T18:00:00Z");
    await office.worker.runOnce();
    await office.worker.runOnce();
    expect(warnings()).toBe(1);
    await office.desk.act(
      reference,
      { type: "extend", businessDays: 5, explanation: "Exams." },
      "Nadia",
    );
    await office.worker.runOnce();
    expect(warnings()).toBe(1);
    office.setClock("2026-12-10T04:00:00Z");
    await office.worker.runOnce();
    expect(warnings()).toBe(2);
  });
});

test("a clock that jumps moves no due date and undoes nothing", async () => {
  const reference = await office.submitConfirmed();
  const before = await office.desk.find(reference);
  office.setClock("2031-01-01T00:00:00Z");
  await office.worker.runOnce();
  office.setClock("2020-01-01T00:00:00Z");
  await office.worker.runOnce();
  office.setClock("2026-11-22T04:00:00Z");
  await office.worker.runOnce();
  expect(await office.desk.find(reference)).toEqual(before);
});
