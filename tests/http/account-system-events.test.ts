import { describe, expect, test } from "vitest";
import { createReconciliation } from "../../server/account-system/reconciliation.ts";
import { runAct } from "../../server/cli/act.ts";
import { isStuck } from "../../server/deletion-requests/commands/acts.ts";
import { walk, walkForEachTest, walkOtherwise } from "../harness/account-walk.ts";

walkForEachTest();

test('sends one "requested" event for a confirmed request', async () => {
  const { email, reference } = await walk.confirmed("anika");
  const { event, id } = walk.receiver.newest("requested");
  expect(walk.receiver.received).toHaveLength(1);
  expect(event).toEqual({
    type: "account.deletion.requested",
    timestamp: "2026-11-21T04:00:00.000Z",
    data: {
      id: expect.stringMatching(/^del_[\w-]{20}$/),
      reference,
      test: false,
      address: email,
      accounts: ["User", "Rider"],
      kinds: expect.arrayContaining([{ store: "accounts", kind: "identity" }]),
      tell: ["wallet"],
      confirmedAt: "2026-11-21T04:00:00.000Z",
      dueOn: "2026-12-03",
      begun: false,
    },
  });
  expect(await walk.events()).toMatchObject([{ state: "delivered", message_key: id, payload: "" }]);
  expect(await walk.state(reference)).toBe("confirmed");
});

test("stores no email address in an unsent event", async () => {
  walk.receiver.intercept = (_, response) => response.writeHead(500).end();
  const { email } = await walk.confirmed("anika");
  const [waiting] = await walk.events();
  const payload = walk.site.foundation.keys.unseal("outbox", waiting?.payload ?? "");
  expect(payload).toContain("account.deletion.requested");
  expect(payload).not.toContain(email);
});

test("sends a cancellation even after the requester's data is erased", async () => {
  const { email, reference } = await walk.confirmed("anika");
  const requested = walk.receiver.newest("requested");
  walk.receiver.intercept = (_, response) => response.writeHead(500).end();
  await walk.press("cancel", await walk.linkTo(email));
  await walk.site.rounds.runOnce();
  await walk.site.rounds.runOnce();
  expect((await walk.site.stored())[0]?.email).toBe("");
  walk.receiver.intercept = undefined;
  await walk.pass({ minutes: 1 });
  expect(walk.receiver.newest("cancelled").event.data).toEqual({
    id: requested.event.data.id,
    reference,
    test: false,
    because: "cancelled",
  });
});

test("stops all events after a 410 response until an operator resumes them", async () => {
  let calls = 0;
  walk.receiver.intercept = (_, response) => {
    calls++;
    response.writeHead(410).end();
  };
  const { email, reference } = await walk.confirmed("anika");
  await walk.confirmed("bela");
  await walk.site.rounds.runOnce();
  expect(calls).toBe(1);
  expect(await walk.events()).toMatchObject([
    { state: "needs-person", last_problem: "says that it is gone (410)" },
    { state: "needs-person", last_problem: expect.stringContaining("stopped") },
  ]);
  const emails = walk.teamMails();
  expect(emails).toHaveLength(1);
  const { status, problems } = await walk.site.services.health.status();
  expect([status, problems.join()]).toEqual([
    "degraded",
    expect.stringContaining("gets no events"),
  ]);

  const [row] = await walk.site.services.operatorDesk.list([{ reference }]);
  expect(row?.marks.undelivered).toBe(false);
  expect((await walk.desk.readDetail(reference))?.mails.some(isStuck)).toBe(false);
  expect(await walk.desk.retry("Nadia")).toBe(0);
  await walk.desk.act(reference, { type: "resend" }, "Nadia");
  await walk.site.rounds.runOnce();
  expect(walk.mailsTo(email)).toHaveLength(3);
  walk.receiver.intercept = undefined;
  const shown = await walk.command("check");
  expect(shown).toMatchObject({ out: expect.stringMatching(/We have sent nothing since/) });
  const outcome = await walk.command("resume", "--as", "Nadia");
  expect(outcome).toMatchObject({
    code: 0,
    out: "We are sending to the account system again, starting with 2 events.\n",
  });
  await walk.site.rounds.runOnce();
  expect(walk.heard()).toEqual(["ping", "requested", "requested"]);
});

