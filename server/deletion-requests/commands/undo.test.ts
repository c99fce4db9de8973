import { expect, test } from "vitest";
import { addMessage, markUnsentDoubtful } from "../../delivery/outbox.ts";
import { unanswered } from "../../periods.ts";
import { addEvent } from "../repository/audit-log.ts";
import { failed } from "../service.fixture.ts";
import { createFormKey } from "../state-machine/request.ts";
import { sampleChecklist } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import type { SubmittedAct } from "./acts.ts";

serviceForEachTest();

const why = "We looked in the wrong place.";
const undo = (reference: string, explanation = "") =>
  service.desk.act(reference, { type: "undo", explanation }, "Nadia");

/** Lists the kinds of email that the requester received, except those about confirmation. */
const read = () =>
  service.sent
    .filter(({ to, kind }) => to === "anika@uni.example" && !kind.startsWith("confirm"))
    .map(({ kind }) => kind);

test.each([
  ["is put off", failed("recipient put off (450)"), ["reopened"]],
  ["arrives", { kind: "delivered" } as const, ["refused", "reopened"]],
])(
  "reverses a refusal while its email is being sent: the email %s",
  async (_, answer, expected) => {
    const reference = await service.submitConfirmed();
    await service.round();
    await service.refuse(reference);
    let undone = "";
    service.answer = async () => {
      service.answer = () => ({ kind: "delivered" });
      undone = (await undo(reference, why)).kind;
      return answer;
    };
    await service.round({ minutes: 11 });
    for (const minutes of [1, 10]) await service.round({ minutes });
    expect([undone, ...read()]).toEqual(["done", ...expected]);
    const notifiedAt = service.kysely.selectFrom("requests").select("told_at");
    expect(await notifiedAt.execute()).toEqual([{ told_at: null }]);
  },
);

async function refusal(): Promise<string> {
  const reference = await service.submitConfirmed();
  await service.refuse(reference);
  return reference;
}

test("sends no email when an unsent refusal is undone", async () => {
  const reference = await refusal();
  await service.round({ minutes: 9 });
  expect(await undo(reference)).toMatchObject({ kind: "done" });
  await service.round({ minutes: 11 });
  expect(read()).toEqual([]);
});

test.each<[what: string, end: () => Promise<string>, meanwhile: () => Promise<unknown>]>([
  ["a receipt whose email has failed so far", () => service.submitCompleted(), async () => {}],
  [
    "a refusal that may have arrived",
    refusal,
    async () => {
      service.answer = () => failed(unanswered, { permanent: true });
      await service.round({ minutes: 11 });
      service.answer = () => ({ kind: "delivered" });
    },
  ],
  [
    "a refusal that may have left before a restore",
    refusal,
    () => service.database.write(markUnsentDoubtful),
  ],
  [
    "a refusal that arrived, with an unsent event to the account system",
    refusal,
    async () => {
      await service.round({ minutes: 11 });
      const message = { kind: "account.deletion.recheck" };
      const entry = { recipient: "account-system", message, requestId: 1 };
      await service.database.write((transaction) =>
        addMessage({ transaction, keys: service.keys, now: service.clock() }, entry),
      );
    },
  ],
])("requires and emails an explanation for reversing %s", async (_, end, meanwhile) => {
  const reference = await end();
  await meanwhile();
  expect(await undo(reference)).toMatchObject({ kind: "unexplained" });
  expect(await undo(reference, why)).toMatchObject({ kind: "done" });
  await service.round({ minutes: 11 });
  expect(service.newest("reopened").message).toMatchObject({ explanation: why });
  const ledger = service.kysely.selectFrom("ledger_entries").select("what").orderBy("sequence");
  expect((await ledger.execute()).at(-1)).toEqual({ what: "reopened" });
});

const until = Temporal.PlainDate.from("2026-12-03");
const explanation = "We have exams.";
const tick: SubmittedAct = {
  type: "tick",
  checklist: { account: ["user"], "at-accounts": ["done"] },
  begins: true,
  answered: ["accounts"],
};

/** Acts whose email to the requester waits ten minutes. */
const cases: [act: SubmittedAct | "complete", email: string][] = [
  [{ type: "later", reason: "time", days: 3, explanation }, "extended"],
  [{ type: "later", reason: "dues", days: 5, explanation }, "held"],
  [{ type: "later", reason: "dues", days: 0, until, explanation }, "held"],
  [{ type: "refuse", reason: "not-the-owner", explanation }, "refused"],
  [{ type: "cancel", explanation }, "cancelled-for-you"],
  [tick, "in-progress"],
  ["complete", "completed"],
];

const rowOf = (reference: string) =>
  service.kysely
    .selectFrom("requests")
    .selectAll()
    .where("reference", "=", reference)
    .executeTakeFirstOrThrow();

async function press(reference: string, submitted: SubmittedAct | "complete") {
  const typed = { ...sampleChecklist, address: ["anika@uni.example"] };
  const { kind } =
    submitted === "complete"
      ? await service.desk.submit({ act: submitted, reference, typed }, "Nadia")
      : await service.desk.act(reference, submitted, "Nadia");
  expect(kind).toBe("done");
}

