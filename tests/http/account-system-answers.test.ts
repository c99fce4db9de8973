import { beforeEach, describe, expect, test } from "vitest";
import { createSecret } from "../../server/account-system/account-system.fixture.ts";
import { type ProblemCode, toProblem } from "../../server/account-system/contract/problems.ts";
import { countRechecked } from "../../server/account-system/deletion-jobs.ts";
import { sampleCompletion } from "../../server/deletion-requests/mails/receipt-mail.ts";
import { bySystem, firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { isEnded } from "../../server/deletion-requests/state-machine/request.ts";
import {
  type AccountWalk,
  fetchesEvents,
  walk,
  walkForEachTest,
  walkOtherwise,
} from "../harness/account-walk.ts";

walkForEachTest();

const rechecks = () => walk.receiver.received.filter(({ event }) => event.type.endsWith("recheck"));

/** Serializes every row that a call could change. */
async function everything(): Promise<string> {
  const { kysely } = walk.site;
  const tables = ["requests", "request_events", "outbox", "hand_overs", "account_calls"] as const;
  const rows = await Promise.all(
    tables.map((table) => kysely.selectFrom(table).selectAll().execute()),
  );
  return JSON.stringify(rows);
}

test('sends the receipt and erases the email address ten minutes after "completed"', async () => {
  const { email, reference } = await walk.confirmed("anika");
  expect(await walk.say("started", { id: walk.idOf() })).toMatchObject({
    status: 200,
    body: { state: "in-progress", test: false },
  });
  expect(await walk.said("completed", walk.deleted())).toBe("in-progress");
  const before = walk.mailsTo(email).length;
  await walk.pass({ minutes: 9 });
  expect(walk.mailsTo(email)).toHaveLength(before);
  await walk.pass({ minutes: 2 });
  // The completion makes the "started" email obsolete.
  const [receipt, ...others] = walk.mailsTo(email).slice(before);
  expect(others).toEqual([]);
  expect(receipt?.mail.subject).toContain("Done");
  // The receipt includes the account system's results.
  const lastLine = walk.deleted().lines.at(-1);
  const request = await walk.desk.find(reference);
  expect(request).toMatchObject({ completion: { accountId: "u-17", backupsGoneBy: "2026-12-21" } });
  expect(request && isEnded(request) && request.completion?.lines).toContainEqual(lastLine);
  await walk.site.rounds.runOnce();
  expect(await walk.state(reference)).toBe("completed");
  expect((await walk.site.stored())[0]?.email).toBe("");
  const { requests } = await walk.site.services.operatorDesk.takeSubject(reference, "Nadia");
  const history = requests[0]?.trail.map(({ who, what }) => `${who} ${what}`).slice(2);
  expect(history).toEqual(["system take", "system complete", "clock completed", "clock erase"]);
  expect(walk.receiver.received).toHaveLength(1);
});

test("lets an operator undo a mistaken completion within ten minutes", async () => {
  const { email, reference } = await walk.begun("anika");
  await walk.say("completed", walk.deleted());
  expect(await walk.forbidden("completed", walk.deleted())).toBe("already-done");
  await walk.pass({ minutes: 5 });
  expect(await walk.desk.act(reference, { type: "undo", explanation: "" }, "Nadia")).toMatchObject({
    kind: "done",
  });
  expect(await walk.forbidden("completed", walk.deleted())).toBe("already-taken");
  await walk.pass({ minutes: 24 * 60 });
  expect(await walk.desk.find(reference)).toMatchObject({ state: "in-progress", done: undefined });
  expect(walk.mailsTo(email).map(({ mail }) => mail.subject)).toEqual([
    expect.stringMatching(/^Confirm/),
    expect.stringMatching(/^We'll delete/),
    expect.stringMatching(/started/),
  ]);
  expect(walk.receiver.received).toHaveLength(1);
});

test('refuses the request as "no-account" after a "not-found" answer', async () => {
  const { reference } = await walk.confirmed("anika");
  expect(await walk.said("not-found", { id: walk.idOf() })).toBe("refused");
  expect(await walk.desk.find(reference)).toMatchObject({ refusalReason: "no-account" });
});

test('rejects "not-found" after "started"', async () => {
  const { reference } = await walk.begun("anika");
  expect(await walk.forbidden("not-found", { id: walk.idOf() })).toBe("begun");
  const nothing = walk.deleted().lines.map((line) => ({ ...line, outcome: "none", count: 0 }));
  const { status, body } = await walk.say("completed", { ...walk.deleted(), lines: nothing });
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([{ detail: expect.stringContaining("list what you deleted") }]);
  expect(await walk.said("completed", walk.deleted())).toBe("in-progress");
  expect(await walk.desk.find(reference)).toMatchObject({ state: "in-progress" });
});

test.each([
  ["blocked", { reason: "open-ride", until: "2026-11-24" }],
  ["failed", { reason: "The ride table is locked.", again: true }],
] as const)('rejects "completed" after "%s"', async (type, said) => {
  await walk.begun("anika");
  await walk.said(type, { id: walk.idOf(), ...said });
  expect(await walk.forbidden("completed", walk.deleted())).toBe(type);
});

test('emails the requester once when the account system answers "blocked" twice', async () => {
  const { email, reference } = await walk.confirmed("anika");
  const blocked = { id: walk.idOf(), reason: "open-ride", until: "2026-11-24" };
  for (let said = 0; said < 2; said++) {
    expect(await walk.said("blocked", blocked)).toBe("confirmed");
  }
  expect(await walk.desk.find(reference)).toMatchObject({ hold: { reason: "open-ride" } });
  const before = walk.mail.received.length;
  await walk.site.rounds.runOnce();
  const emails = walk.mail.received.slice(before).filter(({ to }) => to.includes(email));
  expect(emails).toHaveLength(1);
  expect(await walk.said("started", { id: walk.idOf() })).toBe("in-progress");
  expect(await walk.desk.find(reference)).toMatchObject({ hold: undefined });
  await walk.said("completed", walk.deleted());
});

test('rejects an incomplete or invalid "completed" answer', async () => {
  await walk.begun("anika");
  const [first, ...rest] = walk.deleted().lines;
  const stranger = { store: "cellar", kind: "wine", outcome: "deleted" };
  const { status, body } = await walk.say("completed", {
    ...walk.deleted(),
    lines: [...rest, stranger],
  });
  expect(status).toBe(422);
  expect(body.errors).toEqual([
    { pointer: "/data/lines", detail: "cellar/wine is not in the campus's list." },
    {
      pointer: "/data/lines",
      detail: `${first?.store}/${first?.kind} is not told of: was it deleted, none, or kept?`,
    },
  ]);
  const [recipient] = walk.deleted().told;
  const unnotified = await walk.say("completed", { ...walk.deleted(), told: [] });
  expect(unnotified.body.errors).toEqual([
    {
      pointer: "/data/told",
      detail: `${recipient} is missing: tell it that the account is gone, then say so.`,
    },
  ]);
  for (const count of [0, -1, 1.5, 1e30]) {
    const lines = [{ ...first, count }, ...rest];
    expect(await walk.say("completed", { ...walk.deleted(), lines }), `${count}`).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/data/lines/0/count" }] },
    });
  }
  await walk.said("completed", walk.deleted());
});

