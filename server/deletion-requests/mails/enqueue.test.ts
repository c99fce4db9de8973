import { expect, test } from "vitest";
import { mailboxOf } from "../../platform/addresses/email-address.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

test.each([
  ["Anika+rides@uni.example", "anika@uni.example"],
  ["anika+a+b@uni.example", "anika@uni.example"],
  ["anika@uni.example", "anika@uni.example"],
  ["+anika@uni.example", "+anika@uni.example"],
  ["A.nika+x@googlemail.com", "anika@gmail.com"],
])("maps the address %s to the mailbox %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test("does the same work whether or not an address has reached its email limit", async () => {
  await service.submit({ email: "one@uni.example" });
  for (let form = 0; form < 3; form++) await service.submit({ email: "enough@uni.example" });
  const afterOne = await service.costOf({ email: "one@uni.example" });
  expect(await service.costOf({ email: "enough@uni.example" })).toEqual(afterOne);
});
