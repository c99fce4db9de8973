import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

/** Confirms a request on a Sunday and completes it the given number of days later. */
async function doAfter(days: number, email: string): Promise<string> {
  service.setClock("2026-11-22T04:00:00Z");
  const reference = await service.submitConfirmed({ email });
  service.pass({ days });
  await service.complete(reference);
  return reference;
}

const november = Temporal.PlainYearMonth.from("2026-11");

test("excludes weekends from the median number of business days", async () => {
  await doAfter(1, "one@uni.example");
  await doAfter(2, "two@uni.example");
  // Sunday to Sunday is seven days, five of them business days.
  await doAfter(7, "three@uni.example");
  expect(await service.desk.happened(november)).toMatchObject({
    completed: 3,
    medianDays: 2,
    medianBusinessDays: 2,
  });
  await doAfter(7, "four@uni.example");
  expect((await service.desk.happened(november)).medianBusinessDays).toBe(3.5);
});

test("counts confirmations, holds and extensions", async () => {
  await service.hold(await service.submitConfirmed(), "2026-12-20");
  expect(await service.desk.happened()).toMatchObject({ confirmed: 1, held: 1, extended: 1 });
});

test("removes a reopened request from the median", async () => {
  const reference = await doAfter(2, "one@uni.example");
  expect((await service.desk.happened(november)).completed).toBe(1);
  await service.desk.act(reference, { type: "undo", explanation: "The wrong one." }, "Nadia");
  expect(await service.desk.happened(november)).toMatchObject({
    completed: 0,
    reopened: 1,
    medianBusinessDays: undefined,
  });
});
