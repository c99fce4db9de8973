import { afterEach, beforeEach, expect, test } from "vitest";
import { mailboxOf } from "../addresses/email-address.ts";
import { countRows, openOffice, type TestOffice } from "./office.fixture.ts";
import { createSubmitting } from "./submitting.ts";

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

test.each([
  ["Anika+rides@uni.example", "anika@uni.example"],
  ["anika+a+b@uni.example", "anika@uni.example"],
  ["anika@uni.example", "anika@uni.example"],
  ["+anika@uni.example", "+anika@uni.example"],
])("mail to %s arrives in %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test("twenty notes behind a plus get three mails a day, like one address", async () => {
  for (let note = 0; note < 20; note++) await office.submit({ email: `anika+${note}@uni.example` });
  await office.rounds.runOnce();
  expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(3);
  office.pass({ hours: 24, minutes: 1 });
  await office.submit({ email: "anika+later@uni.example" });
  await office.rounds.runOnce();
  expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(4);
});

test("an address that had enough mail costs the same work as one that had one", async () => {
  const { database, counts } = countRows(office.database);
  const submitting = createSubmitting({ ...office, database });
  async function workOf(email: string) {
    const before = { ...counts };
    expect((await submitting.submit(office.form({ email }))).kind).toBe("stored");
    return { read: counts.read - before.read, ran: counts.ran - before.ran };
  }
  await workOf("one@uni.example");
  for (let form = 0; form < 3; form++) await workOf("enough@uni.example");
  const afterOne = await workOf("one@uni.example");
  expect(await workOf("enough@uni.example")).toEqual(afterOne);
  await office.rounds.runOnce();
  expect(office.sent.filter((mail) => mail.to === "enough@uni.example")).toHaveLength(3);
});
