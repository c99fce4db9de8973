import { describe, expect, test } from "vitest";
import { textOf } from "../../../tests/harness/html.ts";
import { noticeHours, undoMinutes, untouchedHours } from "../../periods.ts";
import { checkAccounts } from "../ledger/returned-accounts.ts";
import { checkLedger } from "../ledger/verification.ts";
import { failed } from "../service.fixture.ts";
import { dueOf } from "../state-machine/request.ts";
import { sampleChecklist, testMailWords } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { createOperatorCommands } from "./operator-commands.ts";

serviceForEachTest();

const tryToApprove = (reference: string, name = "Rahim", reply: "no" | "yes" = "no") =>
  service.desk.act(reference, { type: "approve", reply }, name);

/** Approves the request after the notice period and lets the undo period pass. */
async function approve(reference: string) {
  await service.round();
  await service.round({ hours: noticeHours });
  const result = await tryToApprove(reference);
  service.pass({ minutes: undoMinutes });
  return result;
}

const toOld = () =>
  service.sent.filter(({ to }) => to === "old@uni.example").map(({ kind }) => kind);

describe("notices to the closed mailbox", () => {
  const notice = (kind: "notice-entered" | "notice-confirmed") => {
    const mail = service.newest(kind);
    expect(mail.to).toBe("old@uni.example");
    expect(textOf(mail.letter.html)).toContain(testMailWords.shared.whyNotice);
    return mail;
  };

  test("sends the closed mailbox a notice whose link can't confirm the request", async () => {
    await service.enterClosed();
    await service.round();
    const mail = notice("notice-entered");
    expect(mail.letter.text).toContain("m•••••@home.example");
    expect(mail.letter.text).not.toContain("me@home.example");
    const visit = await service.follow(mail);
    expect(await service.requests.openVisit(visit)).toMatchObject({ kind: "entered" });
    await service.requests.confirm(visit);
    expect((await service.queue())[0]?.state).toBe("received");
  });

  test("notifies the contact when someone cancels from the closed mailbox after the approval", async () => {
    const { reference } = (await service.enterClosed()).request;
    await approve(reference);
    await service.round();
    const visit = await service.follow(notice("notice-confirmed"));
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
    await service.round();
    expect((await service.desk.find(reference))?.state).toBe("cancelled");
    expect(service.newest("stopped").to).toBe("me@home.example");
  });

  test("allows cancellation from the closed mailbox even after a form from that mailbox was confirmed", async () => {
    const { reference } = await service.submitMailed({ email: "old@uni.example" });
    const confirm = service.newest("confirm");
    await service.enterClosed();
    await service.requests.confirm(await service.follow(confirm));
    await service.round();
    expect((await service.desk.find(reference))?.state).toBe("confirmed");
    expect(service.newest("confirmed").to).toBe("me@home.example");
    const visit = await service.follow(notice("notice-confirmed"));
    expect(await service.requests.openVisit(visit)).toMatchObject({
      kind: "status",
      status: { canCancel: true, facts: { contact: { text: "m•••••@home.example" } } },
    });
  });
});

test("doesn't report a notice bounced by the closed mailbox as a failed email", async () => {
  service.answer = ({ to }) =>
    to === "old@uni.example"
      ? failed("recipient refused (550)", { permanent: true })
      : { kind: "delivered" };
  const { reference } = (await service.enterClosed()).request;
  await approve(reference);
  await service.submitMailed({ email: "old@uni.example" });
  expect(toOld()).toEqual([]);
  expect(service.newest("entered").to).toBe("me@home.example");
  expect((await service.desk.troubled(10)).count).toBe(0);
});

test("emails the contact of an entered request but records the old address in the ledger", async () => {
  const { reference } = (await service.enterClosed()).request;
  await service.round();
  const entered = service.newest("entered");
  expect(entered.to).toBe("me@home.example");
  expect(textOf(entered.letter.html)).toContain(testMailWords.shared.whyContact);
  const seen = await service.requests.openVisit(await service.follow(entered));
  expect(seen).toMatchObject({ kind: "entered", facts: { reference: { text: reference } } });
  expect(await approve(reference)).toMatchObject({ kind: "done" });
  await service.round({ hours: untouchedHours });
  await service.callDone(reference, "old@uni.example");
  await service.round({ minutes: 10 });
  expect(toOld()).toEqual(["notice-entered", "notice-confirmed"]);
  expect(service.newest("completed").to).toBe("me@home.example");
  const found = await checkAccounts(service, ["old@uni.example", "me@home.example"], "Nadia");
  expect(found.mustBeErased.map(({ address }) => address)).toEqual(["old@uni.example"]);
});

