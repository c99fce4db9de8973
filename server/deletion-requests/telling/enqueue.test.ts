import { expect, test } from "vitest";
import { mailboxOf } from "../../addresses/email-address.ts";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";

openOfficeForEachTest();

test.each([
  ["Anika+rides@uni.example", "anika@uni.example"],
  ["anika+a+b@uni.example", "anika@uni.example"],
  ["anika@uni.example", "anika@uni.example"],
  ["+anika@uni.example", "+anika@uni.example"],
  ["A.nika+x@googlemail.com", "anika@gmail.com"],
])("mail to %s arrives in %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

async function mailsTo(address?: string): Promise<number> {
  await office.round();
  const mails = office.sent.filter(({ kind }) => kind === "confirm");
  return mails.filter(({ to }) => address === undefined || to === address).length;
}

test.each(["sam@uni.example", "sam+rides@uni.example"])(
  "a stranger's forms for other notes of a mailbox keep no first mail from %s",
  async (own) => {
    for (const note of ["a", "b", "c"]) await office.submit({ email: `sam+${note}@uni.example` });
    for (let again = 0; again < 5; again++) await office.submit({ email: "sam+a@uni.example" });
    await office.submit({ email: own });
    expect(await mailsTo(own)).toBe(1);
  },
);

test("however many notes strangers think of, the mailbox's own address gets its first mail", async () => {
  for (let note = 0; note < 30; note++) await office.submit({ email: `sam+${note}@uni.example` });
  await office.submit({ email: "sam@uni.example" });
  expect(await mailsTo("sam@uni.example")).toBe(1);
});

test.each([
  ["notes", (name: number) => `anika+${name}@uni.example`],
  ["dots and the two names of Google", (name: number) => dotted(name)],
])("a mailbox gets a dozen mails a day by %s, and more on the next day", async (_, address) => {
  for (let name = 0; name < 20; name++) {
    for (let again = 0; again < 3; again++) await office.submit({ email: address(name) });
  }
  expect(await mailsTo()).toBe(12);
  office.pass({ hours: 24, minutes: 1 });
  await office.submit({ email: address(15) });
  expect(await mailsTo()).toBe(13);
});

/** One of many spellings of anikarahman at Google, none of them plain. */
function dotted(name: number): string {
  const letters = [..."anikarahman"];
  letters.splice(1 + (name % 10), 0, ".");
  return `${letters.join("")}@${name < 10 ? "gmail" : "googlemail"}.com`;
}

test("an address that had enough mail costs the same work as one that had one", async () => {
  await office.submit({ email: "one@uni.example" });
  for (let form = 0; form < 3; form++) await office.submit({ email: "enough@uni.example" });
  const afterOne = await office.costOf({ email: "one@uni.example" });
  expect(await office.costOf({ email: "enough@uni.example" })).toEqual(afterOne);
  await office.round();
  expect(office.sent.filter((mail) => mail.to === "enough@uni.example")).toHaveLength(3);
});
