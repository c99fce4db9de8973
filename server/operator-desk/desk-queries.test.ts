import { expect, test } from "vitest";
import {
  type ActContext,
  deskActs,
  findWhyNot,
  listExtensions,
} from "../deletion-requests/commands/acts.ts";
import { draftMail } from "../deletion-requests/commands/apply-act.ts";
import { recordCancelUntil, startGrace } from "../deletion-requests/repository/restore-letters.ts";
import { byOperator, failed } from "../deletion-requests/service.fixture.ts";
import { createFormKey } from "../deletion-requests/state-machine/request.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { readToday, searchByBeginning } from "./desk-queries.ts";

serviceForEachTest();

async function readDetail(reference: string) {
  const story = await service.desk.readDetail(reference);
  if (!story) throw new Error(reference);
  return story;
}

/** Returns the acts that are possible now (`can`) and why the other acts aren't (`because`). */
async function possible(reference: string, name = "Nadia") {
  const story = await readDetail(reference);
  const context: ActContext = { ...story, services: service, name, now: service.clock() };
  const because = Object.fromEntries(deskActs.map((act) => [act, findWhyNot(act, context)]));
  return { can: deskActs.filter((act) => !because[act]), because };
}

test("doesn't suggest a request to work on during its grace period after a restore", async () => {
  const reference = await service.submitConfirmed();
  const desk = service.operatorDesk;
  const { id } = (await readDetail(reference)).request;
  await service.database.write((transaction) => startGrace(transaction, id));
  expect(await desk.list([{ reference }])).toMatchObject([{ grace: { until: undefined } }]);
  expect(await desk.findNext("Nadia", [])).toBeUndefined();
  const cancelUntil = service.clock().add({ hours: 24 });
  await service.database.write((transaction) =>
    recordCancelUntil(transaction, { requestId: id, cancelUntil }),
  );
  expect(await desk.list([{ reference }])).toMatchObject([{ grace: { until: cancelUntil } }]);
  service.pass({ hours: 24 });
  expect(await desk.findNext("Nadia", [])).toMatchObject({ reference, grace: undefined });
});

test("offers the acts that a request's state allows and explains why the others are impossible", async () => {
  const { reference } = await service.submit();
  expect(await possible(reference)).toMatchObject({
    can: ["resend", "note"],
    because: { take: "not-confirmed", approve: "not-entered" },
  });
  const confirmed = await service.submitConfirmed({ email: "other@uni.example" });
  expect(await possible(confirmed)).toMatchObject({
    can: ["take", "complete", "later", "refuse", "cancel", "resend", "note"],
    because: { undo: "not-done" },
  });
});

