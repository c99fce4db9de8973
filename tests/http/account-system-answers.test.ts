import { beforeEach, describe, expect, test } from "vitest";
import { createSecret } from "../../server/account-system/account-system.fixture.ts";
import { type ProblemCode, toProblem } from "../../server/account-system/contract/problems.ts";
import { countRechecked } from "../../server/account-system/deletion-jobs.ts";
import { sampleCompletion } from "../../server/deletion-requests/mails/receipt-mail.ts";
import { byOperator, bySystem, firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { isEnded } from "../../server/deletion-requests/state-machine/request.ts";
import {
  type AccountScenario,
  fetchesEvents,
  replaceScenario,
  scenario,
  scenarioForEachTest,
} from "../harness/account-scenario.ts";
import { campus, say } from "../harness/campus.ts";

scenarioForEachTest();

const rechecks = () =>
  scenario.receiver.received.filter(({ event }) => event.type.endsWith("recheck"));

/** Serializes every row that a call could change. */
async function everything(): Promise<string> {
  const { kysely } = scenario.site;
  const tables = ["requests", "request_events", "outbox", "hand_overs", "account_calls"] as const;
  const rows = await Promise.all(
    tables.map((table) => kysely.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows);
}

test('sends the receipt and erases the email address ten minutes after "completed"', async () => {
  const { email, reference } = await scenario.confirmed("anika");
  expect(await scenario.answer("started", { id: scenario.idOf() })).toMatchObject({
    status: 200,
    body: { state: "in-progress", test: false },
  });
  expect(await scenario.accepted("completed", scenario.deleted())).toBe("in-progress");
  const before = scenario.mailsTo(email).length;
  await scenario.pass({ minutes: 9 });
  expect(scenario.mailsTo(email)).toHaveLength(before);
  await scenario.pass({ minutes: 2 });
  // The completion makes the "started" email obsolete.
  const [receipt, ...otherEmails] = scenario.mailsTo(email).slice(before);
  expect(otherEmails).toEqual([]);
  expect(receipt?.mail.subject).toContain("Done");
  // The receipt includes the account system's results.
  const lastLine = scenario.deleted().lines.at(-1);
  const request = await scenario.desk.find(reference);
  expect(request).toMatchObject({ completion: { accountId: "u-17", backupsGoneBy: "2026-12-21" } });
  expect(request && isEnded(request) && request.completion?.lines).toContainEqual(lastLine);
  await scenario.site.rounds.runOnce();
  expect(await scenario.state(reference)).toBe("completed");
  expect((await scenario.site.stored())[0]?.email).toBe("");
  const { requests } = await scenario.site.services.operatorDesk.takeSubject(reference, "Nadia");
  const history = requests[0]?.trail.map(({ who, what }) => `${who} ${what}`).slice(2);
  expect(history).toEqual(["system take", "system complete", "clock completed", "clock erase"]);
  expect(scenario.receiver.received).toHaveLength(1);
});

test("lets an operator undo a mistaken completion within ten minutes", async () => {
  const { email, reference } = await scenario.started("anika");
  await scenario.answer("completed", scenario.deleted());
  expect(await scenario.refused("completed", scenario.deleted())).toBe("already-done");
  await scenario.pass({ minutes: 5 });
  expect(
    await scenario.desk.act(reference, { type: "undo", explanation: "" }, "Nadia"),
  ).toMatchObject({
    kind: "done",
  });
  expect(await scenario.refused("completed", scenario.deleted())).toBe("already-taken");
  await scenario.pass({ minutes: 24 * 60 });
  expect(await scenario.desk.find(reference)).toMatchObject({
    state: "in-progress",
    done: undefined,
  });
  expect(scenario.mailsTo(email).map(({ mail }) => mail.subject)).toEqual([
    expect.stringMatching(/^Confirm/),
    expect.stringMatching(/^We'll delete/),
    expect.stringMatching(/started/),
  ]);
  expect(scenario.receiver.received).toHaveLength(1);
});

test('refuses the request as "no-account" after a "not-found" answer', async () => {
  const { reference } = await scenario.confirmed("anika");
  expect(await scenario.accepted("not-found", { id: scenario.idOf() })).toBe("refused");
  expect(await scenario.desk.find(reference)).toMatchObject({ refusalReason: "no-account" });
});

test('rejects "not-found" after "started"', async () => {
  const { reference } = await scenario.started("anika");
  expect(await scenario.refused("not-found", { id: scenario.idOf() })).toBe("begun");
  const nothing = scenario.deleted().lines.map((line) => ({ ...line, outcome: "none", count: 0 }));
  const { status, body } = await scenario.answer("completed", {
    ...scenario.deleted(),
    lines: nothing,
  });
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([{ detail: expect.stringContaining("list what you deleted") }]);
  expect(await scenario.accepted("completed", scenario.deleted())).toBe("in-progress");
  expect(await scenario.desk.find(reference)).toMatchObject({ state: "in-progress" });
});

test.each([
  ["blocked", { reason: "open-ride", until: "2026-11-24" }],
  ["failed", { reason: "The ride table is locked.", again: true }],
] as const)('rejects "completed" after "%s"', async (type, data) => {
  await scenario.started("anika");
  await scenario.accepted(type, { id: scenario.idOf(), ...data });
  expect(await scenario.refused("completed", scenario.deleted())).toBe(type);
});

test('emails the requester once when the account system answers "blocked" twice', async () => {
  const { email, reference } = await scenario.confirmed("anika");
  const blocked = { id: scenario.idOf(), reason: "open-ride", until: "2026-11-24" };
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await scenario.accepted("blocked", blocked)).toBe("confirmed");
  }
  expect(await scenario.desk.find(reference)).toMatchObject({ hold: { reason: "open-ride" } });
  const before = scenario.mail.received.length;
  await scenario.site.rounds.runOnce();
  const emails = scenario.mail.received.slice(before).filter(({ to }) => to.includes(email));
  expect(emails).toHaveLength(1);
  expect(await scenario.accepted("started", { id: scenario.idOf() })).toBe("in-progress");
  expect(await scenario.desk.find(reference)).toMatchObject({ hold: undefined });
  await scenario.accepted("completed", scenario.deleted());
});

test('rejects an incomplete or invalid "completed" answer', async () => {
  await scenario.started("anika");
  const [first, ...rest] = scenario.deleted().lines;
  const stranger = { store: "cellar", kind: "wine", outcome: "deleted" };
  const { status, body } = await scenario.answer("completed", {
    ...scenario.deleted(),
    lines: [...rest, stranger],
  });
  expect(status).toBe(422);
  expect(body.errors).toEqual([
    { pointer: `/data/lines/${rest.length}`, detail: "cellar/wine is not in the campus's list." },
    {
      pointer: "/data/lines",
      detail: `${first?.store}/${first?.kind} is not told of: was it deleted, none, or kept?`,
    },
  ]);
  const [recipient] = scenario.deleted().told;
  const unnotified = await scenario.answer("completed", { ...scenario.deleted(), told: [] });
  expect(unnotified.body.errors).toEqual([
    {
      pointer: "/data/told",
      detail: `${recipient} is missing: tell it that the account is gone, then say so.`,
    },
  ]);
  for (const count of [0, -1, 1.5, 1e30]) {
    const lines = [{ ...first, count }, ...rest];
    expect(
      await scenario.answer("completed", { ...scenario.deleted(), lines }),
      `${count}`,
    ).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/data/lines/0/count" }] },
    });
  }
  await scenario.accepted("completed", scenario.deleted());
});

