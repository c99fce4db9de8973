import { beforeEach, expect, test } from "vitest";
import { unanswered } from "../../periods.ts";
import { failed } from "../service.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

// Checks that a mail server outage loses no requests or emails.

serviceForEachTest();

const down = { ...failed("mail server down (ECONNREFUSED)"), isChannelWide: true };

beforeEach(() => {
  service.answer = () => down;
});

const stateOf = async (reference: string) => (await service.desk.find(reference))?.state;

test("starts a link's lifetime when its email is sent", async () => {
  const { reference } = await service.submitMailed();
  service.pass({ hours: 50 });
  service.answer = () => ({ kind: "delivered" });
  await service.round();
  const mail = service.newest("confirm");
  expect(mail.message).toMatchObject({ validUntil: "2026-11-26T06:00:00.000Z" });
  await service.round({ hours: 47 });
  await service.requests.confirm(await service.follow(mail));
  expect(await stateOf(reference)).toBe("confirmed");
});

test("keeps unconfirmed requests through a week-long outage but not through a month-long one", async () => {
  const lasting = await service.submitMailed();
  for (let hour = 0; hour < 200; hour++) await service.round({ hours: 1 });
  const { first } = await service.desk.troubled(50);
  expect(first.map(({ kind }) => kind)).toContain("confirm");
  const mistyped = await service.submit({ email: "gone@uni.example" });
  service.answer = ({ to }) =>
    to.startsWith("gone")
      ? failed("recipient refused (550)", { permanent: true })
      : { kind: "delivered" };
  await service.desk.retry("Nadia");
  await service.round();
  await service.requests.confirm(await service.follow(service.newest("confirm")));
  expect(await stateOf(lasting.reference)).toBe("confirmed");
  service.answer = () => down;
  const unsent = await service.submitMailed({ email: "kabir@uni.example" });
  await service.round({ hours: 49 });
  expect(await stateOf(mistyped.reference)).toBeUndefined();
  for (let day = 0; day < 27; day++) await service.round({ days: 1 });
  expect(await stateOf(unsent.reference)).toBe("received");
  for (let day = 0; day < 3; day++) await service.round({ days: 1 });
  expect(await stateOf(unsent.reference)).toBeUndefined();
});

test("sends the confirmation email of a form that was stored just before two days of downtime", async () => {
  service.answer = () => ({ kind: "delivered" });
  const { reference } = await service.submit();
  await service.round({ hours: 49 });
  await service.requests.confirm(await service.follow(service.newest("confirm")));
  expect(await stateOf(reference)).toBe("confirmed");
});

test("sends all waiting emails once the first one is delivered", async () => {
  await service.submitMailed({ email: "a@uni.example" });
  await service.round({ minutes: 6 });
  service.answer = () => ({ kind: "delivered" });
  await service.submitMailed({ email: "b@uni.example" });
  expect(service.sent.map(({ to }) => to).sort()).toEqual(["a@uni.example", "b@uni.example"]);
});

test("waits 15 minutes before retrying an email that may have arrived, even if other emails succeed", async () => {
  const tried: string[] = [];
  service.answer = ({ to }) => {
    tried.push(to);
    return tried.length > 1 ? { kind: "delivered" } : failed(unanswered);
  };
  await service.submitMailed();
  for (let minute = 0; minute < 14; minute++) {
    service.pass({ minutes: 1 });
    await service.submitMailed({ email: `other${minute}@uni.example` });
  }
  expect(tried.filter((to) => to === "anika@uni.example")).toHaveLength(1);
  await service.round({ minutes: 1 });
  expect(service.newest("confirm").to).toBe("anika@uni.example");
});

test("includes the outage, overdue requests and the end of the calendar in the digest", async () => {
  service.answer = () => ({ kind: "delivered" });
  await service.submitConfirmed();
  await service.round();
  expect(service.newest("operator-digest").message).toMatchObject({ waitingSince: "" });
  service.setClock("2027-12-13T04:00:00Z");
  service.answer = (letter) => (letter.to === "desk@rides.example" ? { kind: "delivered" } : down);
  await service.submit({ email: "kabir@uni.example" });
  await service.outbox.sendAll();
  await service.round({ minutes: 5 });
  expect(service.newest("operator-digest").message).toMatchObject({
    overdue: 1,
    waitingSince: "2027-12-13T04:00:00.000Z",
    calendarEnd: "2027-12-16",
  });
});
