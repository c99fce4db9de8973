import { describe, expect, test } from "vitest";
import { checkAccounts } from "../ledger/returned-accounts.ts";
import { failed, testMailWords } from "../service.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { createDesk } from "./desk.ts";

serviceForEachTest();

const approve = (reference: string) => service.desk.act(reference, { type: "approve" }, "Rahim");

const toOld = () =>
  service.sent.filter(({ to }) => to === "old@uni.example").map(({ kind }) => kind);

describe("whose closed mailbox is read all the same", () => {
  const notice = (kind: "notice-entered" | "notice-confirmed") => {
    const mail = service.newest(kind);
    expect(mail.to).toBe("old@uni.example");
    expect(mail.letter.html).toContain(testMailWords.shared.whyNotice);
    return mail;
  };

  test("is told of the entry, with a link that shows it and confirms nothing", async () => {
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

  test("can cancel once it is confirmed, and the contact is told", async () => {
    const { reference } = (await service.enterClosed()).request;
    await approve(reference);
    await service.round();
    const visit = await service.follow(notice("notice-confirmed"));
    expect(await service.requests.cancel(visit)).toMatchObject({ kind: "done" });
    await service.round();
    expect((await service.desk.find(reference))?.state).toBe("cancelled");
    expect(service.newest("cancelled").to).toBe("me@home.example");
  });

  test("and confirms by a form of its own: mails go to the contact, which it is told and can cancel", async () => {
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

test("a mailbox that is really closed takes no notice, and that is no trouble of an operator's", async () => {
  service.answer = ({ to }) =>
    to === "old@uni.example" ? failed("recipient refused (550)", true) : { kind: "delivered" };
  const { reference } = (await service.enterClosed()).request;
  await approve(reference);
  await service.submitMailed({ email: "old@uni.example" });
  expect(toOld()).toEqual([]);
  expect(service.newest("entered").to).toBe("me@home.example");
  expect((await service.desk.troubled(10)).count).toBe(0);
});

test("a closed mailbox gets the same life: a date, mails to the contact, a ledger row of the old address", async () => {
  const { reference } = (await service.enterClosed()).request;
  await service.round();
  const entered = service.newest("entered");
  expect(entered.to).toBe("me@home.example");
  expect(entered.letter.html).toContain(testMailWords.shared.whyContact);
  const seen = await service.requests.openVisit(await service.follow(entered));
  expect(seen).toMatchObject({ kind: "entered", facts: { reference: { text: reference } } });
  expect(await approve(reference)).toMatchObject({ kind: "done" });
  await service.round();
  await service.callDone(reference, "old@uni.example");
  await service.round({ minutes: 10 });
  expect(toOld()).toEqual(["notice-entered", "notice-confirmed"]);
  expect(service.newest("completed").to).toBe("me@home.example");
  const found = await checkAccounts(service, ["old@uni.example", "me@home.example"], "Nadia");
  expect(found.mustBeErased.map(({ address }) => address)).toEqual(["old@uni.example"]);
});

describe("nobody gets past the second person by way of the contact", () => {
  const toContact = () => service.sent.filter(({ to }) => to === "me@home.example");

  test("who sends the form for the old address", async () => {
    await service.enterClosed();
    await service.submitMailed({ email: "old@uni.example" });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
    expect(service.newest("confirm").to).toBe("old@uni.example");
  });

  test("whose form's mail still waits for the old mailbox", async () => {
    service.answer = () => failed("recipient put off (450)");
    await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed();
    service.answer = () => ({ kind: "delivered" });
    await service.round({ hours: 1 });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
  });

  test("who asks an operator for the link again", async () => {
    const { request } = await service.enterClosed();
    await service.desk.act(request.reference, { type: "resend" }, "Nadia");
    await service.round();
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered", "entered"]);
    const visit = await service.requests.openVisit(await service.follow(service.newest("entered")));
    expect(visit.kind).toBe("entered");
  });
});

test("the entry of somebody who reads another language keeps that of their own form where nothing else is said", async () => {
  await service.submit({ email: "old@uni.example" }, "bn");
  await service.enterClosed();
  await service.round();
  const told = service.sent.map(({ kind, language }) => `${kind} ${language}`);
  expect(told).toEqual(expect.arrayContaining(["confirm bn", "entered bn", "notice-entered bn"]));
  await service.enterClosed({ language: "en" });
  await service.round();
  expect(service.newest("entered").language).toBe("en");
});

describe("the clock of the law runs from when the person first asked", () => {
  const daysAgo = (days: number) => service.clock().subtract({ hours: 24 * days });
  const receivedAt = async (reference: string) => (await service.desk.find(reference))?.receivedAt;

  test.each([
    ["at the support mailbox", 25, 25],
    ["by the form", 0, 1],
  ])("%s", async (_, asked, first) => {
    const { reference } = await service.submit({ email: "old@uni.example" });
    service.pass({ days: 1 });
    await service.enterClosed({ receivedAt: daysAgo(asked) });
    expect(await receivedAt(reference)).toEqual(daysAgo(first));
  });

  test("so that no day is promised that the law does not allow, as the person is shown it and told it", async () => {
    const { reference } = await service.submitMailed({ email: "old@uni.example" });
    await service.enterClosed({ receivedAt: daysAgo(30) });
    service.pass({ days: 1 });
    const shown = await service.requests.openVisit(await service.follow(service.newest("confirm")));
    expect(shown.kind === "confirm" && `${shown.dueIfConfirmedToday.date}`).toBe("2026-12-07");
    service.pass({ days: 5 });
    await approve(reference);
    const request = await service.desk.find(reference);
    // 45 days after 23 October; ten business days would end on 13 December.
    expect(request && "dueOn" in request && `${request.dueOn}`).toBe("2026-12-07");
  });
});

test("an entry that is removed is counted off in the month in which it was counted", async () => {
  const { request } = await service.enterClosed({
    receivedAt: service.clock().subtract({ hours: 24 * 28 }),
  });
  await service.desk.act(request.reference, { type: "remove" }, "Nadia");
  const months = await service.desk.months();
  const happened = await Promise.all(months.map((month) => service.desk.happened(month)));
  expect(happened.map(({ received }) => received)).toEqual([0]);
});

test("a link that confirms is used up once somebody has approved the entry; a new one goes to the old mailbox for whoever asks there or by the form, and to the contact for an operator", async () => {
  const { reference } = await service.submitMailed({ email: "old@uni.example" });
  const mail = service.newest("confirm");
  const open = await service.follow(mail);
  await service.enterClosed();
  await approve(reference);
  expect(await service.requests.openVisit(await service.follow(mail))).toMatchObject({
    kind: "link-used",
  });
  expect(await service.requests.confirm(open)).toMatchObject({ kind: "done" });
  expect(await service.requests.openVisit(open)).toMatchObject({ kind: "status" });
  await service.requests.askNewLink(await service.follow(mail));
  await service.submitMailed({ email: "old@uni.example" });
  await service.desk.act(reference, { type: "resend" }, "Nadia");
  await service.round();
  const reminders = service.sent.filter(({ kind }) => kind === "reminder").map(({ to }) => to);
  expect(reminders).toEqual(["old@uni.example", "old@uni.example", "me@home.example"]);
});

test("where the team agreed that one is enough, an entry is confirmed at once", async () => {
  Object.assign(service.desk, createDesk({ ...service, secondPerson: false }));
  const { request } = await service.enterClosed();
  expect(request.state).toBe("confirmed");
});
