import { describe, expect, test } from "vitest";
import { createReconciliation } from "../../server/account-system/reconciliation.ts";
import { byOperator } from "../../server/deletion-requests/service.fixture.ts";
import type { Act } from "../../server/deletion-requests/state-machine/state-machine.ts";
import { readToday } from "../../server/operator-desk/desk-queries.ts";
import { undoMinutes } from "../../server/periods.ts";
import type { Text } from "../../server/platform/i18n/texts.ts";
import { walk, walkForEachTest, walkOtherwise } from "../harness/account-walk.ts";
import { campus, say } from "../harness/campus.ts";

/**
 * A hold ends on its date, or when the party that set the hold releases it, even after an outage.
 */

walkForEachTest();

const isDigest = ({ subject = "" }: { subject?: string | undefined }) =>
  subject.startsWith(String(campus.mail["operator-digest"].subject).split("{")[0] ?? "");

const until = Temporal.PlainDate.from("2026-11-25");
const does = (reference: string, act: Act) => byOperator(walk.site.foundation, reference, act);
const hold = (reference: string) =>
  does(reference, { type: "hold", reason: "legal-hold", until, explanation: "" });

describe("an operator's hold", () => {
  test("blocks the account system's answers until an operator releases the hold", async () => {
    const { email, reference } = await walk.confirmed("anika");
    await hold(reference);
    await walk.said("failed", { id: walk.idOf(), reason: "The table is locked.", again: true });
    await walk.site.rounds.runOnce();
    expect(walk.receiver.newest("held").event.data).toEqual({
      id: walk.idOf(),
      reference,
      test: false,
      until: "2026-11-25",
    });
    await walk.pass({ minutes: undoMinutes });
    const countEmails = () => walk.mail.received.filter(({ to }) => to.includes(email)).length;
    const before = countEmails();
    expect(await walk.say("started", { id: walk.idOf() })).toMatchObject({
      status: 409,
      body: { state: "confirmed", because: "held" },
    });
    await walk.pass({ hours: 48 });
    expect(await walk.desk.find(reference)).toMatchObject({
      state: "confirmed",
      hold: { by: "operator", reason: "legal-hold" },
    });
    expect(walk.heard()).toEqual(["requested", "held"]);
    expect(countEmails()).toBe(before);

    const handOver = await walk.desk.act(reference, { type: "hand-over" }, "Nadia");
    expect(handOver).toMatchObject({ refusal: "held" });
    await does(reference, { type: "release" });
    await walk.site.rounds.runOnce();
    expect(walk.heard()).toEqual(["requested", "held", "requested"]);
    await walk.said("started", { id: walk.idOf() });
  });

  test("alerts the team if the account of a held request is already deleted", async () => {
    const { reference, answer } = await walk.begun("anika");
    await hold(reference);
    for (let time = 0; time < 2; time++) {
      expect(await walk.forbidden("completed", answer)).toBe("held");
    }
    await walk.site.rounds.runOnce();
    const { subject } = campus.mail["operator-deleted-held"];
    const emails = walk.mail.received.filter(
      ({ mail }) => mail.subject === say(subject, { reference }),
    );
    expect(emails).toHaveLength(1);
    const today = () => readToday(walk.site.foundation);
    expect(await today()).toMatchObject({ deletedHeld: [{ reference }], queue: [] });

    await does(reference, { type: "release" });
    await walk.site.rounds.runOnce();
    expect(walk.receiver.newest("requested").event.data).toMatchObject({ begun: true });
    expect(await today()).toMatchObject({ deletedHeld: [], queue: [{ reference }] });
    await walk.said("completed", answer);
  });

  test("shows the operator's explanation of a hold despite a dry-run answer", async () => {
    await walkOtherwise((receiver) => receiver.config("dry-run"));
    const { email, reference } = await walk.confirmed("anika");
    const explanation = "The police asked us to wait.";
    await does(reference, { type: "hold", reason: "legal-hold", until, explanation });
    await walk.said("blocked", { id: walk.idOf(), reason: "dues", until: "2026-11-23" });
    await walk.pass({ minutes: undoMinutes });
    const shown = await walk.site.ask(await walk.visitOf(await walk.linkTo(email)));
    expect(await shown.text()).toContain(explanation);
  });

  test("doesn't hand over a held request when an account system is connected later", async () => {
    await walkOtherwise(() => ({ mode: "off" }));
    const { reference } = await walk.confirmed("anika");
    await hold(reference);
    await createReconciliation({ ...walk.site.foundation, mode: "live" })();
    expect(await walk.site.kysely.selectFrom("hand_overs").selectAll().execute()).toEqual([]);
  });
});