test("performs the act of a resubmitted form only once", async () => {
  const reference = await service.submitConfirmed();
  const { seen } = await readDetail(reference);
  const [taking, first, second] = [createFormKey(), createFormKey(), createFormKey()];
  for (const formKey of [first, first, second]) {
    const done = [
      await service.desk.act(reference, { type: "take" }, "Nadia", { seen, formKey: taking }),
      await service.desk.act(reference, { type: "note", note: "She called." }, "Nadia", {
        seen,
        formKey,
      }),
      await service.desk.act(reference, { type: "resend" }, "Nadia", { seen, formKey }),
    ];
    expect(done.map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
  }
  const types = (await readDetail(reference)).events.map(({ type }) => type);
  expect(types.slice(2)).toEqual(["take", "note", "resend", "note", "resend"]);
});

test("rejects an extension from an outdated page and reports the earlier extension", async () => {
  const reference = await service.submitConfirmed();
  const { seen } = await readDetail(reference);
  const later = { type: "later", reason: "time", explanation: "Exams." } as const;
  await service.desk.act(reference, { ...later, days: 5 }, "Nadia", { seen });
  const second = await service.desk.act(reference, { ...later, days: 9 }, "Nadia", { seen });
  expect(second).toMatchObject({ kind: "overtaken", last: { name: "Nadia", type: "extend" } });
});

test("offers only the due dates that the law allows for an extension", async () => {
  const reference = await service.submitConfirmed();
  const extensions = listExtensions(
    service,
    [(await readDetail(reference)).request],
    service.clock(),
  );
  // The request was received on November 22 and is due on December 7. No date after February 20 is
  // allowed.
  const dates = extensions.map(({ dueOn }) => dueOn.toString());
  expect([dates[0], dates.at(-1)]).toEqual(["2026-12-07", "2027-02-18"]);
});

test("previews exactly the email that an act sends", async () => {
  const reference = await service.submitConfirmed();
  const acts = [
    { type: "extend", businessDays: 3, explanation: "Exams." },
    { type: "hold", reason: "dues", until: Temporal.PlainDate.from("2026-11-30"), explanation: "" },
    { type: "hold", reason: "dues", until: Temporal.PlainDate.from("2026-12-20"), explanation: "" },
    { type: "release" },
    { type: "refuse", reason: "open-matter", explanation: "A fare is open." },
  ] as const;
  for (const act of acts) {
    const { request } = await readDetail(reference);
    const by = { actor: "operator", name: "Nadia" } as const;
    const how = { rules: service, by, now: service.clock() };
    const draft = draftMail(how, request, act, "TOKEN");
    await byOperator(service, reference, act);
    await service.round({ minutes: 11 });
    const sent = service.sent.findLast(({ to }) => to === "anika@uni.example")?.message;
    expect(draft).toEqual({ ...sent, token: "TOKEN" });
  }
});

test("previews the email that explains why a closed request was reopened", async () => {
  const reference = await service.submitCompleted();
  const { preview } = service.operatorDesk;
  const explanation = "It was another one.";
  const found = await preview("undo", { explanation: [explanation] }, reference, "Nadia");
  expect(found).toMatchObject({ mail: { text: expect.stringContaining(explanation) } });
});

test("offers to resend a closed request's receipt until the receipt is delivered", async () => {
  const reference = await service.submitConfirmed();
  service.answer = () => failed("recipient refused (550)", { permanent: true });
  await service.complete(reference);
  await service.round();
  expect((await possible(reference)).can).toContain("resend");
  service.answer = () => ({ kind: "delivered" });
  await service.desk.act(reference, { type: "resend" }, "Nadia");
  await service.round();
  expect(service.newest("completed").to).toBe("anika@uni.example");
  expect((await possible(reference)).because).toMatchObject({ resend: "already-ended" });
});

const confirmed = (name: string) => service.submitConfirmed({ email: `${name}@uni.example` });
const references = (of: readonly { reference: string }[]) => of.map(({ reference }) => reference);

test("lists requests to undo or approve separately from the queue on the Today page", async () => {
  const overdue = await confirmed("overdue");
  service.pass({ days: 20 });
  const free = await confirmed("free");
  const taken = await confirmed("taken");
  const waiting = await confirmed("waiting");
  const finished = await confirmed("finished");
  const refused = await confirmed("refused");
  await service.submit({ email: "silent@uni.example" });
  const entered = (await service.enterClosed()).request.reference;
  await service.take(taken);
  await service.hold(waiting, "2026-12-20");
  await service.callDone(finished, "finished@uni.example");
  await service.refuse(refused);

  const today = await readToday(service);
  expect(references(today.queue)).toEqual([overdue, free, taken]);
  expect(references(today.undoable)).toEqual([waiting, finished, refused]);
  expect(references(today.toApprove)).toEqual([entered]);
  expect(today.unconfirmed).toBe(1);
  await service.round({ minutes: 11 });
  const later = await readToday(service);
  expect(references(later.queue)).toContain(waiting);
  expect(later.undoable).toEqual([]);
  for (let number = 0; number < 50; number++)
    await service.enterClosed({ email: `closed${number}@uni.example` });
  expect((await readToday(service)).unconfirmed).toBe(1);
});

test("doesn't offer to undo a hold that was already undone", async () => {
  const reference = await confirmed("later");
  await service.hold(reference, "2026-12-20");
  expect(references((await readToday(service)).undoable)).toEqual([reference]);
  await service.desk.act(reference, { type: "undo", explanation: "" }, "Nadia");
  const { queue, undoable } = await readToday(service);
  expect([references(queue), references(undoable)]).toEqual([[reference], []]);
});

test("in the queue and in search results, flags requests that contain a message", async () => {
  await service.submitConfirmed({ email: "a@uni.example", feedback: "Where is it?" });
  await confirmed("b");
  const { queue } = await readToday(service);
  expect(queue.map(({ marks }) => marks.wrote)).toEqual([true, false]);
  const { requests } = await searchByBeginning(service, "a@uni.example");
  expect(requests.map(({ marks }) => marks.wrote)).toEqual([true]);
});
