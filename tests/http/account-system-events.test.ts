import { describe, expect, test } from "vitest";
import { beginRecheck } from "../../server/account-system/outbound/queue-events.ts";
import { createReconciliation } from "../../server/account-system/reconciliation.ts";
import { runAct } from "../../server/cli/act.ts";
import { isStuck } from "../../server/deletion-requests/commands/acts.ts";
import { replaceScenario, scenario, scenarioForEachTest } from "../harness/account-scenario.ts";

scenarioForEachTest();

test('sends one "requested" event for a confirmed request', async () => {
  const { email, reference } = await scenario.confirmed("anika");
  const { event, id } = scenario.receiver.newest("requested");
  expect(scenario.receiver.received).toHaveLength(1);
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
  expect(await scenario.events()).toMatchObject([
    { state: "delivered", message_key: id, payload: "" },
  ]);
  expect(await scenario.state(reference)).toBe("confirmed");
});

test("stores no email address in an unsent event", async () => {
  scenario.receiver.intercept = (_, response) => response.writeHead(500).end();
  const { email } = await scenario.confirmed("anika");
  const [waiting] = await scenario.events();
  const payload = scenario.site.foundation.keys.unseal("outbox", waiting?.payload ?? "");
  expect(payload).toContain("account.deletion.requested");
  expect(payload).not.toContain(email);
});

test("sends a cancellation even after the requester's data is erased", async () => {
  const { email, reference } = await scenario.confirmed("anika");
  const requested = scenario.receiver.newest("requested");
  scenario.receiver.intercept = (_, response) => response.writeHead(500).end();
  await scenario.press("cancel", await scenario.linkTo(email));
  await scenario.site.rounds.runOnce();
  await scenario.site.rounds.runOnce();
  expect((await scenario.site.stored())[0]?.email).toBe("");
  scenario.receiver.intercept = undefined;
  await scenario.pass({ minutes: 1 });
  expect(scenario.receiver.newest("cancelled").event.data).toEqual({
    id: requested.event.data.id,
    reference,
    test: false,
    because: "cancelled",
  });
});

test("stops all events after a 410 response until an operator resumes them", async () => {
  let calls = 0;
  scenario.receiver.intercept = (_, response) => {
    calls++;
    response.writeHead(410).end();
  };
  const { email, reference } = await scenario.confirmed("anika");
  await scenario.confirmed("bela");
  await scenario.site.rounds.runOnce();
  expect(calls).toBe(1);
  expect(await scenario.events()).toMatchObject([
    { state: "needs-person", last_problem: "says that it is gone (410)" },
    { state: "needs-person", last_problem: expect.stringContaining("stopped") },
  ]);
  const emails = scenario.teamMails();
  expect(emails).toHaveLength(1);
  const { status, problems } = await scenario.site.services.health.status();
  expect([status, problems.join()]).toEqual([
    "degraded",
    expect.stringContaining("gets no events"),
  ]);

  const [row] = await scenario.site.services.operatorDesk.list([{ reference }]);
  expect(row?.marks.undelivered).toBe(false);
  expect((await scenario.desk.readDetail(reference))?.mails.some(isStuck)).toBe(false);
  expect(await scenario.desk.retry("Nadia")).toBe(0);
  await scenario.desk.act(reference, { type: "resend" }, "Nadia");
  await scenario.site.rounds.runOnce();
  expect(scenario.mailsTo(email)).toHaveLength(3);
  scenario.receiver.intercept = undefined;
  const shown = await scenario.command("check");
  expect(shown).toMatchObject({ out: expect.stringMatching(/We have sent nothing since/) });
  const outcome = await scenario.command("resume", "--as", "Nadia");
  expect(outcome).toMatchObject({
    code: 0,
    out: "We are sending to the account system again, starting with 2 events.\n",
  });
  await scenario.site.rounds.runOnce();
  expect(scenario.receivedTypes()).toEqual(["ping", "ping", "requested", "requested"]);
});

test.each([
  ["live", 0],
  ["dry-run", 1],
] as const)(
  "in %s mode, emails the operators about a new request %i times",
  async (mode, count) => {
    await replaceScenario((receiver) => receiver.config(mode));
    const { reference } = await scenario.confirmed("anika");
    await scenario.pass({ minutes: 11 });
    await scenario.pass({ hours: 12 });
    const emails = scenario.mail.received.filter(({ mail }) =>
      mail.text?.includes(`act take ${reference}`),
    );
    expect(emails).toHaveLength(count);
  },
);

