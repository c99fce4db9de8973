import { Client } from "pg";
import { beforeEach, expect, test } from "vitest";
import { enqueueTeamMail } from "../deletion-requests/mails/mails.ts";
import { sampleCompletion } from "../deletion-requests/mails/receipt-mail.ts";
import { bySystem, failed } from "../deletion-requests/service.fixture.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { makeTestDatabase, runsOnPostgres } from "../platform/database/database.fixture.ts";
import { openDatabase } from "../platform/database/database.ts";
import { addMessage, claimMessages, failMessage, leaseMs, type OutboxItem } from "./outbox.ts";
import { nextDelayMs } from "./schedule.ts";
import { createOutboxWorker, type Delivery } from "./worker.ts";

/**
 * Callback of the scheduler's timer. Tests call it to start the next round. `elapsedMs` is the
 * monotonic time, independent of the clock.
 */
let timer: (() => void) | undefined;
let elapsedMs = 0;

beforeEach(() => {
  timer = undefined;
  elapsedMs = 0;
});
serviceForEachTest("2026-11-21T04:00:00Z", {
  settings: { MAX_UNCONFIRMED: "1000000" },
  means: {
    elapsedMs: () => elapsedMs,
    timers: {
      setTimeout: (run) => {
        timer = run;
      },
      clearTimeout: () => {
        timer = undefined;
      },
    },
  },
});

const logged = () => service.logLines.map((line) => JSON.parse(line));

const passing = failed("content put off (451)");
const permanent = failed("recipient refused (550)", { permanent: true });

const claim = (limit = 5, database = service.database) =>
  claimMessages(database, service.keys, { at: service.clock(), recipient: "person", limit });

/** Delays every response until the test calls `release`. */
function holdAnswers(answer: Awaited<ReturnType<typeof service.answer>>) {
  const arrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  service.answer = async () => {
    arrived.resolve();
    await mayAnswer.promise;
    return answer;
  };
  return { arrived: arrived.promise, release: mayAnswer.resolve };
}

test("adds up to 20% jitter to a retry delay", () => {
  expect([nextDelayMs(1, 0), nextDelayMs(1, 1)]).toEqual([5000, 6000]);
});

test("retries a temporary problem on schedule until the tenth attempt has failed", async () => {
  const times: number[] = [];
  const start = service.clock().epochMilliseconds;
  service.answer = () => {
    times.push((service.clock().epochMilliseconds - start) / 1000);
    return passing;
  };
  const { reference } = await service.submit();
  for (const delay of [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400]) {
    service.pass({ seconds: delay });
    await service.round();
  }
  const steps = times.map((time, index) => time - (times[index - 1] ?? 0));
  expect(steps.slice(0, 8)).toEqual([0, 5, 300, 1800, 7200, 18000, 36000, 50400]);
  expect((await service.desk.troubled(10)).first.map((mail) => mail.failures)).toEqual([10]);
  const facts = { kind: "confirm", reference, problem: passing.problem, permanent: false };
  const logLine = { ...facts, state: "needs-person", msg: "message failed" };
  expect(logged()).toContainEqual(expect.objectContaining(logLine));
});

test("alerts operators about failed emails at most once an hour and ignores mistyped addresses", async () => {
  const refused: typeof service.answer = ({ to }) =>
    to === "desk@rides.example" ? { kind: "delivered" } : permanent;
  service.answer = refused;
  await service.submitMailed({ email: "mistyped@uni.example" });
  expect(service.sent.map((mail) => mail.kind)).not.toContain("operator-trouble");
  service.answer = () => ({ kind: "delivered" });
  const reference = await service.submitConfirmed();
  await service.round();
  service.answer = refused;
  await service.begin(reference);
  await service.round({ minutes: 11 });
  await bySystem(service, reference, { type: "complete", completion: sampleCompletion });
  await service.round();
  expect(service.sent.filter((mail) => mail.kind === "operator-trouble")).toHaveLength(1);
});