describe('a "failed" answer', () => {
  test("resends the event an hour after a retryable failure", async () => {
    await scenario.started("anika");
    const answer = { id: scenario.idOf(), reason: "The ride table is locked.", again: true };
    await scenario.accepted("failed", answer);
    expect(await scenario.refused("completed", scenario.deleted())).toBe("failed");
    await scenario.pass({ minutes: 59 });
    expect(scenario.receiver.received).toHaveLength(1);
    await scenario.pass({ minutes: 2 });
    expect(scenario.receiver.received).toHaveLength(2);
    await scenario.accepted("started", { id: scenario.idOf() });
    await scenario.accepted("completed", scenario.deleted());
  });

  test("alerts the operators to a final failure", async () => {
    const { reference } = await scenario.confirmed("anika");
    await scenario.answer("failed", {
      id: scenario.idOf(),
      reason: "Two accounts share it.",
      again: false,
    });
    await scenario.site.rounds.runOnce();
    expect(scenario.teamMails().at(-1)?.mail.text).toContain(reference);
    const story = await scenario.desk.readDetail(reference);
    expect(story?.events.at(-1)).toMatchObject({
      type: "failed",
      actor: "system",
      note: "Two accounts share it.",
    });
    await scenario.desk.act(reference, { type: "take" }, "Nadia");
    expect(await scenario.refused("started", { id: scenario.idOf() })).toBe("already-taken");
  });
});

