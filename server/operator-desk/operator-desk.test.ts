import { expect, test } from "vitest";
import { readWalk } from "../deletion-requests/life/checklist.ts";
import { createFormKey } from "../deletion-requests/life/request.ts";
import {
  byOperator,
  failed,
  testDataList,
  testMailWriter,
} from "../deletion-requests/office.fixture.ts";
import { office, openOfficeForEachTest } from "../deletion-requests/office-of-each-test.fixture.ts";
import {
  deskActs,
  findWhyNot,
  type Look,
  listExtensions,
} from "../deletion-requests/working/acts.ts";
import { draftMail } from "../deletion-requests/working/apply-act.ts";
import { createOperatorDesk, readToday, searchByBeginning } from "./operator-desk.ts";

openOfficeForEachTest();

async function tell(reference: string) {
  const story = await office.desk.tell(reference);
  if (!story) throw new Error(reference);
  return story;
}

/** What can be done now, and of the rest why not. */
async function possible(reference: string, name = "Nadia") {
  const { request, mails } = await tell(reference);
  const now = office.clock();
  const look: Look = {
    office: { ...office, dataList: testDataList, languages: ["en"] },
    request,
    mails,
    name,
    now,
  };
  const because = Object.fromEntries(deskActs.map((act) => [act, findWhyNot(act, look)]));
  return { can: deskActs.filter((act) => !because[act]), because };
}

test("what is offered is what the life of a request allows, and the rest says why not", async () => {
  const { reference } = await office.submit();
  expect(await possible(reference)).toMatchObject({
    can: ["resend", "note"],
    because: { take: "not-confirmed", approve: "not-entered" },
  });
  const confirmed = await office.submitConfirmed({ email: "other@uni.example" });
  expect(await possible(confirmed)).toMatchObject({
    can: ["take", "later", "refuse", "cancel", "resend", "note"],
    because: { complete: "not-taken", undo: "not-done" },
  });
});

const undo = { type: "undo", explanation: "" } as const;
test("what was refused can be taken back until the person is told, and then with a reason", async () => {
  const reference = await office.submitConfirmed();
  await office.refuse(reference);
  await office.round({ minutes: 9 });
  expect((await possible(reference)).can).toContain("undo");
  expect(office.sent.filter(({ kind }) => kind === "refused")).toEqual([]);
  await office.round({ minutes: 2 });
  expect(office.sent.filter(({ kind }) => kind === "refused")).toHaveLength(1);
  expect(await office.desk.act(reference, undo, "Nadia")).toHaveProperty("kind", "unexplained");
  const explained = { ...undo, explanation: "The wrong one." };
  expect(await office.desk.act(reference, explained, "Nadia")).toHaveProperty("kind", "done");
});

test("what stays in a place is said with why and until when", () => {
  const rides = { "at-rides": ["kept"], "why-rides": ["legal-duty"] };
  const typed = { account: ["user"], "at-accounts": ["none"], "at-wallet": ["done"], ...rides };
  const on = Temporal.PlainDate.from("2026-11-22");
  expect(readWalk(testDataList, typed, on).missing).toMatchObject([{ field: "until-rides" }]);
  const dated = { ...typed, "until-rides": ["2027-01-31"] };
  const { completion, ticked, missing } = readWalk(testDataList, dated, on);
  expect([missing, ticked]).toEqual([[], ["rides", "wallet"]]);
  const kept = { outcome: "kept", reason: "legal-duty", until: "2027-01-31" };
  expect(completion.lines.slice(0, 2)).toMatchObject([{ outcome: "none" }, kept]);
});