const emails = () =>
  service.sent.filter(({ to }) => to === "anika@uni.example").map(({ kind }) => kind);

test.each(cases)(
  "sends the email for %j after ten minutes unless the act is undone",
  async (submitted, email) => {
    const reference = await service.submitConfirmed();
    await service.round();
    const [before, sent] = [await rowOf(reference), emails()];
    await press(reference, submitted);
    await service.round({ minutes: 9 });
    expect(emails()).toEqual(sent);
    expect(await undo(reference)).toMatchObject({ kind: "done" });
    await service.round({ minutes: 11 });
    expect(emails()).toEqual(sent);
    expect(await rowOf(reference)).toEqual(before);
    await press(reference, submitted);
    await service.round({ minutes: 10 });
    expect(emails()).toEqual([...sent, email]);
  },
);

test("sends no email when an operator takes a request, and still allows cancellation", async () => {
  for (let number = 0; number < 20; number++) {
    const reference = await service.submitConfirmed({ email: `user${number}@uni.example` });
    expect(await service.take(reference)).toMatchObject({ kind: "done" });
  }
  await service.round({ minutes: 30 });
  expect(new Set(service.sent.map(({ kind }) => kind))).not.toContain("in-progress");
  const visit = await service.follow(service.newest("confirmed"));
  expect(await service.requests.openVisit(visit)).toMatchObject({
    status: { state: "confirmed", canCancel: true },
  });
  expect((await service.requests.cancel(visit)).kind).toBe("done");
});

test("returns a request to its former owner when a takeover is undone", async () => {
  const reference = await service.submitConfirmed();
  await service.take(reference, "Rahim");
  const before = await rowOf(reference);
  await service.desk.act(reference, { type: "take", from: "Rahim" }, "Nadia");
  await undo(reference);
  expect(await rowOf(reference)).toEqual(before);
});

async function page(visit: string) {
  const answer = await service.requests.openVisit(visit);
  if (answer.kind !== "status") throw new Error(answer.kind);
  const { due, extensions, why, state, canCancel, corrections, facts, road } = answer.status;
  const stops = road.map(({ name, phase }) => `${name} ${phase}`);
  const more = { final: facts.final, ended: facts.ended, corrections };
  return { due: `${due.date}`, extensions, why: why?.reason, state, canCancel, stops, ...more };
}

const visible: [
  act: SubmittedAct | "complete",
  shown: Partial<Awaited<ReturnType<typeof page>>>,
][] = [
  [
    { type: "later", reason: "time", days: 3, explanation },
    { due: "2026-12-09", why: undefined },
  ],
  [
    { type: "later", reason: "dues", days: 5, explanation },
    { due: "2026-12-13", why: "dues" },
  ],
  [{ type: "later", reason: "dues", days: 0, until, explanation }, { why: "dues" }],
  [{ type: "refuse", reason: "not-the-owner", explanation }, { state: "refused" }],
  [{ type: "cancel", explanation }, { state: "cancelled" }],
  ["complete", { state: "completed" }],
];

test.each(visible)(
  "shows %j on the requester's page only after ten minutes",
  async (submitted, shown) => {
    const reference = await service.submitConfirmed();
    await service.round();
    const visit = await service.follow(service.newest("confirmed"));
    if (submitted === "complete") await press(reference, tick);
    await service.round({ minutes: 10 });
    const before = await page(visit);
    await press(reference, submitted);
    expect(await page(visit)).toEqual(before);
    await service.round({ minutes: 9 });
    expect(await page(visit)).toEqual(before);
    expect(await undo(reference)).toMatchObject({ kind: "done" });
    expect(await page(visit)).toEqual(before);
    await press(reference, submitted);
    await service.round({ minutes: 10 });
    expect(await page(visit)).toMatchObject(shown);
  },
);

test("hides consecutive acts from the requester's page for ten minutes", async () => {
  const reference = await service.submitConfirmed();
  const visit = await service.follow(await newestConfirmed());
  const before = await page(visit);
  await press(reference, { type: "later", reason: "time", days: 3, explanation });
  service.pass({ minutes: 4 });
  await press(reference, { type: "refuse", reason: "not-the-owner", explanation });
  expect(await page(visit)).toEqual(before);
  // After ten minutes, the page shows the act even if the email fails.
  service.answer = () => failed("recipient put off (450)");
  await service.round({ minutes: 10 });
  expect(await page(visit)).toMatchObject({ state: "refused" });
});

test("lets the requester cancel despite a hidden refusal if the account system has reported hundreds of failures", async () => {
  const reference = await service.submitConfirmed();
  const visit = await service.follow(await newestConfirmed());
  await addFailures(reference, 500);
  await service.refuse(reference);
  expect(await page(visit)).toMatchObject({ state: "confirmed" });
  expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
});

