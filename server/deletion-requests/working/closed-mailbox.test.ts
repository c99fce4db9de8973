import { describe, expect, test } from "vitest";
import { checkAccounts } from "../ledger/returned-accounts.ts";
import { failed, testMailWords } from "../office.fixture.ts";
import { office, openOfficeForEachTest } from "../office-of-each-test.fixture.ts";
import { createDesk } from "./desk.ts";

openOfficeForEachTest();

const approve = (reference: string) => office.desk.act(reference, { type: "approve" }, "Rahim");

const toOld = () =>
  office.sent.filter(({ to }) => to === "old@uni.example").map(({ kind }) => kind);

describe("whose closed mailbox is read all the same", () => {
  const notice = (kind: "notice-entered" | "notice-confirmed") => {
    const mail = office.newest(kind);
    expect(mail.to).toBe("old@uni.example");
    expect(mail.letter.html).toContain(testMailWords.shared.whyNotice);
    return mail;
  };

  test("is told of the entry, with a link that shows it and confirms nothing", async () => {
    await office.enterClosed();
    await office.round();
    const mail = notice("notice-entered");
    expect(mail.letter.text).toContain("m•••••@home.example");
    expect(mail.letter.text).not.toContain("me@home.example");
    const visit = await office.follow(mail);
    expect(await office.requests.openVisit(visit)).toMatchObject({ kind: "entered" });
    await office.requests.confirm(visit);
    expect((await office.queue())[0]?.state).toBe("received");
  });

  test("can cancel once it is confirmed, and the contact is told", async () => {
    const { reference } = (await office.enterClosed()).request;
    await approve(reference);
    await office.round();
    const visit = await office.follow(notice("notice-confirmed"));
    expect(await office.requests.cancel(visit)).toMatchObject({ kind: "done" });
    await office.round();
    expect((await office.desk.find(reference))?.state).toBe("cancelled");
    expect(office.newest("cancelled").to).toBe("me@home.example");
  });

  test("and confirms by a form of its own: mails go to the contact, which it is told and can cancel", async () => {
    const { reference } = await office.submitMailed({ email: "old@uni.example" });
    const confirm = office.newest("confirm");
    await office.enterClosed();
    await office.requests.confirm(await office.follow(confirm));
    await office.round();
    expect((await office.desk.find(reference))?.state).toBe("confirmed");
    expect(office.newest("confirmed").to).toBe("me@home.example");
    const visit = await office.follow(notice("notice-confirmed"));
    expect(await office.requests.openVisit(visit)).toMatchObject({
      kind: "status",
      status: {
        canCancel: true,
        facts: expect.arrayContaining([
          expect.objectContaining({ name: "contact", text: "m•••••@home.example" }),
        ]),
      },
    });
  });
});

test("a mailbox that is really closed takes no notice, and that is no trouble of an operator's", async () => {
  office.answer = ({ to }) =>
    to === "old@uni.example" ? failed("recipient refused (550)", true) : { kind: "delivered" };
  await office.enterClosed();
  await office.round();
  expect(toOld()).toEqual([]);
  expect(office.newest("entered").to).toBe("me@home.example");
  expect((await office.desk.troubled(10)).count).toBe(0);
});

test("a closed mailbox gets the same life: a date, mails to the contact, a ledger row of the old address", async () => {
  const { reference } = (await office.enterClosed()).request;
  await office.round();
  const entered = office.newest("entered");
  expect(entered.to).toBe("me@home.example");
  expect(entered.letter.html).toContain(testMailWords.shared.whyContact);
  const seen = await office.requests.openVisit(await office.follow(entered));
  expect(seen).toMatchObject({ kind: "entered", reference });
  expect(await approve(reference)).toMatchObject({ kind: "done" });
  await office.round();
  await office.callDone(reference, "old@uni.example");
  await office.round({ minutes: 10 });
  expect(toOld()).toEqual(["notice-entered", "notice-confirmed"]);
  expect(office.newest("completed").to).toBe("me@home.example");
  const found = await checkAccounts(office, ["old@uni.example", "me@home.example"], "Nadia");
  expect(found.mustBeErased.map(({ address }) => address)).toEqual(["old@uni.example"]);
});