describe('a "failed" answer', () => {
  test("resends the event an hour after a retryable failure", async () => {
    await walk.begun("anika");
    const answer = { id: walk.idOf(), reason: "The ride table is locked.", again: true };
    await walk.said("failed", answer);
    expect(await walk.forbidden("completed", walk.deleted())).toBe("failed");
    await walk.pass({ minutes: 59 });
    expect(walk.receiver.received).toHaveLength(1);
    await walk.pass({ minutes: 2 });
    expect(walk.receiver.received).toHaveLength(2);
    await walk.said("started", { id: walk.idOf() });
    await walk.said("completed", walk.deleted());
  });

  test("alerts the operators to a final failure", async () => {
    const { reference } = await walk.confirmed("anika");
    await walk.say("failed", { id: walk.idOf(), reason: "Two accounts share it.", again: false });
    await walk.site.rounds.runOnce();
    expect(walk.teamMails().at(-1)?.mail.text).toContain(reference);
    const story = await walk.desk.readDetail(reference);
    expect(story?.events.at(-1)).toMatchObject({
      type: "failed",
      actor: "system",
      note: "Two accounts share it.",
    });
    await walk.desk.act(reference, { type: "take" }, "Nadia");
    expect(await walk.forbidden("started", { id: walk.idOf() })).toBe("already-taken");
  });
});

