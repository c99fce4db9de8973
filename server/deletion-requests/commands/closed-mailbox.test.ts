import { describe, expect, test } from "vitest";
import { textOf } from "../../../tests/harness/html.ts";
import { noticeHours, undoMinutes, untouchedHours } from "../../periods.ts";
import { checkAccounts } from "../ledger/returned-accounts.ts";
import { checkLedger } from "../ledger/verification.ts";
import { failed } from "../service.fixture.ts";
import { dueOf } from "../state-machine/request.ts";
import { sampleWalk, testMailWords } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { createOperatorCommands } from "./operator-commands.ts";

serviceForEachTest();

const tryToApprove = (reference: string, name = "Rahim", reply: "no" | "yes" = "no") =>
  service.desk.act(reference, { type: "approve", reply }, name);

/** Approves the request after the notice period, then waits until the approval can't be undone. */
async function approve(reference: string) {
  await service.round();
  await service.round({ hours: noticeHours });
  const result = await tryToApprove(reference);
  service.pass({ minutes: undoMinutes });
  return result;
}

const toOld = () =>
  service.sent.filter(({ to }) => to === "old@uni.example").map(({ kind }) => kind);

describe("a closed mailbox that someone still reads", () => {
  const notice = (kind: "notice-entered" | "notice-confirmed") => {
    const mail = service.newest(kind);
    expect(mail.to).toBe("old@uni.example");
    expect(textOf(mail.letter.html)).toContain(testMailWords.shared.whyNotice);
    return mail;
  };

  test("gets a notice of the request, with a link that can't confirm the request", async () => {
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

  test("can cancel after the approval, and the contact is told", async () => {
    const { reference } = (await service.enterClosed()).request;
    await approve(reference);
    await service.round();
    const visit = await service.follow(notice("notice-confirmed"));
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
    await service.round();
    expect((await service.desk.find(reference))?.state).toBe("cancelled");
    expect(service.newest("stopped").to).toBe("me@home.example");
  });

  test("gets a notice whose link can cancel, even after its own form was confirmed", async () => {
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

test("doesn't count a notice that the closed mailbox refuses as a failed email", async () => {
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

test("sends an entered request's emails to the contact, but records the old address in the ledger", async () => {
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

describe("the contact gets no confirmation link", () => {
  const toContact = () => service.sent.filter(({ to }) => to === "me@home.example");

  test("when someone submits the form for the old address", async () => {
    await service.enterClosed();
    await service.submitMailed({ email: "old@uni.example" });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
    expect(service.newest("confirm").to).toBe("old@uni.example");
  });

  test("when an earlier confirmation email to the old mailbox is still unsent", async () => {
    service.answer = () => failed("recipient put off (450)");
    await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed();
    service.answer = () => ({ kind: "delivered" });
    await service.round({ hours: 1 });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
  });

  test("when an operator re-sends the email", async () => {
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
  const told = service.sent.map(({ kind, language }) => `${kind} ${language}`);
  expect(told).toEqual(expect.arrayContaining(["confirm bn", "entered bn", "notice-entered bn"]));
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
  ])("count from the requester's first request: %s", async (_, asked, first) => {
    const { reference } = await service.submit({ email: "old@uni.example" });
    service.pass({ days: 1 });
    await service.enterClosed({ receivedAt: daysAgo(asked) });
    expect(await receivedAt(reference)).toEqual(daysAgo(first));
  });

  test("limit the due date, both in the preview and on approval", async () => {
    const { reference } = await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed({ receivedAt: daysAgo(30) });
    service.pass({ days: 1 });
    const shown = await service.requests.openVisit(await service.follow(service.newest("confirm")));
    expect(shown.kind === "confirm" && `${shown.dueIfConfirmedToday.date}`).toBe("2026-12-07");
    service.pass({ days: 3 });
    await approve(reference);
    const request = await service.desk.find(reference);
    // 45 calendar days after 23 October, which is earlier than ten business days from the approval.
    expect(request && dueOf(request)).toBe("2026-12-07");
  });
});

test("subtracts a removed entry from the month that counted it", async () => {
  const { request } = await service.enterClosed({
    receivedAt: service.clock().subtract({ hours: 24 * 28 }),
  });
  await service.desk.act(request.reference, { type: "remove" }, "Nadia");
  const months = await service.desk.months();
  const happened = await Promise.all(months.map((month) => service.desk.happened(month)));
  expect(happened.map(({ received }) => received)).toEqual([0]);
});

test("voids confirmation links on approval, and sends a new link to a mailbox that asks for one", async () => {
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

  test("is possible 48 hours after the notice, at the hour that the notice names", async () => {
    const reference = await enter();
    const notice = service.newest("notice-entered");
    expect(notice.message).toMatchObject({ stopUntil: "2026-11-24T04:00:00.000Z" });
    expect(notice.letter.text).toMatch(/reply\s+by\s+\w+\s+24\s+Nov,/);
    service.pass({ hours: noticeHours - 1, minutes: 59 });
    expect(await tryToApprove(reference)).toMatchObject(refusal("notice-runs"));
    service.pass({ minutes: 1 });
    expect(await tryToApprove(reference)).toMatchObject({ kind: "done" });
  });

  test("waits for 48 hours after a delayed notice is finally sent", async () => {
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

  test("waits 48 hours after a bounced notice, and shows the bounce", async () => {
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

  test("waits 48 hours even if no second operator is required", async () => {
    Object.assign(service.desk, createOperatorCommands({ ...service, secondPerson: false }));
    const reference = await enter();
    expect(await tryToApprove(reference, "Nadia")).toMatchObject(refusal("notice-runs"));
    service.pass({ hours: noticeHours });
    expect(await tryToApprove(reference, "Nadia")).toMatchObject({ kind: "done" });
  });

  test("refuses the request if the mailbox's reader objects", async () => {
    const reference = await enter();
    service.pass({ hours: noticeHours });
    await tryToApprove(reference, "Rahim", "yes");
    await service.round({ minutes: undoMinutes });
    expect(service.newest("refused")).toMatchObject({
      to: "me@home.example",
      message: { reason: "not-the-owner" },
    });
  });

  test("blocks the completion for a day, during which the old mailbox can cancel", async () => {
    const reference = await enter();
    await approve(reference);
    await service.round();
    const told = service.newest("notice-confirmed");
    expect(told.letter.text).toMatch(/We\s+won't\s+delete\s+anything\s+before\s+\w+\s+25\s+Nov,/);
    await service.take(reference);
    const typed = { ...sampleWalk, address: ["old@uni.example"] };
    const complete = { act: "complete", reference, typed } as const;
    expect(await service.desk.submit(complete, "Nadia")).toMatchObject(refusal("untouched"));
    service.pass({ hours: untouchedHours });
    expect(await service.desk.submit(complete, "Nadia")).toMatchObject({ kind: "done" });
  });
});

describe("someone who reads the closed mailbox", () => {
  test("can stop the request with one button, and the contact and the team are told", async () => {
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

  test("sees neither a confirmation nor a due date after stopping the request", async () => {
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

test("refuses to stop a request that waits for approval through the contact's link", async () => {
  const { reference } = (await service.enterClosed()).request;
  const visit = await service.openMail("entered");
  expect(await service.requests.cancel(visit)).toMatchObject({ kind: "unknown" });
  expect((await service.desk.find(reference))?.state).toBe("received");
});

describe("an approver who is not convinced", () => {
  const ask = (explanation: string) => ({ type: "ask", explanation }) as const;

  test("can ask for another proof, which restarts the seven days; the email is sent after ten minutes", async () => {
    const { reference } = (await service.enterClosed()).request;
    await service.round({ days: 5 });
    await service.desk.act(reference, ask("A payment of the last month, please."), "Rahim");
    await service.round();
    expect(service.sent.some(({ kind }) => kind === "ask-proof")).toBe(false);
    await service.round({ minutes: undoMinutes });
    const asked = service.newest("ask-proof");
    expect(asked.to).toBe("me@home.example");
    expect(asked.letter.text).toContain("A payment of the last month, please.");
    await service.round({ days: 6 });
    expect((await service.desk.find(reference))?.state).toBe("received");
  });

  test("refuses the request and emails the contact", async () => {
    const { reference } = (await service.enterClosed()).request;
    const act = { type: "refuse", reason: "not-the-owner", explanation: "Two names." } as const;
    expect(await service.desk.act(reference, act, "Rahim")).toMatchObject({ kind: "done" });
    await service.round({ minutes: undoMinutes });
    expect(service.newest("refused")).toMatchObject({ to: "me@home.example" });
  });

  test("can undo a refusal before its email is sent, and the request waits for approval again", async () => {
    const { reference } = (await service.enterClosed()).request;
    await service.refuse(reference);
    await service.desk.act(reference, { type: "undo", explanation: "" }, "Nadia");
    await service.round({ minutes: undoMinutes });
    expect((await service.desk.find(reference))?.state).toBe("received");
    expect(service.sent.some(({ kind }) => kind === "refused")).toBe(false);
  });
});

test("warns the team before an unapproved request expires, then ends the request and emails the contact", async () => {
  const { reference } = (await service.enterClosed()).request;
  await service.round({ days: 2 });
  expect(service.sent.some(({ kind }) => kind === "operator-second-look")).toBe(false);
  // Today is Wednesday. The request expires on Sunday, after a weekend on Friday and Saturday.
  await service.round({ days: 1 });
  expect(service.newest("operator-second-look").message).toMatchObject({ reference });
  await service.round({ days: 4 });
  expect(service.newest("faded")).toMatchObject({ to: "me@home.example" });
  expect(await service.desk.find(reference)).toMatchObject({
    state: "refused",
    endedBy: "system",
  });
});

describe("an approval", () => {
  const rowOf = (reference: string) =>
    service.kysely
      .selectFrom("requests")
      .selectAll()
      .where("reference", "=", reference)
      .executeTakeFirstOrThrow();
  const takeBack = (reference: string) =>
    service.desk.act(reference, { type: "undo", explanation: "" }, "Rahim");
  const emails = () => service.sent.map(({ kind }) => kind);
  const counts = async () =>
    Promise.all((await service.desk.months()).map((month) => service.desk.happened(month)));

  /** Enters a request that can be approved and that also has an older confirmation link. */
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

  test("leaves only a trace in the history, and no email, if it is undone", async () => {
    const { reference, link, visits } = await approvable();
    const [before, sent, figures] = [await rowOf(reference), emails(), await counts()];
    await tryToApprove(reference);
    expect(await service.requests.openVisit(visits.entered)).toMatchObject({ kind: "entered" });
    expect(await service.requests.openVisit(visits.stop)).toMatchObject({
      kind: "entered",
      stop: { isOver: true },
    });
    await service.round({ minutes: 5 });
    expect(await takeBack(reference)).toMatchObject({ kind: "done" });
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

  test("can be stopped from the old mailbox before its emails are sent", async () => {
    const { reference, visits } = await approvable();
    await tryToApprove(reference);
    expect(await service.requests.cancel(visits.stop)).toMatchObject({ kind: "done" });
    const stopped = await service.desk.find(reference);
    expect(stopped).toMatchObject({ state: "cancelled", endedBy: "person" });
    await service.round({ minutes: undoMinutes });
    expect(emails().slice(-2).toSorted()).toEqual(["operator-stopped", "stopped"]);
    expect(emails()).not.toContain("confirmed");
  });

  test("can't be undone once its emails are sent", async () => {
    const { reference } = await approvable();
    await tryToApprove(reference);
    await service.round({ minutes: undoMinutes });
    expect(await takeBack(reference)).toMatchObject({ kind: "refused", refusal: "not-done" });
  });
});