describe("confirmation links for a closed mailbox", () => {
  const toContact = () => service.sent.filter(({ to }) => to === "me@home.example");

  test("sends the contact no confirmation link when someone submits the form for the old address", async () => {
    await service.enterClosed();
    await service.submitMailed({ email: "old@uni.example" });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
    expect(service.newest("confirm").to).toBe("old@uni.example");
  });

  test("sends the contact no confirmation link that is still queued for the old mailbox", async () => {
    service.answer = () => failed("recipient put off (450)");
    await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed();
    service.answer = () => ({ kind: "delivered" });
    await service.round({ hours: 1 });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
  });

  test("sends the contact no confirmation link when an operator resends the email", async () => {
    const { request } = await service.enterClosed();
    await service.desk.act(request.reference, { type: "resend" }, "Nadia");
    await service.round();
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered", "entered"]);
    const visit = await service.requests.openVisit(await service.follow(service.newest("entered")));
    expect(visit.kind).toBe("entered");
  });
});

test("writes emails in the language of the requester's own form unless the operator chooses another", async () => {
  await service.submit({ email: "old@uni.example" }, "bn");
  await service.enterClosed();
  await service.round();
  const emails = service.sent.map(({ kind, language }) => `${kind} ${language}`);
  expect(emails).toEqual(expect.arrayContaining(["confirm bn", "entered bn", "notice-entered bn"]));
  await service.enterClosed({ language: "en" });
  await service.round();
  expect(service.newest("entered").language).toBe("en");
});

describe("legal deadlines", () => {
  const daysAgo = (days: number) => service.clock().subtract({ hours: 24 * days });
  const receivedAt = async (reference: string) => (await service.desk.find(reference))?.receivedAt;

  test.each([
    ["at the support mailbox", 25, 25],
    ["by the form", 0, 1],
  ])("counts legal deadlines from the requester's earliest request: %s", async (_, age, first) => {
    const { reference } = await service.submit({ email: "old@uni.example" });
    service.pass({ days: 1 });
    await service.enterClosed({ receivedAt: daysAgo(age) });
    expect(await receivedAt(reference)).toEqual(daysAgo(first));
  });

  test("limits the due date to the legal deadline in the preview and on approval", async () => {
    const { reference } = await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed({ receivedAt: daysAgo(30) });
    service.pass({ days: 1 });
    const shown = await service.requests.openVisit(await service.follow(service.newest("confirm")));
    expect(shown.kind === "confirm" && `${shown.dueIfConfirmedToday.date}`).toBe("2026-12-07");
    service.pass({ days: 3 });
    await approve(reference);
    const request = await service.desk.find(reference);
    // The legal limit, 45 calendar days after 23 October, is earlier than ten business days from
    // the approval.
    expect(request && dueOf(request)).toBe("2026-12-07");
  });
});

test("subtracts a removed request from the month in which it was entered", async () => {
  const { request } = await service.enterClosed({
    receivedAt: service.clock().subtract({ hours: 24 * 28 }),
  });
  await service.desk.act(request.reference, { type: "remove" }, "Nadia");
  const months = await service.desk.months();
  const happened = await Promise.all(months.map((month) => service.desk.happened(month)));
  expect(happened.map(({ received }) => received)).toEqual([0]);
});

