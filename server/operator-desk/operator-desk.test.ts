import { expect, test } from "vitest";
import { office, openOfficeForEachTest } from "../deletion-requests/office-of-each-test.fixture.ts";
import { readMarks, readToday } from "./operator-desk.ts";

openOfficeForEachTest();

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
  const until = Temporal.PlainDate.from("2026-12-20");
  const hold = { type: "hold", reason: "dues", until, explanation: "" } as const;
  await office.desk.act(waiting, hold, "Nadia");
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

test("a row says that somebody wrote, and no other does", async () => {
  await office.submitConfirmed({ email: "a@uni.example", feedback: "Where is it?" });
  await confirmed("b");
  const { queue } = await readToday(office);
  const marks = await readMarks(office.database.read, queue);
  expect(queue.map(({ id }) => [...(marks.get(id) ?? [])])).toEqual([["wrote"], []]);
});
