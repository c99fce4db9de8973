import { describe, expect, test } from "vitest";
import { createReconciliation } from "../../server/account-system/reconciliation.ts";
import { byOperator } from "../../server/deletion-requests/service.fixture.ts";
import type { Act } from "../../server/deletion-requests/state-machine/state-machine.ts";
import { readToday } from "../../server/operator-desk/desk-queries.ts";
import { undoMinutes } from "../../server/periods.ts";
import type { Text } from "../../server/platform/i18n/texts.ts";
import { replaceScenario, scenario, scenarioForEachTest } from "../harness/account-scenario.ts";
import { campus, say } from "../harness/campus.ts";

/**
 * A hold ends on its date, or when the party that set the hold releases it, even after an outage.
 */

scenarioForEachTest();

const isDigest = ({ subject = "" }: { subject?: string | undefined }) =>
  subject.startsWith(String(campus.mail["operator-digest"].subject).split("{")[0] ?? "");

const until = Temporal.PlainDate.from("2026-11-25");
const applyAct = (reference: string, act: Act) =>
  byOperator(scenario.site.foundation, reference, act);
const hold = (reference: string) =>
  applyAct(reference, { type: "hold", reason: "legal-hold", until, explanation: "" });

describe("an operator's hold", () => {
  test("blocks the account system's answers until an operator releases the hold", async () => {
    const { email, reference } = await scenario.confirmed("anika");
    await hold(reference);
    await scenario.accepted("failed", {
      id: scenario.idOf(),
      reason: "The table is locked.",
      again: true,
    });
    await scenario.site.rounds.runOnce();
    expect(scenario.receiver.newest("held").event.data).toEqual({
      id: scenario.idOf(),
      reference,
      test: false,
      until: "2026-11-25",
    });
    await scenario.pass({ minutes: undoMinutes });
    const countEmails = () => scenario.mail.received.filter(({ to }) => to.includes(email)).length;
    const before = countEmails();
    expect(await scenario.answer("started", { id: scenario.idOf() })).toMatchObject({
      status: 409,
      body: { state: "confirmed", because: "held" },
    });
    await scenario.pass({ hours: 48 });
    expect(await scenario.desk.find(reference)).toMatchObject({
      state: "confirmed",
      hold: { by: "operator", reason: "legal-hold" },
    });
    expect(scenario.receivedTypes()).toEqual(["requested", "held"]);
    expect(countEmails()).toBe(before);

    const handOver = await scenario.desk.act(reference, { type: "hand-over" }, "Nadia");
    expect(handOver).toMatchObject({ refusal: "held" });
    await applyAct(reference, { type: "release" });
    await scenario.site.rounds.runOnce();
    expect(scenario.receivedTypes()).toEqual(["requested", "held", "requested"]);
    await scenario.accepted("started", { id: scenario.idOf() });
  });

  test("alerts the team if the account of a held request is already deleted", async () => {
    const { reference, answer } = await scenario.started("anika");
    await hold(reference);
    for (let time = 0; time < 2; time++) {
      expect(await scenario.refused("completed", answer)).toBe("held");
    }
    await scenario.site.rounds.runOnce();
    const { subject } = campus.mail["operator-deleted-held"];
    const emails = scenario.mail.received.filter(
      ({ mail }) => mail.subject === say(subject, { reference }),
    );
    expect(emails).toHaveLength(1);
    const today = () => readToday(scenario.site.foundation);
    expect(await today()).toMatchObject({ deletedHeld: [{ reference }], queue: [] });

    await applyAct(reference, { type: "release" });
    await scenario.site.rounds.runOnce();
    expect(scenario.receiver.newest("requested").event.data).toMatchObject({ begun: true });
    expect(await today()).toMatchObject({ deletedHeld: [], queue: [{ reference }] });
    await scenario.accepted("completed", answer);
  });

  test("shows the operator's explanation of a hold despite a dry-run answer", async () => {
    await replaceScenario((receiver) => receiver.config("dry-run"));
    const { email, reference } = await scenario.confirmed("anika");
    const explanation = "The police asked us to wait.";
    await applyAct(reference, { type: "hold", reason: "legal-hold", until, explanation });
    await scenario.accepted("blocked", {
      id: scenario.idOf(),
      reason: "dues",
      until: "2026-11-23",
    });
    await scenario.pass({ minutes: undoMinutes });
    const shown = await scenario.site.ask(await scenario.visitOf(await scenario.linkTo(email)));
    expect(await shown.text()).toContain(explanation);
  });

  test("doesn't hand over a held request when an account system is connected later", async () => {
    await replaceScenario(() => ({ mode: "off" }));
    const { reference } = await scenario.confirmed("anika");
    await hold(reference);
    await createReconciliation({ ...scenario.site.foundation, mode: "live" })();
    expect(await scenario.site.kysely.selectFrom("hand_overs").selectAll().execute()).toEqual([]);
  });
});