describe("nobody gets past the second person by way of the contact", () => {
  const toContact = () => office.sent.filter(({ to }) => to === "me@home.example");

  test("who sends the form for the old address", async () => {
    await office.enterClosed();
    await office.submitMailed({ email: "old@uni.example" });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
    expect(office.newest("confirm").to).toBe("old@uni.example");
  });

  test("whose form's mail still waits for the old mailbox", async () => {
    office.answer = () => failed("recipient put off (450)");
    await office.submitMailed({ email: "old@uni.example" });
    await office.enterClosed();
    office.answer = () => ({ kind: "delivered" });
    await office.round({ hours: 1 });
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered"]);
  });

  test("who asks an operator for the link again", async () => {
    const { request } = await office.enterClosed();
    await office.desk.act(request.reference, { type: "resend" }, "Nadia");
    await office.round();
    expect(toContact().map(({ kind }) => kind)).toEqual(["entered", "entered"]);
    const visit = await office.requests.openVisit(await office.follow(office.newest("entered")));
    expect(visit.kind).toBe("entered");
  });
});

test("the entry of somebody who reads another language keeps that of their own form where nothing else is said", async () => {
  await office.submit({ email: "old@uni.example" }, "bn");
  await office.enterClosed();
  await office.round();
  const told = office.sent.map(({ kind, language }) => `${kind} ${language}`);
  expect(told).toEqual(expect.arrayContaining(["confirm bn", "entered bn", "notice-entered bn"]));
  await office.enterClosed({ language: "en" });
  await office.round();
  expect(office.newest("entered").language).toBe("en");
});

describe("the clock of the law runs from when the person first asked", () => {
  const daysAgo = (days: number) => office.clock().subtract({ hours: 24 * days });
  const receivedAt = async (reference: string) => (await office.desk.find(reference))?.receivedAt;

  test.each([
    ["at the support mailbox", 25, 25],
    ["by the form", 0, 1],
  ])("%s", async (_, asked, first) => {
    const { reference } = await office.submit({ email: "old@uni.example" });
    office.pass({ days: 1 });
    await office.enterClosed({ receivedAt: daysAgo(asked) });
    expect(await receivedAt(reference)).toEqual(daysAgo(first));
  });

  test("so that no day is promised that the law does not allow, as the person is shown it and told it", async () => {
    const { reference } = await office.submitMailed({ email: "old@uni.example" });
    await office.enterClosed({ receivedAt: daysAgo(30) });
    office.pass({ days: 1 });
    const shown = await office.requests.openVisit(await office.follow(office.newest("confirm")));
    expect(shown.kind === "confirm" && `${shown.dueIfConfirmedToday.date}`).toBe("2026-12-07");
    office.pass({ days: 5 });
    await approve(reference);
    const request = await office.desk.find(reference);
    // 45 days after 23 October; ten business days would end on 13 December.
    expect(request && "dueOn" in request && `${request.dueOn}`).toBe("2026-12-07");
  });
});

test("an entry that is removed is counted off in the month in which it was counted", async () => {
  const { request } = await office.enterClosed({
    receivedAt: office.clock().subtract({ hours: 24 * 28 }),
  });
  await office.desk.act(request.reference, { type: "remove" }, "Nadia");
  const months = await office.desk.months();
  const happened = await Promise.all(months.map((month) => office.desk.happened(month)));
  expect(happened.map(({ received }) => received)).toEqual([0]);
});

test("a link that confirms is used up once somebody has approved the entry, and a page that was open shows how it stands", async () => {
  const { reference } = await office.submitMailed({ email: "old@uni.example" });
  const mail = office.newest("confirm");
  const open = await office.follow(mail);
  await office.enterClosed();
  await approve(reference);
  expect(await office.requests.openVisit(await office.follow(mail))).toMatchObject({
    kind: "link-used",
  });
  expect(await office.requests.confirm(open)).toMatchObject({ kind: "done" });
  expect(await office.requests.openVisit(open)).toMatchObject({ kind: "status" });
});

test("where the team agreed that one is enough, an entry is confirmed at once", async () => {
  Object.assign(office.desk, createDesk({ ...office, secondPerson: false }));
  const { request } = await office.enterClosed();
  expect(request.state).toBe("confirmed");
});