test.each([
  { type: "cancel" },
  { type: "refuse", reason: "open-matter", explanation: "" },
] as const)("alerts the team once to a deletion after an operator's $type", async (act) => {
  const { reference, answer } = await scenario.started("anika");
  await byOperator(scenario.site.foundation, reference, act);
  for (let time = 0; time < 2; time++) {
    expect(await scenario.refused("completed", answer)).toBe("already-ended");
    await scenario.pass({ hours: 24 });
  }
  const { subject } = campus.mail["operator-deleted-held"].ended;
  const emails = scenario.mail.received.filter(
    ({ mail }) => mail.subject === say(subject, { reference }),
  );
  expect(emails).toHaveLength(1);
  const events = (await scenario.desk.readDetail(reference))?.events ?? [];
  expect(events.filter(({ type }) => type === "deleted-ended")).toHaveLength(1);
});

test('repeats a recheck nightly until the account system answers "completed"', async () => {
  const { reference, answer } = await scenario.started("anika");
  await scenario.answer("completed", answer);
  await scenario.pass({ minutes: 11 });
  await scenario.site.rounds.runOnce();
  expect((await scenario.site.stored())[0]?.email).toBe("");

  const outcome = await scenario.command("recheck", "--as", "Nadia");
  expect(outcome).toMatchObject({
    code: 0,
    out: "We are asking the account system about 1 deletion that it did itself.\nNothing was deleted by hand.\n",
  });
  await scenario.site.rounds.runOnce();
  expect(scenario.receiver.newest("recheck").event.data).toMatchObject({
    id: scenario.idOf(),
    reference,
    accountId: "u-17",
  });
  const unanswered = () => countRechecked(scenario.site.foundation.database.read);
  // Without an answer, the site repeats the recheck nightly and emails the operators.
  const before = scenario.teamMails().length;
  await scenario.pass({ hours: 24 });
  expect(rechecks()).toHaveLength(2);
  const emails = scenario.teamMails().slice(before);
  expect(emails.some(({ mail }) => mail.text?.includes(reference))).toBe(true);
  // The account system may answer "started" first.
  await scenario.accepted("started", { id: scenario.idOf() });
  expect(await scenario.refused("standing", { ...answer, state: "open" })).toBe("already-ended");
  const kept = { outcome: "kept", reason: "legal-duty", until: "2026-12-31" };
  const allKept = answer.lines.map(({ store, kind }) => ({ store, kind, ...kept }));
  await scenario.accepted("completed", { ...answer, lines: allKept });
  expect(await unanswered()).toBe(1);
  // The timeline of an erased request has no notes, so the site drops this reason.
  const reason = "The row of anika@uni.example is locked.";
  await scenario.accepted("failed", { id: scenario.idOf(), reason, again: false });
  expect(
    (await scenario.desk.readDetail(reference))?.events.filter(({ note }) => note !== ""),
  ).toEqual([]);
  expect(await scenario.accepted("completed", answer)).toBe("completed");
  expect(await unanswered()).toBe(0);
  expect(await scenario.answer("completed", answer)).toMatchObject({ status: 409 });
  const story = await scenario.desk.readDetail(reference);
  expect(story?.events.at(-1)).toMatchObject({ type: "recheck", code: "completed" });
});

test("rechecks only deletions with an account id", async () => {
  const byHand = await scenario.confirmed("kabir");
  await scenario.desk.act(byHand.reference, firstTick, "Nadia");
  await bySystem(scenario.site.foundation, byHand.reference, {
    type: "complete",
    completion: sampleCompletion,
  });
  const { answer } = await scenario.started("anika");
  await scenario.answer("completed", answer);
  // Without an account id, the site can't recheck a deletion.
  await scenario.confirmed("farah");
  const { accountId: _, ...nameless } = scenario.deleted();
  await scenario.answer("started", { id: scenario.idOf() });
  await scenario.answer("completed", nameless);
  await scenario.pass({ minutes: 11 });

  const outcome = await scenario.command("recheck", "--as", "Nadia");
  expect(outcome.code).toBe(3);
  expect(outcome.out).toContain("asking the account system about 1 deletion that it did itself");
  expect(outcome.out).toContain("2 deletions were done by hand or without an account number");
  await scenario.site.rounds.runOnce();
  expect(rechecks().map(({ event }) => event.data.id)).toEqual([answer.id]);
});

