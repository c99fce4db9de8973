import { beforeEach, expect, test } from "vitest";
import { noticeHours, undoMinutes, untouchedHours } from "../../server/periods.ts";
import type { EmailAddress } from "../../server/platform/addresses/email-address.ts";
import { addOperator } from "../../server/team/roster/operators.ts";
import { walk, walkForEachTest } from "../harness/account-walk.ts";
import { dataList } from "../harness/campus.ts";

// Handover of approved requests from people with closed mailboxes.

walkForEachTest();

let reference: string;
beforeEach(async () => {
  const { site, desk } = walk;
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
  await walk.pass({ hours: noticeHours });
  await approve();
});

async function approve() {
  const approved = await walk.desk.act(reference, { type: "approve", reply: "no" }, "Rafi");
  expect(approved).toMatchObject({ kind: "done" });
}

test("hands an approved request over to the account system after 24 hours", async () => {
  await walk.site.rounds.runOnce();
  await walk.pass({ hours: untouchedHours - 1 });
  await walk.pass({ minutes: 59 });
  expect(walk.heard()).toEqual([]);
  await walk.pass({ minutes: 1 });
  expect(walk.heard()).toEqual(["requested"]);
});

test("restarts the 24-hour wait when an approval is undone and repeated", async () => {
  await walk.pass({ minutes: undoMinutes - 1 });
  const undone = await walk.desk.act(reference, { type: "undo", explanation: "" }, "Rafi");
  expect(undone).toMatchObject({ kind: "done", request: { state: "received" } });
  await walk.pass({ hours: untouchedHours });
  expect(walk.heard()).toEqual([]);
  await approve();
  await walk.pass({ hours: untouchedHours - 1 });
  expect(walk.heard()).toEqual([]);
  await walk.pass({ hours: 1 });
  expect(walk.heard()).toEqual(["requested"]);
});

test("doesn't hand over an approved request if the old mailbox's owner cancels it", async () => {
  await walk.pass({ minutes: undoMinutes });
  await walk.press("cancel", await walk.linkTo("gone@uni.example"));
  await walk.pass({ hours: untouchedHours });
  expect(await walk.state(reference)).toBe("cancelled");
  expect(walk.heard()).not.toContain("requested");
});