describe('a "blocked" answer', () => {
  test("puts the request on hold until the date in the answer", async () => {
    const { email, reference } = await scenario.confirmed("anika");
    await scenario.answer("blocked", {
      id: scenario.idOf(),
      reason: "open-ride",
      until: "2026-11-22",
    });
    await scenario.pass({ hours: 24 });
    expect(scenario.receivedTypes()).toEqual(["requested"]);
    await scenario.pass({ hours: 24 });
    expect(scenario.receivedTypes()).toEqual(["requested", "requested"]);
    expect(await scenario.desk.find(reference)).toMatchObject({ hold: undefined });
    const emails = scenario.mail.received.filter(({ to }) => to.includes(email));
    expect(emails.at(-1)?.mail.subject).toContain("carrying on");
    const digest = scenario.mail.received.findLast(({ mail }) => isDigest(mail));
    expect(digest?.mail.text).toMatch(
      new RegExp(`The hold on these requests has ended: [^.]*${reference}`),
    );
    await scenario.accepted("started", { id: scenario.idOf() });
  });

  test("rejects a hold that ends in the past or too far ahead", async () => {
    await scenario.confirmed("anika");
    for (const until of ["2026-11-20", "2027-11-20"]) {
      const blocked = { id: scenario.idOf(), reason: "dues", until };
      const { status, body } = await scenario.answer("blocked", blocked);
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ pointer: "/data/until", detail: expect.any(String) }]);
    }
  });
});

test("rejects a hold beyond 45 days once it is too late to announce one", async () => {
  await scenario.confirmed("anika");
  await scenario.pass({ days: 32 });
  const { status, body } = await scenario.answer("blocked", {
    id: scenario.idOf(),
    reason: "dues",
    until: "2027-01-10",
  });
  expect([status, body]).toMatchObject([422, { errors: [{ pointer: "/data/until" }] }]);
});

test('accepts a repeated "started" answer', async () => {
  const { reference } = await scenario.started("anika");
  const events = async () => (await scenario.desk.readDetail(reference))?.events.length;
  const before = await events();
  expect(await scenario.accepted("started", { id: scenario.idOf() })).toBe("in-progress");
  expect(await events()).toBe(before);
  await scenario.pass({ hours: 21 });
  await scenario.accepted("started", { id: scenario.idOf() });
  await scenario.pass({ hours: 2 });
  expect(scenario.receivedTypes()).toEqual(["requested", "reminder"]);
  expect(scenario.teamMails()).toEqual([]);
});

test("reports an account system outage but no mail outage", async () => {
  scenario.receiver.answer = (_, response) => response.writeHead(500).end();
  await scenario.confirmed("anika");
  await scenario.pass({ hours: 24 }, 2);
  const { text = "" } = scenario.mail.received.findLast(({ mail }) => isDigest(mail))?.mail ?? {};
  const digest = text.replaceAll(/\s+/g, " ");
  const words = campus.mail["operator-digest"];
  const before = (text: Text) => String(text).split("{")[0]?.trim() ?? "";
  expect(digest).toContain(before(words.silent));
  expect(digest).not.toContain(before(words.waiting));
  expect(digest).toContain("attention: 0");
  const health = (await (await scenario.site.ask("/healthz")).json()) as { problems: string[] };
  expect(health.problems).toEqual([
    "The account system gets no events, or has not answered for more than an hour.",
  ]);
});

test("queues one event per request during an outage", async () => {
  scenario.receiver.answer = (_, response) => response.writeHead(500).end();
  const { reference } = await scenario.confirmed("anika");
  await scenario.pass({ hours: 24 }, 4);
  expect(scenario.receiver.newest("requested", reference)).toBeDefined();
  const waiting = (await scenario.events()).filter((event) => event.settled_at === null);
  expect(waiting).toHaveLength(1);
  const { out } = await scenario.command("check");
  expect(out).toMatch(/unsent event has been waiting since .*: answered with an error \(500\)\./);
});

test("honors the account system's Retry-After header", async () => {
  let calls = 0;
  scenario.receiver.intercept = (_, response) => {
    calls++;
    response.writeHead(calls === 1 ? 429 : 200, { "Retry-After": "7200" }).end();
  };
  await scenario.confirmed("anika");
  await scenario.pass({ minutes: 119 });
  expect(calls).toBe(1);
  await scenario.pass({ minutes: 2 });
  expect(calls).toBe(2);
});