test("invalidates old confirmation links on approval but sends a new link on request", async () => {
  const { reference } = await service.submitMailed({ email: "old@uni.example" });
  const mail = service.newest("confirm");
  await service.enterClosed();
  await service.round();
  await service.round({ hours: noticeHours - 1, minutes: 50 });
  const open = await service.follow(mail);
  service.pass({ minutes: 10 });
  await tryToApprove(reference);
  service.pass({ minutes: undoMinutes });
  expect(await service.requests.openVisit(await service.follow(mail))).toMatchObject({
    kind: "link-used",
  });
  expect(await service.requests.confirm(open)).toMatchObject({ kind: "done" });
  expect(await service.requests.openVisit(open)).toMatchObject({ kind: "status" });
  await service.requests.sendNewLink(await service.follow(mail));
  await service.submitMailed({ email: "old@uni.example" });
  await service.desk.act(reference, { type: "resend" }, "Nadia");
  await service.round();
  const reminders = service.sent.filter(({ kind }) => kind === "reminder").map(({ to }) => to);
  expect(reminders).toEqual(["old@uni.example", "old@uni.example", "me@home.example"]);
});

describe("approval", () => {
  const enter = async () => {
    const { reference } = (await service.enterClosed()).request;
    await service.round();
    return reference;
  };
  const refusal = (because: string) => ({ kind: "refused", refusal: because });

  test("allows approval 48 hours after the notice, at the time stated in the notice", async () => {
    const reference = await enter();
    const notice = service.newest("notice-entered");
    expect(notice.message).toMatchObject({ stopUntil: "2026-11-24T04:00:00.000Z" });
    expect(notice.letter.text).toMatch(/reply\s+by\s+\w+\s+24\s+Nov,/);
    service.pass({ hours: noticeHours - 1, minutes: 59 });
    expect(await tryToApprove(reference)).toMatchObject(refusal("notice-runs"));
    service.pass({ minutes: 1 });
    expect(await tryToApprove(reference)).toMatchObject({ kind: "done" });
  });

  test("refuses approval until 48 hours after a delayed notice is sent", async () => {
    service.answer = () => failed("mail server too slow");
    const { reference } = (await service.enterClosed()).request;
    await service.round({ hours: noticeHours });
    expect(await tryToApprove(reference)).toMatchObject(refusal("notice-unsent"));
    service.answer = () => ({ kind: "delivered" });
    await service.round({ hours: 12 });
    expect(service.newest("notice-entered").letter.text).toMatch(/reply\s+by\s+\w+\s+26\s+Nov,/);
    expect(await tryToApprove(reference)).toMatchObject(refusal("notice-runs"));
    service.pass({ hours: noticeHours });
    expect(await tryToApprove(reference)).toMatchObject({ kind: "done" });
  });

  test("refuses approval for 48 hours even if the notice bounces", async () => {
    service.answer = ({ to }) =>
      to === "old@uni.example"
        ? failed("recipient refused (550)", { permanent: true })
        : { kind: "delivered" };
    const reference = await enter();
    const { mails = [] } = (await service.desk.readDetail(reference)) ?? {};
    expect(mails.find(({ kind }) => kind === "notice-entered")).toMatchObject({
      state: "bounced",
      lastProblem: "recipient refused (550)",
    });
    expect(await tryToApprove(reference)).toMatchObject(refusal("notice-runs"));
    service.pass({ hours: noticeHours });
    expect(await tryToApprove(reference)).toMatchObject({ kind: "done" });
  });

  test("refuses approval for 48 hours even if no second operator is required", async () => {
    Object.assign(service.desk, createOperatorCommands({ ...service, secondPerson: false }));
    const reference = await enter();
    expect(await tryToApprove(reference, "Nadia")).toMatchObject(refusal("notice-runs"));
    service.pass({ hours: noticeHours });
    expect(await tryToApprove(reference, "Nadia")).toMatchObject({ kind: "done" });
  });

  test("refuses the request if someone objects from the closed mailbox", async () => {
    const reference = await enter();
    service.pass({ hours: noticeHours });
    await tryToApprove(reference, "Rahim", "yes");
    await service.round({ minutes: undoMinutes });
    expect(service.newest("refused")).toMatchObject({
      to: "me@home.example",
      message: { reason: "not-the-owner" },
    });
  });

  test("refuses to complete a request for a day after its approval", async () => {
    const reference = await enter();
    await approve(reference);
    await service.round();
    const notice = service.newest("notice-confirmed");
    expect(notice.letter.text).toMatch(/We\s+won't\s+delete\s+anything\s+before\s+\w+\s+25\s+Nov,/);
    await service.take(reference);
    const typed = { ...sampleChecklist, address: ["old@uni.example"] };
    const complete = { act: "complete", reference, typed } as const;
    expect(await service.desk.submit(complete, "Nadia")).toMatchObject(refusal("untouched"));
    service.pass({ hours: untouchedHours });
    expect(await service.desk.submit(complete, "Nadia")).toMatchObject({ kind: "done" });
  });

  test("lets the closed mailbox cancel for a day after the approval, even if an operator tries to tick a location", async () => {
    const reference = await enter();
    await approve(reference);
    await service.round();
    const visit = await service.follow(service.newest("notice-confirmed"));
    expect(await service.begin(reference)).toMatchObject(refusal("untouched"));
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
  });
});

describe("stopping a request from the closed mailbox", () => {
  test("notifies the contact and the team when someone stops a request from the closed mailbox", async () => {
    const { reference } = (await service.enterClosed()).request;
    const visit = await service.openMail("notice-entered");
    expect(await service.requests.openVisit(visit)).toMatchObject({
      kind: "entered",
      stop: { isOver: false },
    });
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
    await service.round();
    const stopped = await service.desk.find(reference);
    expect(stopped).toMatchObject({ state: "cancelled", endedBy: "person" });
    expect(service.newest("stopped").to).toBe("me@home.example");
    expect(service.newest("operator-stopped").to).toBe("desk@rides.example");
  });

  test("shows no confirmation or due date after a request is stopped from the closed mailbox", async () => {
    await service.enterClosed();
    const visit = await service.openMail("notice-entered");
    await service.requests.cancel(visit);
    const shown = await service.requests.openVisit(visit);
    expect(shown.kind === "status" && shown.status.road.map(({ name }) => name)).toEqual([
      "received",
      "cancelled",
    ]);
    expect(shown.kind === "status" && shown.status.facts).toMatchObject({
      confirmed: undefined,
      due: undefined,
    });
    expect((await checkLedger(service.database, service.keys)).findings).toEqual([]);
  });
});

test("doesn't let the contact's link stop a request that awaits approval", async () => {
  const { reference } = (await service.enterClosed()).request;
  const visit = await service.openMail("entered");
  expect(await service.requests.cancel(visit)).toMatchObject({ kind: "unknown" });
  expect((await service.desk.find(reference))?.state).toBe("received");
});

describe("insufficient proof of ownership", () => {
  const ask = (explanation: string) => ({ type: "ask", explanation }) as const;

  test("restarts the approval period when the approver asks for another proof", async () => {
    const { reference } = (await service.enterClosed()).request;
    await service.round({ days: 5 });
    await service.desk.act(reference, ask("A payment of the last month, please."), "Rahim");
    await service.round();
    expect(service.sent.some(({ kind }) => kind === "ask-proof")).toBe(false);
    await service.round({ minutes: undoMinutes });
    const letter = service.newest("ask-proof");
    expect(letter.to).toBe("me@home.example");
    expect(letter.letter.text).toContain("A payment of the last month, please.");
    await service.round({ days: 6 });
    expect((await service.desk.find(reference))?.state).toBe("received");
  });

  test("emails the contact when the approver refuses the request", async () => {
    const { reference } = (await service.enterClosed()).request;
    const act = { type: "refuse", reason: "not-the-owner", explanation: "Two names." } as const;
    expect(await service.desk.act(reference, act, "Rahim")).toMatchObject({ kind: "done" });
    await service.round({ minutes: undoMinutes });
    expect(service.newest("refused")).toMatchObject({ to: "me@home.example" });
  });

  test("returns a request to pending approval when its refusal is undone before the email is sent", async () => {
    const { reference } = (await service.enterClosed()).request;
    await service.refuse(reference);
    await service.desk.act(reference, { type: "undo", explanation: "" }, "Nadia");
    await service.round({ minutes: undoMinutes });
    expect((await service.desk.find(reference))?.state).toBe("received");
    expect(service.sent.some(({ kind }) => kind === "refused")).toBe(false);
  });
});

test("warns the team before an unapproved request expires, then emails the contact", async () => {
  const { reference } = (await service.enterClosed()).request;
  await service.round({ days: 2 });
  expect(service.sent.some(({ kind }) => kind === "operator-second-look")).toBe(false);
  // Wednesday is two business days before Sunday, when the request expires. Friday and Saturday are
  // the weekend.
  await service.round({ days: 1 });
  expect(service.newest("operator-second-look").message).toMatchObject({ reference });
  await service.round({ days: 4 });
  expect(service.newest("faded")).toMatchObject({ to: "me@home.example" });
  expect(await service.desk.find(reference)).toMatchObject({
    state: "refused",
    endedBy: "system",
  });
});

describe("undo", () => {
  const rowOf = (reference: string) =>
    service.kysely
      .selectFrom("requests")
      .selectAll()
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow();
  const undo = (reference: string) =>
    service.desk.act(reference, { type: "undo", explanation: "" }, "Rahim");
  const emails = () => service.sent.map(({ kind }) => kind);
  const counts = async () =>
    Promise.all((await service.desk.months()).map((month) => service.desk.happened(month)));

  /** Enters an approvable request for an address that already has a confirmation link. */
  async function approvable() {
    await service.submitMailed({ email: "old@uni.example" });
    const { reference } = (await service.enterClosed()).request;
    await service.round();
    await service.round({ hours: noticeHours - 1, minutes: 55 });
    const link = service.newest("confirm");
    const visits = {
      confirm: await service.follow(link),
      entered: await service.follow(service.newest("entered")),
      stop: await service.follow(service.newest("notice-entered")),
    };
    service.pass({ minutes: 5 });
    return { reference, link, visits };
  }

  test("restores everything except the history when an approval is undone", async () => {
    const { reference, link, visits } = await approvable();
    const [before, sent, figures] = [await rowOf(reference), emails(), await counts()];
    await tryToApprove(reference);
    expect(await service.requests.openVisit(visits.entered)).toMatchObject({ kind: "entered" });
    expect(await service.requests.openVisit(visits.stop)).toMatchObject({
      kind: "entered",
      stop: { isOver: true },
    });
    await service.round({ minutes: 5 });
    expect(await undo(reference)).toMatchObject({ kind: "done" });
    await service.round({ minutes: 11 });
    expect([await rowOf(reference), emails(), await counts()]).toEqual([before, sent, figures]);
    expect(await service.requests.openVisit(await service.follow(link))).not.toMatchObject({
      kind: "link-used",
    });
    expect(await tryToApprove(reference)).toMatchObject({ kind: "done" });
    await service.round({ minutes: undoMinutes });
    await service.round();
    expect(emails().toSorted()).toEqual(
      [...sent, "confirmed", "notice-confirmed", "operator-new"].toSorted(),
    );
  });

  test("allows cancellation from the closed mailbox before the approval's emails are sent", async () => {
    const { reference, visits } = await approvable();
    await tryToApprove(reference);
    expect(await service.requests.cancel(visits.stop)).toMatchObject({ kind: "done" });
    const stopped = await service.desk.find(reference);
    expect(stopped).toMatchObject({ state: "cancelled", endedBy: "person" });
    await service.round({ minutes: undoMinutes });
    expect(emails().slice(-2).toSorted()).toEqual(["operator-stopped", "stopped"]);
    expect(emails()).not.toContain("confirmed");
  });

  test.each([
    { type: "refuse", reason: "not-the-owner", explanation: "Two names." },
    { type: "cancel", explanation: "By mistake." },
  ] as const)("reactivates the confirmation link when $type is undone", async (act) => {
    await service.submitMailed({ email: "old@uni.example" });
    const { reference } = (await service.enterClosed()).request;
    const link = service.newest("confirm");
    expect(await service.desk.act(reference, act, "Nadia")).toMatchObject({ kind: "done" });
    expect(await undo(reference)).toMatchObject({ kind: "done" });
    expect(await service.requests.confirm(await service.follow(link))).toMatchObject({
      kind: "done",
    });
  });

  test("refuses to undo an approval after its emails are sent", async () => {
    const { reference } = await approvable();
    await tryToApprove(reference);
    await service.round({ minutes: undoMinutes });
    expect(await undo(reference)).toMatchObject({ kind: "refused", refusal: "not-done" });
  });
});