test("stops resending an event once the account system has answered", async () => {
  scenario.receiver.answer = (_, response) => response.writeHead(500).end();
  await scenario.started("anika");
  await scenario.pass({ hours: 1 });
  expect(scenario.receiver.received).toHaveLength(1);
});

describe("the account system's webhook", () => {
  type Call = Parameters<AccountScenario["call"]>[0];
  const signed = (answer: unknown, change: { id?: string; secret?: string } = {}) =>
    scenario.receiver.sign(answer, scenario.site.clock(), change);
  const started = (id = scenario.idOf()) => ({ type: "account.deletion.started", data: { id } });
  const changed = (header: string, make: (value: string) => string): Call => {
    const call = signed(started());
    return { ...call, headers: { ...call.headers, [header]: make(call.headers[header] ?? "") } };
  };
  const signedBy = (secret: string) => signed(started(), { secret });
  const says = (type: string, data: object) => signed({ type: `account.deletion.${type}`, data });
  const without = (header: string) => changed(header, () => "");
  const at = (minutes: number) =>
    scenario.receiver.sign(started(), scenario.site.clock().add({ minutes }));
  const neverGiven = () => ({ id: scenario.idOf(), item: "other" });
  const fetching = { headers: { Authorization: "Bearer x" }, method: "GET" };

  /** Invalid calls with their expected problem codes, keyed by fault. */
  const bad: Record<string, [code: ProblemCode, make: () => Call]> = {
    "no signature": ["unsigned", () => without("webhook-signature")],
    "no id": ["unsigned", () => without("webhook-id")],
    "no time": ["unsigned", () => without("webhook-timestamp")],
    "another secret": ["badly-signed", () => signedBy(createSecret())],
    "the site's own secret": ["badly-signed", () => signedBy(scenario.receiver.secret)],
    "a changed body": [
      "badly-signed",
      () => ({ ...signed(started()), body: JSON.stringify(started("del_other")) }),
    ],
    "a changed time": [
      "badly-signed",
      () => changed("webhook-timestamp", (time) => String(Number(time) + 60)),
    ],
    "six minutes old": ["stale", () => at(-6)],
    "from the future": ["stale", () => at(6)],
    oversized: ["too-large", () => signed({ ...started(), padding: "x".repeat(70_000) })],
    "another content type": ["not-json", () => changed("Content-Type", () => "text/plain")],
    "malformed JSON": ["malformed", () => signed("{")],
    "JSON without an object": ["incomplete", () => signed("null")],
    "another method": ["wrong-method", () => ({ ...signed(started()), method: "PUT" })],
    "an item that was never fetched": ["incomplete", () => says("received", neverGiven())],
    "an unknown type": ["unknown-type", () => signed({ type: "user.signed-up", data: {} })],
    "an unknown request": ["unknown-request", () => signed(started("del_unknown"))],
    "completed before started": ["not-now", () => says("completed", scenario.deleted())],
    "a fetch although events are sent": ["not-fetched", () => fetching],
  };

  test("`check` reports wrongly signed calls until one is accepted", async () => {
    await scenario.confirmed("anika");
    const reports = async () => {
      await scenario.site.rounds.runOnce();
      const { out } = await scenario.command("check");
      return out?.includes("with a wrong signature, time or token") ?? false;
    };
    expect(await reports()).toBe(false);
    expect((await scenario.call(signedBy(createSecret()))).status).toBe(401);
    expect(await reports()).toBe(true);
    await scenario.pass({ minutes: 1 });
    await scenario.accepted("started", { id: scenario.idOf() });
    expect(await reports()).toBe(false);
  });

  const statusOf = (code: ProblemCode) => toProblem("", code).status;

  test("rejects each invalid call with problem details and no side effects", async () => {
    await scenario.confirmed("anika");
    const before = await everything();
    for (const [what, [code, make]] of Object.entries(bad)) {
      const status = statusOf(code);
      scenario.site.logLines.length = 0;
      const { status: answered, body, headers } = await scenario.call(make());
      expect({ answered, type: body.type }, what).toEqual({
        answered: status,
        type: `${scenario.site.publicUrl}/hooks/account-system#${code}`,
      });
      expect(headers.get("content-type"), what).toBe("application/problem+json");
      // Every 422 names the place of each mistake.
      const pointed = { pointer: expect.any(String), detail: expect.any(String) };
      if (status === 422) expect(body.errors, what).toEqual([pointed]);
      expect(body, what).toMatchObject({ status, title: expect.stringMatching(/\.$/) });
      expect(await everything(), what).toBe(before);
      const lines = scenario.site.logLines.map((line) => JSON.parse(line));
      const refusals = lines.filter((line) => line.problem !== undefined);
      expect(refusals, what).toMatchObject([{ event: "security", problem: code }]);
      expect(scenario.site.logLines.join(""), what).not.toMatch(/anika|rahman|uni\.example|whsec_/);
    }
    expect(scenario.site.faults).toEqual([]);

    await scenario.site.rounds.runOnce();
    const refusalRows = await scenario.site.kysely.selectFrom("refusals").selectAll().execute();
    expect(refusalRows).toMatchObject([
      {
        way: "signature",
        count: Object.values(bad).filter(([code]) => statusOf(code) === 401).length,
      },
    ]);
  });

  test("explains that the timestamp must be in seconds", async () => {
    await scenario.confirmed("anika");
    const inMs = changed("webhook-timestamp", (time) => `${time}000`);
    expect((await scenario.call(inMs)).body).toMatchObject({
      detail: expect.stringMatching(/^webhook-timestamp must be whole seconds/),
    });
  });

  test("rate-limits one client without affecting other clients", async () => {
    await scenario.confirmed("anika");
    scenario.site.services.budget.spendWork("203.0.113.7", 10_000_000);
    const { status, headers } = await scenario.call({ headers: {} });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await scenario.site.ask("/hooks/account-system", {
      method: "POST",
      from: "198.51.100.9",
      ...signed(started()),
    });
    expect(other.status).toBe(200);
  });
});