test.each([
  ["live", 0],
  ["dry-run", 1],
] as const)(
  "in %s mode, emails the operators about a new request %i times",
  async (mode, count) => {
    await walkOtherwise((receiver) => receiver.config(mode));
    const { reference } = await walk.confirmed("anika");
    await walk.pass({ minutes: 11 });
    await walk.pass({ hours: 12 });
    const emails = walk.mail.received.filter(({ mail }) =>
      mail.text?.includes(`act take ${reference}`),
    );
    expect(emails).toHaveLength(count);
  },
);

test("records answers to a dry run without changing the request", async () => {
  await walkOtherwise((receiver) => receiver.config("dry-run"));
  const { reference } = await walk.confirmed("anika");
  const { data } = walk.receiver.newest("requested").event;
  expect(data).toMatchObject({ reference, test: true });
  expect(await walk.say("started", { id: data.id })).toMatchObject({
    status: 200,
    body: { state: "confirmed", test: true },
  });
  const [first] = walk.deleted().lines;
  await walk.said("completed", walk.deleted());
  expect(await walk.state(reference)).toBe("confirmed");
  const found = `${first?.store}/${first?.kind} deleted 1`;
  const story = await walk.desk.readDetail(reference);
  expect(story?.events.slice(-2)).toMatchObject([
    { type: "trial", code: "started" },
    { type: "trial", code: "completed", note: expect.stringContaining(found) },
  ]);

  await createReconciliation({ ...walk.site.foundation, mode: "live" })();
  await walk.site.rounds.runOnce();
  const inEarnest = walk.receiver.newest("requested").event.data;
  expect(inEarnest).toMatchObject({ reference, test: false });
  expect(inEarnest.id).not.toBe(data.id);
});

describe("a silent account system", () => {
  test("alerts the operators to a silent account system after an hour", async () => {
    const { reference } = await walk.confirmed("anika");
    const { id } = walk.receiver.newest("requested").event.data;
    const teamEmails = () => walk.teamMails();
    await walk.pass({ minutes: 59 });
    expect(teamEmails()).toHaveLength(0);
    await walk.pass({ minutes: 2 });
    expect(teamEmails()).toHaveLength(1);
    expect(walk.heard()).toEqual(["requested"]);
    await walk.pass({ hours: 22 });
    await walk.site.rounds.runOnce();
    expect(walk.heard()).toEqual(["requested", "requested"]);
    expect(walk.receiver.newest("requested").event.data.id).toBe(id);

    // The request is due on Thursday, December 3. The operators get an email on Monday; the account
    // system gets a reminder on Tuesday.
    await walk.pass({ hours: 8 * 24 });
    expect(teamEmails()).toHaveLength(2);
    expect(teamEmails()[1]?.mail.text).toContain(reference);
    expect(walk.heard()).not.toContain("reminder");
    await walk.pass({ hours: 24 });
    expect(walk.receiver.newest("reminder").event.data).toMatchObject({
      id,
      dueOn: "2026-12-03",
      businessDaysLeft: 2,
    });
    await walk.site.rounds.runOnce();
    expect(walk.heard().filter((type) => type === "reminder")).toHaveLength(1);
  });

  test("sends no events about a request that an operator has taken", async () => {
    walk.receiver.intercept = (_, response) => response.writeHead(500).end();
    const { reference } = await walk.confirmed("anika");
    await walk.desk.act(reference, { type: "take" }, "Nadia");
    walk.receiver.intercept = undefined;
    await walk.pass({ hours: 24 }, 2);
    const asked = {
      services: walk.site.foundation,
      words: ["hand-over", reference],
      name: "Rahim",
    };
    expect(await runAct(asked)).toMatchObject({
      code: 1,
      problem: "Nadia already has this request. Ask Nadia first.\n",
    });
    expect(walk.heard()).toEqual([]);
    expect(walk.teamMails()).toEqual([]);
    const undo = { type: "undo", explanation: "" } as const;
    await walk.desk.act(reference, undo, "Nadia");
    await walk.desk.act(reference, { type: "take" }, "Rahim");
    await walk.pass({ hours: 2 });
    expect(walk.teamMails()).toEqual([]);
    await walk.desk.act(reference, undo, "Rahim");
    await walk.site.rounds.runOnce();
    expect(await walk.said("started", { id: walk.idOf() })).toBe("in-progress");
  });
});