test('repeats a recheck nightly until the account system answers "completed"', async () => {
  const { reference, answer } = await walk.begun("anika");
  await walk.say("completed", answer);
  await walk.pass({ minutes: 11 });
  await walk.site.rounds.runOnce();
  expect((await walk.site.stored())[0]?.email).toBe("");

  const outcome = await walk.command("recheck", "--as", "Nadia");
  expect(outcome).toMatchObject({
    code: 0,
    out: "We are asking the account system about 1 deletion that it did itself.\nNothing was deleted by hand.\n",
  });
  await walk.site.rounds.runOnce();
  expect(walk.receiver.newest("recheck").event.data).toMatchObject({
    id: walk.idOf(),
    reference,
    accountId: "u-17",
  });
  const unanswered = () => countRechecked(walk.site.foundation.database.read);
  // Without an answer, the site repeats the recheck nightly and emails the operators.
  const before = walk.teamMails().length;
  await walk.pass({ hours: 24 });
  expect(rechecks()).toHaveLength(2);
  const emails = walk.teamMails().slice(before);
  expect(emails.some(({ mail }) => mail.text?.includes(reference))).toBe(true);
  // The account system may answer "started" first.
  await walk.said("started", { id: walk.idOf() });
  expect(await walk.forbidden("standing", { ...answer, state: "open" })).toBe("already-ended");
  const kept = { outcome: "kept", reason: "legal-duty", until: "2026-12-31" };
  const allKept = answer.lines.map(({ store, kind }) => ({ store, kind, ...kept }));
  await walk.said("completed", { ...answer, lines: allKept });
  expect(await unanswered()).toBe(1);
  // The timeline of an erased request has no notes, so the site drops this reason.
  const reason = "The row of anika@uni.example is locked.";
  await walk.said("failed", { id: walk.idOf(), reason, again: false });
  expect((await walk.desk.readDetail(reference))?.events.filter(({ note }) => note !== "")).toEqual(
    [],
  );
  expect(await walk.said("completed", answer)).toBe("completed");
  expect(await unanswered()).toBe(0);
  expect(await walk.say("completed", answer)).toMatchObject({ status: 409 });
  const story = await walk.desk.readDetail(reference);
  expect(story?.events.at(-1)).toMatchObject({ type: "recheck", code: "completed" });
});

test("rechecks only deletions with an account id", async () => {
  const byHand = await walk.confirmed("kabir");
  await walk.desk.act(byHand.reference, firstTick, "Nadia");
  await bySystem(walk.site.foundation, byHand.reference, {
    type: "complete",
    completion: sampleCompletion,
  });
  const { answer } = await walk.begun("anika");
  await walk.say("completed", answer);
  // Without an account id, the site can't recheck a deletion.
  await walk.confirmed("farah");
  const { accountId: _, ...nameless } = walk.deleted();
  await walk.say("started", { id: walk.idOf() });
  await walk.say("completed", nameless);
  await walk.pass({ minutes: 11 });

  const outcome = await walk.command("recheck", "--as", "Nadia");
  expect(outcome.code).toBe(3);
  expect(outcome.out).toContain("asking the account system about 1 deletion that it did itself");
  expect(outcome.out).toContain("2 deletions were done by hand or without an account number");
  await walk.site.rounds.runOnce();
  expect(rechecks().map(({ event }) => event.data.id)).toEqual([answer.id]);
});

test("stops resending an event once the account system has answered", async () => {
  walk.receiver.answer = (_, response) => response.writeHead(500).end();
  await walk.begun("anika");
  await walk.pass({ hours: 1 });
  expect(walk.receiver.received).toHaveLength(1);
});

