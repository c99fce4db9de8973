import { expect, test } from "vitest";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";
import { checkAccounts } from "./returned-accounts.ts";

openOfficeForEachTest();

test("tells which accounts of a restored backup had been deleted, though no address is left", async () => {
  const reference = await office.submitCompleted();
  await office.submitConfirmed({ email: "cancelled@uni.example" });
  await office.requests.cancel(await office.openMail("confirmed"));
  expect(await office.readFolder()).not.toContain("anika");
  const result = await checkAccounts(
    office,
    [
      "id,email,name",
      '7,"ANIKA@uni.example",Anika',
      "8;kabir@uni.example",
      "cancelled@uni.example",
      "",
    ],
    "Nadia",
  );
  expect(result).toEqual({
    mustBeErased: [{ address: "ANIKA@uni.example", reference, completedAt: office.clock() }],
    read: 3,
    unreadable: 0,
    hasEntries: true,
    unknownKeys: 0,
  });
});