describe('a "blocked" answer', () => {
  test("puts the request on hold until the date in the answer", async () => {
    const { email, reference } = await walk.confirmed("anika");
    await walk.say("blocked", { id: walk.idOf(), reason: "open-ride", until: "2026-11-22" });
    await walk.pass({ hours: 24 });
    expect(walk.heard()).toEqual(["requested"]);
    await walk.pass({ hours: 24 });
    expect(walk.heard()).toEqual(["requested", "requested"]);
    expect(await walk.desk.find(reference)).toMatchObject({ hold: undefined });
    const emails = walk.mail.received.filter(({ to }) => to.includes(email));
    expect(emails.at(-1)?.mail.subject).toContain("carrying on");
    const digest = walk.mail.received.findLast(({ mail }) => isDigest(mail));
    expect(digest?.mail.text).toMatch(
      new RegExp(`The hold on these requests has ended: [^.]*${reference}`),
    );
    await walk.said("started", { id: walk.idOf() });
  });

  test("rejects a hold that ends in the past or too far ahead", async () => {
    await walk.confirmed("anika");
    for (const until of ["2026-11-20", "2027-11-20"]) {
      const blocked = { id: walk.idOf(), reason: "dues", until };
      const { status, body } = await walk.say("blocked", blocked);
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ pointer: "/data/until", detail: expect.any(String) }]);
    }
  });
});

test('accepts a repeated "started" answer', async () => {
  const { reference } = await walk.begun("anika");
  const events = async () => (await walk.desk.readDetail(reference))?.events.length;
  const before = await events();
  expect(await walk.said("started", { id: walk.idOf() })).toBe("in-progress");
  expect(await events()).toBe(before);
  await walk.pass({ hours: 21 });
  await walk.said("started", { id: walk.idOf() });
  await walk.pass({ hours: 2 });
  expect(walk.heard()).toEqual(["requested", "reminder"]);
  expect(walk.teamMails()).toEqual([]);
});

test("reports an account system outage but no mail outage", async () => {
  walk.receiver.answer = (_, response) => response.writeHead(500).end();
  await walk.confirmed("anika");
  await walk.pass({ hours: 24 }, 2);
  const { text = "" } = walk.mail.received.findLast(({ mail }) => isDigest(mail))?.mail ?? {};
  const digest = text.replaceAll(/\s+/g, " ");
  const words = campus.mail["operator-digest"];
  const before = (text: Text) => String(text).split("{")[0]?.trim() ?? "";
  expect(digest).toContain(before(words.silent));
  expect(digest).not.toContain(before(words.waiting));
  expect(digest).toContain("attention: 0");
  const health = (await (await walk.site.ask("/healthz")).json()) as { problems: string[] };
  expect(health.problems).toEqual([
    "The account system gets no events, or has not answered for more than an hour.",
  ]);
});

test("queues one event per request during an outage", async () => {
  walk.receiver.answer = (_, response) => response.writeHead(500).end();
  const { reference } = await walk.confirmed("anika");
  await walk.pass({ hours: 24 }, 4);
  expect(walk.receiver.newest("requested", reference)).toBeDefined();
  const waiting = (await walk.events()).filter((event) => event.settled_at === null);
  expect(waiting).toHaveLength(1);
  const { out } = await walk.command("check");
  expect(out).toMatch(/unsent event has been waiting since .*: answered with an error \(500\)\./);
});

test("honors the account system's Retry-After header", async () => {
  let calls = 0;
  walk.receiver.intercept = (_, response) => {
    calls++;
    response.writeHead(calls === 1 ? 429 : 200, { "Retry-After": "7200" }).end();
  };
  await walk.confirmed("anika");
  await walk.pass({ minutes: 119 });
  expect(calls).toBe(1);
  await walk.pass({ minutes: 2 });
  expect(calls).toBe(2);
});
