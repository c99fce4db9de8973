import { expect, test } from "vitest";
import { mailboxOf } from "../../addresses/email-address.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

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
  await service.round();
  const mails = service.sent.filter(({ kind }) => kind === "confirm");
  return mails.filter(({ to }) => address === undefined || to === address).length;
}

test.each([
  ["sam+rides@uni.example", 3],
  // The mailbox's own address gets it however many they think of.
  ["sam@uni.example", 30],
])(
  "strangers' forms keep no first mail from %s, for as many other notes as %i",
  async (own, notes) => {
    for (let note = 0; note < notes; note++)
      await service.submit({ email: `sam+${note}@uni.example` });
    for (let again = 0; again < 5; again++) await service.submit({ email: "sam+0@uni.example" });
    await service.submit({ email: own });
    expect(await mailsTo(own)).toBe(1);
  },
);

test.each([
  ["notes", (name: number) => `anika+${name}@uni.example`],
  ["dots and the two names of Google", (name: number) => dotted(name)],
])("a mailbox gets a dozen mails a day by %s, and more on the next day", async (_, address) => {
  for (let name = 0; name < 20; name++) {
    for (let again = 0; again < 3; again++) await service.submit({ email: address(name) });
  }
  expect(await mailsTo()).toBe(12);
  service.pass({ hours: 24, minutes: 1 });
  await service.submit({ email: address(15) });
  expect(await mailsTo()).toBe(13);
});

/** One of many spellings of anikarahman at Google, none of them plain. */
function dotted(name: number): string {
  const letters = [..."anikarahman"];
  letters.splice(1 + (name % 10), 0, ".");
  return `${letters.join("")}@${name < 10 ? "gmail" : "googlemail"}.com`;
}

test("an address that had enough mail costs the same work as one that had one", async () => {
  await service.submit({ email: "one@uni.example" });
  for (let form = 0; form < 3; form++) await service.submit({ email: "enough@uni.example" });
  const afterOne = await service.costOf({ email: "one@uni.example" });
  expect(await service.costOf({ email: "enough@uni.example" })).toEqual(afterOne);
});