test("sends the remaining emails when one email throws an error", async () => {
  service.answer = (letter) => {
    if (letter.to === "bad@uni.example") throw new Error("bad@uni.example broke it");
    return { kind: "delivered" };
  };
  for (const name of ["bad", "one", "two", "three", "four", "five", "six"]) {
    await service.submit({ email: `${name}@uni.example` });
  }
  await service.round();
  expect(service.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(6);
  expect(service.logLines.join()).not.toContain("bad@uni.example");
});

test("limits a slow channel to five parallel emails without delaying other channels", async () => {
  const { promise: hung, resolve: release } = Promise.withResolvers<void>();
  const recipients: string[] = [];
  service.answer = async ({ to }) => {
    recipients.push(to);
    if (to.endsWith("@uni.example")) await hung;
    return { kind: "delivered" };
  };
  await service.submitMany(6, (number) => ({ email: `s${number}@uni.example` }));
  const message = { kind: "operator-deleted-held", reference: "K7RM-4XQP" } as const;
  await service.database.write((transaction) =>
    enqueueTeamMail({ transaction, keys: service.keys, now: service.clock() }, message),
  );
  await service.outbox.fillUp();
  await expect.poll(() => recipients, { timeout: 60_000 }).toContain("desk@rides.example");
  await expect.poll(() => recipients, { timeout: 60_000 }).toHaveLength(6);
  release();
  await service.outbox.finish();
});

test("looks for due emails after an attempt only if more may be due", async () => {
  const countLookups = async (emails: readonly string[]) => {
    let calls = 0;
    for (const email of emails) await service.submit({ email });
    await service.outbox.fillUp(() => calls++);
    await service.outbox.finish();
    return calls;
  };
  // The channel may be down until its first email is sent.
  expect(await countLookups(["first@uni.example"])).toBe(1);
  expect(await countLookups(["second@uni.example"])).toBe(0);
  service.answer = async () => passing;
  expect(await countLookups(["third@uni.example"])).toBe(1);
  service.answer = async () => ({ kind: "delivered" });
  const six = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}@uni.example`);
  expect(await countLookups(six)).toBe(5);
  expect(await countLookups([])).toBe(0);
});

test("retries failed messages after a success, even if another message was passed on before", async () => {
  const { database, keys, clock } = service;
  const answers: Delivery[] = [
    { ...failed("mail server down (ECONNREFUSED)"), isChannelWide: true },
    { kind: "passed-on" },
    { kind: "delivered" },
    { kind: "delivered" },
  ];
  const attempts: string[] = [];
  const deliver = async ({ reference }: OutboxItem) => {
    attempts.push(reference);
    return answers.shift() ?? { kind: "no-recipient" as const };
  };
  const log = { info() {}, warn() {} };
  const worker = createOutboxWorker({
    database,
    keys,
    clock,
    channels: { test: { deliver } },
    log,
  });
  for (const reference of ["down", "passed on", "sent"]) {
    const message = { kind: "operator-deleted-held", reference };
    await database.write((transaction) =>
      addMessage(
        { transaction, keys, now: clock() },
        { recipient: "test", requestId: undefined, message },
      ),
    );
    await worker.sendAll();
  }
  expect(attempts).toEqual(["down", "passed on", "sent", "down"]);
});

test("sends a request's emails one at a time and in order after an outage", async () => {
  const reference = await service.submitConfirmed();
  service.answer = () => passing;
  await service.round();
  const started = await service.begin(reference);
  expect(started.kind).toBe("done");
  const inProgress = new Set<string>();
  const together: string[] = [];
  service.answer = async (letter) => {
    if (inProgress.has(letter.to)) together.push(letter.to);
    inProgress.add(letter.to);
    // Calls `fillUp`, because a round would wait for this response and never end.
    await service.outbox.fillUp();
    inProgress.delete(letter.to);
    return { kind: "delivered" };
  };
  await service.round({ minutes: 11 });
  const kinds = service.sent.filter(({ to }) => to === "anika@uni.example").map(({ kind }) => kind);
  expect(kinds).toEqual(["confirm", "confirmed", "in-progress"]);
  expect(together).toEqual([]);
});

test.skipIf(runsOnPostgres)("logs the error code if the database is read-only", async () => {
  await makeTestDatabase(service.kysely, "read-only");
  service.rounds.start();
  const logLine = {
    error: "Error ERR_SQLITE_ERROR 8",
    msg: "maintenance could not be completed",
  };
  await expect.poll(logged, { timeout: 60_000 }).toContainEqual(expect.objectContaining(logLine));
  await service.rounds.stop();
  await makeTestDatabase(service.kysely, "writable");
});

test("skips an email that has less than half of its lease left", async () => {
  const reference = await service.submitConfirmed();
  await service.begin(reference);
  service.pass({ minutes: 11 });
  service.answer = ({ to }) => {
    if (to === "anika@uni.example") service.pass({ milliseconds: leaseMs / 2 + 1 });
    return { kind: "delivered" };
  };
  await service.round();
  expect(service.sent.map(({ kind }) => kind)).toContain("confirmed");
  expect(service.sent.map(({ kind }) => kind)).not.toContain("in-progress");
  service.pass({ milliseconds: leaseMs / 2 });
  await service.round();
  expect(service.newest("in-progress").to).toBe("anika@uni.example");
});

test("sends an email once if the clock jumps beyond its lease during the attempt", async () => {
  const { arrived, release } = holdAnswers({ kind: "delivered" });
  await service.submit();
  const sending = service.outbox.sendAll();
  await arrived;
  service.pass({ milliseconds: leaseMs });
  await service.outbox.fillUp();
  release();
  await sending;
  await service.outbox.finish();
  expect(service.sent.map(({ kind }) => kind)).toEqual(["confirm"]);
});

test("ignores a failure that is reported after the lease expired", async () => {
  const { arrived, release } = holdAnswers(permanent);
  await service.submit();
  const stalled = service.outbox.sendAll();
  await arrived;
  service.pass({ milliseconds: leaseMs });
  const [other] = await claim();
  release();
  await stalled;
  expect(await service.desk.troubled(10)).toEqual({ first: [], count: 0 });
  // The later attempt still holds the lease.
  expect(await claim()).toEqual([]);
  const state = await service.database.write((transaction) =>
    failMessage(transaction, other as OutboxItem, passing, { now: service.clock(), random: 0 }),
  );
  expect(state).toBe("waiting");
});

test("sends an email ahead of another network's 120 queued emails", async () => {
  const send = (email: string, address: string) =>
    service.requests.submit(service.form({ email }), "", address);
  for (let mail = 0; mail < 120; mail++) {
    await send(`a${mail}@uni.example`, `2001:db8:1:${mail}::1`);
    if (mail % 20 === 0) await send(`b${mail}@uni.example`, "198.51.100.7");
  }
  const places = async (email: string) => {
    service.sent.splice(0);
    await service.round();
    return service.sent.findIndex(({ to }) => to === email);
  };
  await service.outbox.fillUp();
  await service.outbox.finish();
  await send("kabir@uni.example", "203.0.113.9");
  expect(await places("kabir@uni.example")).toBeLessThan(5);
});

test("never claims the same email in two processes", async () => {
  const other = await openDatabase({ dataDir: service.folder, url: service.databaseUrl });
  if (!other.ok) throw new Error(other.problem);
  for (let count = 0; count < 30; count++) await service.submit({ email: `s${count}@uni.example` });
  const claims = await Promise.all(
    Array.from({ length: 10 }, (_, number) =>
      claim(4, number % 2 === 0 ? service.database : other.database),
    ),
  );
  await other.database.close();
  const ids = claims.flat().map((item) => item.id);
  expect(ids).toHaveLength(30);
  expect(new Set(ids).size).toBe(30);
});

test.runIf(runsOnPostgres).each(["waiting", "sending"])(
  "skips %s messages that another worker has locked",
  async (state) => {
    for (let count = 0; count < 6; count++)
      await service.submit({ email: `p${count}@uni.example` });
    if (state === "sending") {
      // Simulates a worker that claimed messages and then died.
      await claim(6);
      service.pass({ hours: 1 });
    }
    const other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
    try {
      await other.query("begin");
      const chosen = await other.query<{ id: number }>(
        `select id from outbox where state = '${state}' order by id limit 2 for update`,
      );
      const claimed = (await claim(6)).map(({ id }) => id);
      expect(claimed).toHaveLength(4);
      for (const { id } of chosen.rows) expect(claimed).not.toContain(Number(id));
      await other.query("rollback");
      expect(await claim()).toHaveLength(2);
    } finally {
      await other.end();
    }
  },
);

test("finishes emails in progress and starts no new emails when the worker stops", async () => {
  const { arrived, release } = holdAnswers({ kind: "delivered" });
  await service.submit();
  service.rounds.start();
  await arrived;
  // The round has ended, but the emails are still being sent.
  await expect.poll(() => timer, { timeout: 60_000 }).toBeDefined();
  const stopped = service.rounds.stop();
  await service.submit({ email: "late@uni.example" });
  release();
  await stopped;
  expect(service.sent.map((mail) => mail.to)).toEqual(["anika@uni.example"]);
});

test("postpones erasure for an hour after the clock jumps ahead", async () => {
  const round = async () => {
    await expect.poll(() => timer, { timeout: 60_000 }).toBeDefined();
    const run = timer;
    timer = undefined;
    run?.();
    await expect.poll(() => timer, { timeout: 60_000 }).toBeDefined();
  };
  const { reference } = await service.submit();
  service.rounds.start();
  await round();
  service.pass({ days: 365 });
  await round();
  expect(await service.desk.find(reference)).toBeDefined();
  expect(service.logLines.join()).toContain("the clock jumped");
  elapsedMs += 61 * 60_000;
  service.pass({ minutes: 61 });
  await round();
  expect(await service.desk.find(reference)).toBeUndefined();
  await service.rounds.stop();
});

test("drops a leased email after its request is deleted", async () => {
  const { reference } = await service.submit();
  const [claimed] = await claim();
  expect(claimed?.reference).toBe(reference);
  await service.desk.act(reference, { type: "remove" }, "Nadia");
  service.pass({ milliseconds: leaseMs });
  await service.round();
  expect(service.sent).toEqual([]);
});