describe("polling for events", () => {
  beforeEach(() => replaceScenario(fetchesEvents));

  test("leases fetched events for ten minutes", async () => {
    const { email, reference } = await scenario.confirmed("anika");
    const { items, leasedUntil } = await scenario.fetchEvents();
    const [item] = items;
    expect(item?.event).toMatchObject({
      type: "account.deletion.requested",
      data: { reference, address: email, test: false },
    });
    expect(leasedUntil).toBe("2026-11-21T04:10:00Z");
    expect((await scenario.fetchEvents()).items).toEqual([]);
    scenario.site.wait({ minutes: 10 });
    expect(await scenario.fetchEvents()).toMatchObject({ items: [{ id: item?.id }] });
  });

  test("doesn't return an acknowledged cancellation again", async () => {
    const { email } = await scenario.confirmed("anika");
    await scenario.fetchEvents();
    await scenario.press("cancel", await scenario.linkTo(email));
    const [item] = (await scenario.fetchEvents()).items;
    expect(item?.event.type).toBe("account.deletion.cancelled");
    const received = { id: item?.event.data.id, item: item?.id };
    await scenario.accepted("received", received);
    scenario.site.wait({ hours: 1 });
    expect((await scenario.fetchEvents()).items).toEqual([]);
  });

  test("returns no more events than the limit parameter allows", async () => {
    for (const name of ["anika", "bela", "chitra"]) await scenario.confirmed(name);
    expect((await scenario.fetchEvents("?limit=0")).items).toEqual([]);
    expect((await scenario.fetchEvents("?limit=2")).items).toHaveLength(2);
    expect((await scenario.fetchEvents("?limit=2")).items).toHaveLength(1);
  });

  test.each([
    ["no token", {}],
    ["another token", { Authorization: `Bearer ${"x".repeat(40)}` }],
  ] as [string, Record<string, string>][])("rejects polling with %s", async (_, headers) => {
    await scenario.confirmed("anika");
    const { status, body } = await scenario.call({ method: "GET", headers });
    expect(status).toBe(401);
    expect(body.type).toMatch(/#wrong-token$/);
  });
});

test("serves no webhook if no account system is configured", async () => {
  await replaceScenario(() => ({ mode: "off" }));
  const { reference } = await scenario.confirmed("anika");
  expect(scenario.receiver.received).toEqual([]);
  const response = await scenario.site.ask("/hooks/account-system", { method: "POST" });
  expect(response.status).toBe(405);
  expect((await scenario.site.ask("/hooks/account-system")).status).toBe(404);
  expect(await scenario.state(reference)).toBe("confirmed");
});
