import { beforeEach, expect, test } from "vitest";
import { noticeHours, undoMinutes, untouchedHours } from "../../server/periods.ts";
import type { EmailAddress } from "../../server/platform/addresses/email-address.ts";
import { addOperator } from "../../server/team/roster/operators.ts";
import { scenario, scenarioForEachTest } from "../harness/account-scenario.ts";
import { dataList } from "../harness/campus.ts";

// Handover of approved requests from people with closed mailboxes.

scenarioForEachTest();

let reference: string;
beforeEach(async () => {
  const { site, desk } = scenario;
  await site.database.write((transaction) => addOperator(transaction, "Rafi", site.clock()));
  const entered = await desk.enterRequest(
    {
      email: "gone@uni.example" as EmailAddress,
      contact: "home@mail.example" as EmailAddress,
      proof: dataList.ownershipProofs[0]?.key ?? "",
      reason: "other",
      language: undefined,
      receivedAt: site.clock(),
    },
    "Nadia",
  );
  reference = entered.request.reference;
  await site.rounds.runOnce();
  await scenario.pass({ hours: noticeHours });
  await approve();
});

async function approve() {
  const approved = await scenario.desk.act(reference, { type: "approve", reply: "no" }, "Rafi");
  expect(approved).toMatchObject({ kind: "done" });
}

test("hands an approved request over to the account system after 24 hours", async () => {
  await scenario.site.rounds.runOnce();
  await scenario.pass({ hours: untouchedHours - 1 });
  await scenario.pass({ minutes: 59 });
  expect(scenario.receivedTypes()).toEqual([]);
  await scenario.pass({ minutes: 1 });
  expect(scenario.receivedTypes()).toEqual(["requested"]);
});

test("restarts the 24-hour wait when an approval is undone and repeated", async () => {
  await scenario.pass({ minutes: undoMinutes - 1 });
  const undone = await scenario.desk.act(reference, { type: "undo", explanation: "" }, "Rafi");
  expect(undone).toMatchObject({ kind: "done", request: { state: "received" } });
  await scenario.pass({ hours: untouchedHours });
  expect(scenario.receivedTypes()).toEqual([]);
  await approve();
  await scenario.pass({ hours: untouchedHours - 1 });
  expect(scenario.receivedTypes()).toEqual([]);
  await scenario.pass({ hours: 1 });
  expect(scenario.receivedTypes()).toEqual(["requested"]);
});

test("doesn't hand over an approved request if the old mailbox's owner cancels it", async () => {
  await scenario.pass({ minutes: undoMinutes });
  await scenario.press("cancel", await scenario.linkTo("gone@uni.example"));
  await scenario.pass({ hours: untouchedHours });
  expect(await scenario.state(reference)).toBe("cancelled");
  expect(scenario.receivedTypes()).not.toContain("requested");
});