test("a form that is sent again because its answer was lost is one act, whatever was done since; another form's is another", async () => {
  const reference = await office.submitConfirmed();
  const { seen } = await tell(reference);
  const [taking, first, second] = [createFormKey(), createFormKey(), createFormKey()];
  for (const formKey of [first, first, second]) {
    const done = [
      await office.desk.act(reference, { type: "take" }, "Nadia", { seen, formKey: taking }),
      await office.desk.act(reference, { type: "note", note: "She called." }, "Nadia", { formKey }),
      await office.desk.act(reference, { type: "resend" }, "Nadia", { formKey }),
    ];
    expect(done.map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
  }
  const types = (await tell(reference)).events.map(({ type }) => type);
  expect(types.slice(2)).toEqual(["take", "note", "resend", "note", "resend"]);
});

test("who says another date on a page from before is told what they said first", async () => {
  const reference = await office.submitConfirmed();
  const { seen } = await tell(reference);
  const later = { type: "later", reason: "time", explanation: "Exams." } as const;
  await office.desk.act(reference, { ...later, days: 5 }, "Nadia", { seen });
  const second = await office.desk.act(reference, { ...later, days: 9 }, "Nadia", { seen });
  expect(second).toMatchObject({ kind: "overtaken", last: { name: "Nadia", type: "extend" } });
});

test("an extension offers every lawful date and no other", async () => {
  const reference = await office.submitConfirmed();
  const extensions = listExtensions(office, [(await tell(reference)).request], office.clock());
  // Due 7 December; received on 22 November, so nothing later than 20 February.
  const dates = extensions.map(({ dueOn }) => dueOn.toString());
  expect([dates[0], dates.at(-1)]).toEqual(["2026-12-07", "2027-02-18"]);
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
    await byOperator(office, reference, act);
    await office.round({ minutes: 11 });
    const sent = office.sent.findLast(({ to }) => to === "anika@uni.example")?.message;
    expect(draft).toEqual({ ...sent, token: "TOKEN" });
  }
});

test("what is written to take an end back can be read before it is sent", async () => {
  const reference = await office.submitCompleted();
  const { draft } = createOperatorDesk({ ...office, writeMail: testMailWriter });
  const mail = await draft("undo", { explanation: ["It was another one."] }, reference, "Nadia");
  expect(mail?.text).toContain("It was another one.");
});

test("a receipt that could not be delivered is sent again, though its request has ended; one that was delivered is not", async () => {
  const reference = await office.submitConfirmed();
  office.answer = () => failed("recipient refused (550)", true);
  await office.complete(reference);
  await office.round();
  expect((await possible(reference)).can).toContain("resend");
  office.answer = () => ({ kind: "delivered" });
  await office.desk.act(reference, { type: "resend" }, "Nadia");
  await office.round();
  expect(office.newest("completed").to).toBe("anika@uni.example");
  expect((await possible(reference)).because).toMatchObject({ resend: "already-ended" });
});

const confirmed = (name: string) => office.submitConfirmed({ email: `${name}@uni.example` });
const references = (of: readonly { reference: string }[]) => of.map(({ reference }) => reference);

test("everything that is open stands in one list by its date, whoever has it; what can be undone, or waits for a second look, stands apart", async () => {
  const overdue = await confirmed("overdue");
  office.pass({ days: 20 });
  const free = await confirmed("free");
  const taken = await confirmed("taken");
  const waiting = await confirmed("waiting");
  const finished = await confirmed("finished");
  const refused = await confirmed("refused");
  await office.submit({ email: "silent@uni.example" });
  const entered = (await office.enterClosed()).request.reference;
  await office.take(taken);
  await office.hold(waiting, "2026-12-20");
  await office.callDone(finished, "finished@uni.example");
  await office.refuse(refused);

  const today = await readToday(office);
  expect(references(today.queue)).toEqual([overdue, free, taken, waiting]);
  expect(references(today.undoable)).toEqual([finished, refused]);
  expect(references(today.toApprove)).toEqual([entered]);
  expect(today.unconfirmed).toBe(1);
  await office.round({ minutes: 11 });
  expect((await readToday(office)).undoable).toEqual([]);
});

test("a row says that somebody wrote, wherever it stands, and no other does", async () => {
  await office.submitConfirmed({ email: "a@uni.example", feedback: "Where is it?" });
  await confirmed("b");
  const { queue } = await readToday(office);
  expect(queue.map(({ marks }) => marks.wrote)).toEqual([true, false]);
  const { requests } = await searchByBeginning(office, "a@uni.example");
  expect(requests.map(({ marks }) => marks.wrote)).toEqual([true]);
});