test("shows operators the newest event of a long history", async () => {
  const reference = await service.submitConfirmed();
  await addFailures(reference, 500);
  await service.refuse(reference);
  expect((await service.desk.readDetail(reference))?.events.at(-1)?.type).toBe("refuse");
});

/** Adds the events of an account system that fails each hour and asks us to try again. */
async function addFailures(reference: string, count: number): Promise<void> {
  const request = await service.desk.find(reference);
  if (!request) throw new Error(reference);
  const event = { actor: "system", type: "failed", at: service.clock() } as const;
  await service.database.write(async (transaction) => {
    for (let failure = 0; failure < count; failure++) await addEvent(transaction, request, event);
  });
}

async function newestConfirmed() {
  await service.round();
  return service.newest("confirmed");
}

test.each<SubmittedAct>([
  { type: "refuse", reason: "not-the-owner", explanation },
  { type: "cancel", explanation },
  { type: "later", reason: "dues", days: 5, explanation },
])(
  "shows only the cancellation if the requester cancels while %j can still be undone",
  async (submitted) => {
    const reference = await service.submitConfirmed();
    const visit = await service.follow(await newestConfirmed());
    await press(reference, submitted);
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
    expect(await page(visit)).toMatchObject({ state: "cancelled", corrections: [] });
    await service.round({ minutes: 11 });
    expect(emails()).toEqual(["confirm", "confirmed", "cancelled"]);
    expect(await rowOf(reference)).toMatchObject({ state: "cancelled", ended_by: "person" });
  },
);

test("sends a new link for a request whose refusal can still be undone", async () => {
  const { reference, visit } = await lateConfirmation();
  await press(reference, { type: "refuse", reason: "not-the-owner", explanation });
  expect(await service.requests.openVisit(visit)).toMatchObject({ kind: "link-used" });
  expect(await service.requests.sendNewLink(visit)).toMatchObject({ kind: "new-link-sent" });
  await service.round();
  expect(service.newest("reminder").message).toMatchObject({ state: "confirmed" });
});

/** Confirms a request and then opens its used confirmation link. */
async function lateConfirmation() {
  const reference = await service.submitConfirmed();
  return { reference, visit: await service.follow(service.newest("confirm")) };
}

test("keeps the due date during a hold that ends before it, and refuses a hold until that day", async () => {
  const reference = await service.submitConfirmed();
  const wait = (on: string) =>
    service.desk.submit(
      {
        act: "later",
        reference,
        typed: { reason: ["open-ride"], days: ["0"], until: [on], explanation: [""] },
      },
      "Nadia",
    );
  expect(await wait("2026-12-06")).toMatchObject({ refusal: "not-before-due" });
  expect(await wait("")).toMatchObject({ wrong: [{ field: "until", what: "waitUntil" }] });
  expect(await wait("2026-12-05")).toMatchObject({ kind: "done" });
  await service.round({ minutes: 10 });
  expect(service.newest("held").message).toMatchObject({ dueOn: "2026-12-06" });
  expect(service.newest("held").message).not.toHaveProperty("moved");
});

test("reports the requester's cancellation to an operator with an outdated page, even after the erasure", async () => {
  const reference = await service.submitConfirmed();
  await service.take(reference);
  const seen = (await service.desk.readDetail(reference))?.seen ?? 0;
  const visit = await service.openMail("confirmed");
  await service.requests.cancel(visit);
  await service.round({ minutes: 1 });
  expect((await service.desk.find(reference))?.email).toBeUndefined();
  const typed = { account: ["user"], "at-accounts": ["done"] };
  const result = await service.desk.submit({ act: "tick", reference, seen, typed }, "Nadia");
  expect(result).toMatchObject({ kind: "overtaken", last: { type: "cancel", actor: "person" } });
});

test("reports the operator who marked a request done, not the system that completed it", async () => {
  const reference = await service.submitConfirmed();
  const seen = (await service.desk.readDetail(reference))?.seen ?? 0;
  await service.callDone(reference);
  await service.round({ minutes: 11 });
  const note = { type: "refuse", reason: "no-account", explanation: "" } as const;
  const page = { seen, formKey: createFormKey() };
  expect(await service.desk.act(reference, note, "Rahim", page)).toMatchObject({
    kind: "overtaken",
    last: { type: "complete", name: "Nadia" },
  });
});

test("keeps the checklist answers when another operator takes over", async () => {
  const reference = await service.submitConfirmed();
  await service.begin(reference);
  await service.desk.act(reference, { type: "take", from: "Nadia" }, "Rahim");
  expect(await service.desk.find(reference)).toMatchObject({
    owner: "Rahim",
    state: "in-progress",
    checklist: { account: ["user"], "at-accounts": ["done"] },
  });
});

test("sends the emails held back by a refusal after the refusal is undone", async () => {
  const reference = await service.submitConfirmed();
  await service.refuse(reference);
  await service.round({ minutes: 5 });
  expect(emails()).toEqual(["confirm"]);
  await undo(reference);
  await service.round();
  expect(emails()).toEqual(["confirm", "confirmed"]);
});