describe("the account system's webhook", () => {
  type Call = Parameters<AccountWalk["call"]>[0];
  const signed = (answer: unknown, change: { id?: string; secret?: string } = {}) =>
    walk.receiver.sign(answer, walk.site.clock(), change);
  const started = (id = walk.idOf()) => ({ type: "account.deletion.started", data: { id } });
  const changed = (header: string, make: (value: string) => string): Call => {
    const call = signed(started());
    return { ...call, headers: { ...call.headers, [header]: make(call.headers[header] ?? "") } };
  };
  const signedBy = (secret: string) => signed(started(), { secret });
  const says = (type: string, data: object) => signed({ type: `account.deletion.${type}`, data });
  const without = (header: string) => changed(header, () => "");
  const at = (minutes: number) => walk.receiver.sign(started(), walk.site.clock().add({ minutes }));
  const neverGiven = () => ({ id: walk.idOf(), item: "other" });
  const fetching = { headers: { Authorization: "Bearer x" }, method: "GET" };

  /** Invalid calls with their expected problem codes, keyed by fault. */
  const bad: Record<string, [code: ProblemCode, make: () => Call]> = {
    "no signature": ["unsigned", () => without("webhook-signature")],
    "no id": ["unsigned", () => without("webhook-id")],
    "no time": ["unsigned", () => without("webhook-timestamp")],
    "another secret": ["badly-signed", () => signedBy(createSecret())],
    "the site's own secret": ["badly-signed", () => signedBy(walk.receiver.secret)],
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
    "completed before started": ["not-now", () => says("completed", walk.deleted())],
    "a fetch although events are sent": ["not-fetched", () => fetching],
  };

  const statusOf = (code: ProblemCode) => toProblem("", code).status;

  test("rejects each invalid call with problem details and no side effects", async () => {
    await walk.confirmed("anika");
    const before = await everything();
    for (const [what, [code, make]] of Object.entries(bad)) {
      const status = statusOf(code);
      walk.site.logLines.length = 0;
      const { status: answered, body, headers } = await walk.call(make());
      expect({ answered, type: body.type }, what).toEqual({
        answered: status,
        type: `${walk.site.publicUrl}/hooks/account-system#${code}`,
      });
      expect(headers.get("content-type"), what).toBe("application/problem+json");
      expect(body, what).toMatchObject({ status, title: expect.stringMatching(/\.$/) });
      expect(await everything(), what).toBe(before);
      const lines = walk.site.logLines.map((line) => JSON.parse(line));
      const refusals = lines.filter((line) => line.problem !== undefined);
      expect(refusals, what).toMatchObject([{ event: "security", problem: code }]);
      expect(walk.site.logLines.join(""), what).not.toMatch(/anika|rahman|uni\.example|whsec_/);
    }
    expect(walk.site.faults).toEqual([]);

    await walk.site.rounds.runOnce();
    const disbelieved = await walk.site.kysely.selectFrom("refusals").selectAll().execute();
    expect(disbelieved).toMatchObject([
      {
        way: "signature",
        count: Object.values(bad).filter(([code]) => statusOf(code) === 401).length,
      },
    ]);
  });

  test("explains that the timestamp must be in seconds", async () => {
    await walk.confirmed("anika");
    const inMs = changed("webhook-timestamp", (time) => `${time}000`);
    expect((await walk.call(inMs)).body).toMatchObject({
      detail: expect.stringMatching(/^webhook-timestamp must be whole seconds/),
    });
  });

  test("rate-limits one client without affecting other clients", async () => {
    await walk.confirmed("anika");
    walk.site.services.budget.spendWork("203.0.113.7", 10_000_000);
    const { status, headers } = await walk.call({ headers: {} });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const other = await walk.site.ask("/hooks/account-system", {
      method: "POST",
      from: "198.51.100.9",
      ...signed(started()),
    });
    expect(other.status).toBe(200);
  });
});

describe("polling for events", () => {
  beforeEach(() => walkOtherwise(fetchesEvents));

  test("leases fetched events for ten minutes", async () => {
    const { email, reference } = await walk.confirmed("anika");
    const { items, leasedUntil } = await walk.fetchEvents();
    const [item] = items;
    expect(item?.event).toMatchObject({
      type: "account.deletion.requested",
      data: { reference, address: email, test: false },
    });
    expect(leasedUntil).toBe("2026-11-21T04:10:00Z");
    expect((await walk.fetchEvents()).items).toEqual([]);
    walk.site.wait({ minutes: 10 });
    expect(await walk.fetchEvents()).toMatchObject({ items: [{ id: item?.id }] });
  });

  test("doesn't return an acknowledged cancellation again", async () => {
    const { email } = await walk.confirmed("anika");
    await walk.fetchEvents();
    await walk.press("cancel", await walk.linkTo(email));
    const [item] = (await walk.fetchEvents()).items;
    expect(item?.event.type).toBe("account.deletion.cancelled");
    const received = { id: item?.event.data.id, item: item?.id };
    await walk.said("received", received);
    walk.site.wait({ hours: 1 });
    expect((await walk.fetchEvents()).items).toEqual([]);
  });

  test("returns no more events than the limit parameter allows", async () => {
    for (const name of ["anika", "bela", "chitra"]) await walk.confirmed(name);
    expect((await walk.fetchEvents("?limit=0")).items).toEqual([]);
    expect((await walk.fetchEvents("?limit=2")).items).toHaveLength(2);
    expect((await walk.fetchEvents("?limit=2")).items).toHaveLength(1);
  });

  test.each([
    ["no token", {}],
    ["another token", { Authorization: `Bearer ${"x".repeat(40)}` }],
  ] as [string, Record<string, string>][])("rejects polling with %s", async (_, headers) => {
    await walk.confirmed("anika");
    const { status, body } = await walk.call({ method: "GET", headers });
    expect(status).toBe(401);
    expect(body.type).toMatch(/#wrong-token$/);
  });
});

test("serves no webhook if no account system is configured", async () => {
  await walkOtherwise(() => ({ mode: "off" }));
  const { reference } = await walk.confirmed("anika");
  expect(walk.receiver.received).toEqual([]);
  const response = await walk.site.ask("/hooks/account-system", { method: "POST" });
  expect(response.status).toBe(405);
  expect((await walk.site.ask("/hooks/account-system")).status).toBe(404);
  expect(await walk.state(reference)).toBe("confirmed");
});
