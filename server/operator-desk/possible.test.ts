import { afterEach, beforeEach, expect, test } from "vitest";
import { openOffice, sampleFound, type TestOffice } from "../deletion-requests/office.fixture.ts";
import { sampleCompletion } from "../deletion-requests/sample-messages.ts";
import { draftMail } from "../deletion-requests/transitions.ts";
import { deskActs } from "./acts.ts";
import { listExtensions } from "./extensions.ts";
import { findPossible } from "./possible.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

async function tell(reference: string) {
  const story = await office.desk.tell(reference);
  if (!story) throw new Error(reference);
  return story;
}

/** What can be done now, and of the rest why not. */
async function possible(reference: string, name = "Nadia") {
  const found = findPossible(office, await tell(reference), name, office.clock());
  const can = deskActs.filter((act) => found[act].can);
  const because = Object.fromEntries(
    deskActs.flatMap((act) => {
      const one = found[act];
      return one.can ? [] : [[act, one.because]];
    }),
  );
  return { can, because };
}

const complete = (reference: string, name = "Nadia") =>
  office.desk.complete(reference, { address: "anika@uni.example", found: sampleFound }, name);

test("what is offered is what the life of a request allows, and the rest says why not", async () => {
  const { reference } = await office.submit();
  expect(await possible(reference)).toMatchObject({
    can: ["resend", "remove", "note"],
    because: { take: "not-confirmed", approve: "not-entered", retry: "no-trouble" },
  });
  const confirmed = await office.submitConfirmed({ email: "other@uni.example" });
  expect(await possible(confirmed)).toMatchObject({
    can: ["take", "hold", "extend", "refuse", "cancel", "resend", "note"],
    because: { complete: "not-taken", release: "not-held", remove: "confirmed" },
  });
});

test("somebody else's work can be held or handed back, and is completed by its owner", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Rahim");
  const { can, because } = await possible(reference);
  expect(because).toMatchObject({ take: "already-taken", complete: "somebody-elses" });
  expect(can).toContain("hand-back");
});

test("what was called done, refused or cancelled can be taken back until its person is told", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await complete(reference);
  expect((await possible(reference)).can).toContain("undo");
  expect((await possible(reference)).because).toMatchObject({ take: "already-done" });
  await office.desk.takeBack(reference, "Nadia");
  const refuse = { type: "refuse", reason: "no-account", explanation: "" } as const;
  await office.desk.act(reference, refuse, "Nadia");
  office.pass({ minutes: 9 });
  await office.rounds.runOnce();
  expect((await possible(reference)).can).toContain("undo");
  office.pass({ minutes: 2 });
  await office.rounds.runOnce();
  expect(await office.desk.takeBack(reference, "Nadia")).toMatchObject({ kind: "told-already" });
  // Who complains about a refusal is heard for 30 days.
  expect(await possible(reference)).toMatchObject({
    can: expect.arrayContaining(["reopen"]),
    because: { undo: "told-already" },
  });
  office.pass({ days: 30 });
  await office.rounds.runOnce();
  expect((await possible(reference)).because).toMatchObject({ undo: "erased", reopen: "erased" });
});

test("what the account system has deleted is not taken back, even while its receipt waits", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.report(reference, { type: "complete", completion: sampleCompletion });
  const { can, because } = await possible(reference);
  expect(because).toMatchObject({ undo: "already-ended" });
  expect(can).toContain("reopen");
  expect(await office.desk.takeBack(reference, "Nadia")).toMatchObject({
    kind: "refused",
    refusal: "already-ended",
    request: { state: "completed" },
  });
});

test("an extension offers every lawful date and no other", async () => {
  const reference = await office.submitConfirmed();
  const extensions = listExtensions(office, (await tell(reference)).request, office.clock());
  // Due 7 December; received on 22 November, so nothing later than 20 February.
  expect(extensions[0]).toMatchObject({ businessDays: 1 });
  expect(extensions[0]?.dueOn.toString()).toBe("2026-12-07");
  expect(extensions.at(-1)?.dueOn.toString()).toBe("2027-02-18");
  for (const { businessDays, dueOn } of extensions.slice(-1)) {
    const act = { type: "extend", businessDays, explanation: "Exams." } as const;
    const result = await office.desk.act(reference, act, "Nadia");
    expect(result).toMatchObject({ kind: "done" });
    expect((await tell(reference)).request).toMatchObject({ dueOn });
  }
  expect((await possible(reference)).because).toMatchObject({ extend: "too-late-a-date" });
});

test("after the month in which it had to be told, only dates within 45 days are offered", async () => {
  const reference = await office.submitConfirmed();
  office.pass({ days: 33 });
  const dates = listExtensions(office, (await tell(reference)).request, office.clock());
  expect(dates.at(-1)?.dueOn.toString()).toBe("2027-01-06");
  office.pass({ days: 20 });
  expect(listExtensions(office, (await tell(reference)).request, office.clock())).toEqual([]);
  expect((await possible(reference)).because).toMatchObject({ extend: "too-late-to-tell" });
});

test("a draft is the mail that is really sent", async () => {
  const reference = await office.submitConfirmed();
  const acts = [
    { type: "extend", businessDays: 3, explanation: "Exams." },
    { type: "hold", reason: "dues", until: Temporal.PlainDate.from("2026-11-30"), explanation: "" },
    { type: "hold", reason: "dues", until: Temporal.PlainDate.from("2026-12-20"), explanation: "" },
    { type: "release" },
    { type: "refuse", reason: "open-matter", explanation: "A fare is open." },
  ] as const;
  for (const act of acts) {
    const { request } = await tell(reference);
    const by = { actor: "operator", name: "Nadia" } as const;
    const draft = draftMail(office, request, act, by, "TOKEN", office.clock());
    await office.desk.act(reference, act, "Nadia");
    office.pass({ minutes: 11 });
    await office.rounds.runOnce();
    const sent = office.sent.findLast(({ to }) => to === "anika@uni.example")?.message;
    expect(draft).toEqual({ ok: true, message: { ...sent, token: "TOKEN" } });
  }
});

test("two on one request: the second is told who was first, and nothing is done", async () => {
  const reference = await office.submitConfirmed();
  const { seen } = await tell(reference);
  await office.desk.act(reference, { type: "take" }, "Rahim", seen);
  const refuse = { type: "refuse", reason: "no-account", explanation: "" } as const;
  expect(await office.desk.act(reference, refuse, "Nadia", seen)).toMatchObject({
    kind: "overtaken",
    request: { state: "in-progress", owner: "Rahim" },
    since: [{ type: "take", name: "Rahim" }],
  });
  expect(await office.desk.find(reference)).toMatchObject({ state: "in-progress" });
});

test("a press that arrives twice is done once, and a note of somebody else is in nobody's way", async () => {
  const reference = await office.submitConfirmed();
  const { seen } = await tell(reference);
  await office.desk.note(reference, "Called the student.", "Rahim");
  expect(await office.desk.act(reference, { type: "take" }, "Nadia", seen)).toMatchObject({
    kind: "done",
  });
  expect(await office.desk.act(reference, { type: "take" }, "Nadia", seen)).toMatchObject({
    kind: "done",
    request: { owner: "Nadia" },
  });
  const takes = (await tell(reference)).events.filter(({ type }) => type === "take");
  expect(takes).toHaveLength(1);
});