test("records answers to a dry run without changing the request", async () => {
  await replaceScenario((receiver) => receiver.config("dry-run"));
  const { reference } = await scenario.confirmed("anika");
  const { data } = scenario.receiver.newest("requested").event;
  expect(data).toMatchObject({ reference, test: true });
  expect(await scenario.answer("started", { id: data.id })).toMatchObject({
    status: 200,
    body: { state: "confirmed", test: true },
  });
  const [first] = scenario.deleted().lines;
  await scenario.accepted("completed", scenario.deleted());
  expect(await scenario.state(reference)).toBe("confirmed");
  const found = `${first?.store}/${first?.kind} deleted 1`;
  const story = await scenario.desk.readDetail(reference);
  expect(story?.events.slice(-2)).toMatchObject([
    { type: "trial", code: "started" },
    { type: "trial", code: "completed", note: expect.stringContaining(found) },
  ]);

  await createReconciliation({ ...scenario.site.foundation, mode: "live" })();
  await scenario.site.rounds.runOnce();
  const inEarnest = scenario.receiver.newest("requested").event.data;
  expect(inEarnest).toMatchObject({ reference, test: false });
  expect(inEarnest.id).not.toBe(data.id);
});

describe("a dry run after a live phase", () => {
  /** Runs the reconciliation of a server that was restarted for a dry run, then sends events. */
  async function restartInDryRun(): Promise<void> {
    await createReconciliation({ ...scenario.site.foundation, mode: "dry-run" })();
    await scenario.site.rounds.runOnce();
  }

  test("cancels a job that has not begun and goes on with a test", async () => {
    const { reference } = await scenario.confirmed("anika");
    const { id } = scenario.receiver.newest("requested").event.data;
    await restartInDryRun();
    expect(scenario.receiver.newest("cancelled").event.data).toMatchObject({ id, test: false });
    expect(scenario.receiver.newest("requested").event.data).toMatchObject({
      reference,
      test: true,
    });
    expect(await scenario.refused("started", { id })).toBe("already-ended");
    expect(await scenario.state(reference)).toBe("confirmed");
  });

  test("lets the account system finish a job that has begun", async () => {
    const { reference, answer } = await scenario.started("anika");
    await restartInDryRun();
    expect(scenario.receivedTypes()).toEqual(["requested"]);
    await scenario.accepted("completed", answer);
    expect(await scenario.desk.find(reference)).toHaveProperty("done");
  });

  test("repeats no rechecks", async () => {
    const { answer } = await scenario.started("anika");
    await scenario.accepted("completed", answer);
    await scenario.pass({ minutes: 11 });
    await beginRecheck(scenario.site.foundation, { isLive: true, name: "Nadia" });
    await scenario.site.rounds.runOnce();
    scenario.site.wait({ hours: 21 });
    await restartInDryRun();
    expect(scenario.receivedTypes().filter((type) => type === "recheck")).toHaveLength(1);
  });
});

describe("a silent account system", () => {
  test("alerts the operators to a silent account system after an hour", async () => {
    const { reference } = await scenario.confirmed("anika");
    const { id } = scenario.receiver.newest("requested").event.data;
    const teamEmails = () => scenario.teamMails();
    await scenario.pass({ minutes: 59 });
    expect(teamEmails()).toHaveLength(0);
    await scenario.pass({ minutes: 2 });
    expect(teamEmails()).toHaveLength(1);
    expect(scenario.receivedTypes()).toEqual(["requested"]);
    await scenario.pass({ hours: 22 });
    await scenario.site.rounds.runOnce();
    expect(scenario.receivedTypes()).toEqual(["requested", "requested"]);
    expect(scenario.receiver.newest("requested").event.data.id).toBe(id);

    // The request is due on Thursday, December 3. The operators get an email on Monday; the account
    // system gets a reminder on Tuesday.
    await scenario.pass({ hours: 8 * 24 });
    expect(teamEmails()).toHaveLength(2);
    expect(teamEmails()[1]?.mail.text).toContain(reference);
    expect(scenario.receivedTypes()).not.toContain("reminder");
    await scenario.pass({ hours: 24 });
    expect(scenario.receiver.newest("reminder").event.data).toMatchObject({
      id,
      dueOn: "2026-12-03",
      businessDaysLeft: 2,
    });
    await scenario.site.rounds.runOnce();
    expect(scenario.receivedTypes().filter((type) => type === "reminder")).toHaveLength(1);
  });

  test("sends no events about a request that an operator has taken", async () => {
    scenario.receiver.intercept = (_, response) => response.writeHead(500).end();
    const { reference } = await scenario.confirmed("anika");
    await scenario.desk.act(reference, { type: "take" }, "Nadia");
    scenario.receiver.intercept = undefined;
    await scenario.pass({ hours: 24 }, 2);
    const invocation = {
      services: scenario.site.foundation,
      words: ["hand-over", reference],
      name: "Rahim",
    };
    expect(await runAct(invocation)).toMatchObject({
      code: 1,
      problem: "Nadia already has this request. Ask Nadia first.\n",
    });
    expect(scenario.receivedTypes()).toEqual([]);
    expect(scenario.teamMails()).toEqual([]);
    const undo = { type: "undo", explanation: "" } as const;
    await scenario.desk.act(reference, undo, "Nadia");
    await scenario.desk.act(reference, { type: "take" }, "Rahim");
    await scenario.pass({ hours: 2 });
    expect(scenario.teamMails()).toEqual([]);
    await scenario.desk.act(reference, undo, "Rahim");
    await scenario.site.rounds.runOnce();
    expect(await scenario.accepted("started", { id: scenario.idOf() })).toBe("in-progress");
  });
});
