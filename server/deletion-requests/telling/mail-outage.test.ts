import { beforeEach, expect, test } from "vitest";
import { unanswered } from "../../outbox/outbox.ts";
import { failed } from "../office.fixture.ts";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";

// The mail server is down: nobody loses anything by it.

openOfficeForEachTest();

const down = { ...failed("mail server down (ECONNREFUSED)"), wide: true };

beforeEach(() => {
  office.answer = () => down;
});

const stateOf = async (reference: string) => (await office.desk.find(reference))?.state;

test("a link lives from the moment its mail left", async () => {
  const { reference } = await office.submitMailed();
  office.pass({ hours: 50 });
  office.answer = () => ({ kind: "delivered" });
  await office.round();
  const mail = office.newest("confirm");
  expect(mail.message).toMatchObject({ validUntil: "2026-11-26T06:00:00.000Z" });
  office.pass({ hours: 47 });
  await office.requests.confirm(await office.follow(mail));
  expect(await stateOf(reference)).toBe("confirmed");
});

test("I sent the form in a week without mail: my request is still there when a person has mail sent again, but not after a month", async () => {
  const lasting = await office.submitMailed();
  for (let hour = 0; hour < 200; hour++) await office.round({ hours: 1 });
  const { first } = await office.desk.troubled(50);
  expect(first.map(({ kind }) => kind)).toContain("confirm");
  const mistyped = await office.submit({ email: "gone@uni.example" });
  office.answer = ({ to }) =>
    to.startsWith("gone") ? failed("recipient refused (550)", true) : { kind: "delivered" };
  await office.desk.retry("Nadia");
  await office.round();
  await office.requests.confirm(await office.follow(office.newest("confirm")));
  expect(await stateOf(lasting.reference)).toBe("confirmed");
  office.answer = () => down;
  const unsent = await office.submitMailed({ email: "kabir@uni.example" });
  await office.round({ hours: 49 });
  expect(await stateOf(mistyped.reference)).toBeUndefined();
  for (let day = 0; day < 27; day++) await office.round({ days: 1 });
  expect(await stateOf(unsent.reference)).toBe("received");
  for (let day = 0; day < 3; day++) await office.round({ days: 1 });
  expect(await stateOf(unsent.reference)).toBeUndefined();
});

test("the first success wakes what waits", async () => {
  await office.submitMailed({ email: "a@uni.example" });
  await office.round({ minutes: 6 });
  office.answer = () => ({ kind: "delivered" });
  await office.submitMailed({ email: "b@uni.example" });
  expect(office.sent.map(({ to }) => to).sort()).toEqual(["a@uni.example", "b@uni.example"]);
});

test("a mail that may have arrived is not sent again because another left, but a quarter of an hour later", async () => {
  const tried: string[] = [];
  office.answer = ({ to }) => {
    tried.push(to);
    return tried.length > 1 ? { kind: "delivered" } : failed(unanswered);
  };
  await office.submitMailed();
  for (let minute = 0; minute < 14; minute++) {
    office.pass({ minutes: 1 });
    await office.submitMailed({ email: `other${minute}@uni.example` });
  }
  expect(tried.filter((to) => to === "anika@uni.example")).toHaveLength(1);
  await office.round({ minutes: 1 });
  expect(office.newest("confirm").to).toBe("anika@uni.example");
});

test("the digest says since when, what is overdue and that the calendar ends", async () => {
  office.answer = () => ({ kind: "delivered" });
  await office.submitConfirmed();
  office.setClock("2027-12-13T04:00:00Z");
  office.answer = (letter) => (letter.to === "desk@rides.example" ? { kind: "delivered" } : down);
  await office.submit({ email: "kabir@uni.example" });
  await office.outbox.sendAll();
  await office.round();
  expect(office.newest("operator-digest").message).toMatchObject({
    overdue: 1,
    waitingSince: "2026-11-22T04:00:00.000Z",
    calendarEnd: "2027-12-16",
  });
});
