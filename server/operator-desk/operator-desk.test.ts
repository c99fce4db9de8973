import { expect, test } from "vitest";
import { office, openOfficeForEachTest } from "../deletion-requests/office-of-each-test.fixture.ts";
import { readMarks, readToday, search } from "./operator-desk.ts";

openOfficeForEachTest();

const confirmed = (name: string) => office.submitConfirmed({ email: `${name}@uni.example` });
const references = (of: readonly { reference: string }[]) => of.map(({ reference }) => reference);

test("everything that is open stands in one list by its date, whoever has it; what can be undone stands apart", async () => {
  const overdue = await confirmed("overdue");
  office.pass({ days: 20 });
  const free = await confirmed("free");
  const taken = await confirmed("taken");
  const waiting = await confirmed("waiting");
  const finished = await confirmed("finished");
  const refused = await confirmed("refused");
  await office.submit({ email: "silent@uni.example" });
  await office.take(taken);
  const until = Temporal.PlainDate.from("2026-12-20");
  const hold = { type: "hold", reason: "dues", until, explanation: "" } as const;
  await office.desk.act(waiting, hold, "Nadia");
  await office.callDone(finished, "finished@uni.example");
  await office.refuse(refused);

  const today = await readToday(office);
  expect(references(today.queue)).toEqual([overdue, free, taken, waiting]);
  expect(references(today.undoable)).toEqual([finished, refused]);
  expect(today.unconfirmed).toBe(1);
  await office.round({ minutes: 11 });
  expect((await readToday(office)).undoable).toEqual([]);
});

test("a row says that somebody wrote, and no other does", async () => {
  const written = await office.submitConfirmed({
    email: "a@uni.example",
    feedback: "Where is it?",
  });
  const plain = await confirmed("b");
  const { queue } = await readToday(office);
  const marks = await readMarks(office.database.read, queue);
  const [one, other] = queue;
  expect(references(queue)).toEqual([written, plain]);
  const marked = [one, other].map((row) => [...(marks.get(row?.id ?? 0) ?? [])]);
  expect(marked).toEqual([["wrote"], []]);
});

test("a request for a closed mailbox is shown for its second look, and is not counted as unconfirmed", async () => {
  const entered = await office.enterClosed();
  const today = await readToday(office);
  expect(references(today.toApprove)).toEqual([entered.request.reference]);
  expect(today.unconfirmed).toBe(0);
});

test("a search knows a request by how its reference or its address begins", async () => {
  const reference = await confirmed("graduate");
  await confirmed("somebody");
  for (const typed of [reference.slice(0, 4), "gradu"]) {
    expect(references((await search(office, typed)).requests)).toEqual([reference]);
  }
});
