import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { vi } from "vitest";
import {
  type ReceivedEvent,
  startReceiver,
} from "../../server/account-system/account-system.fixture.ts";
import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { hookPaths, paths } from "../../server/platform/http/paths.ts";
import { type MailServer, startMailServer } from "../faults/mail-server.fixture.ts";
import { deletionFor } from "../harness/account-scenario.ts";
import { filledForm, origin, referencePattern, takesMany } from "../harness/deletion-form.ts";
import { type FaultyNetwork, startFaultyNetwork } from "../harness/faulty-network.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { runToEnd, type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { rememberEverything } from "./fleet-promises.ts";

/**
 * Runs several servers on one PostgreSQL database behind a network that tests can cut. Also runs
 * mail servers, an account system, and visitors who submit forms and follow email links on random
 * servers. Visitors and the account system retry each request until a server responds.
 */

const confirmationLink = /\/delete-my-account\?link=[\w-]+/;

/** Operators who receive the team's emails. */
export const operators = ["Nadia", "Rahim"];

type Mail = { messageId: string; to: string; subject: string; text: string };

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * Starts the fleet. Leases last as long as in production, so work of a killed instance waits for
 * its leases to expire.
 */
export async function startFleet(size: number) {
  const postgres: PostgresServer = await startPostgres();
  const database = await createTestDatabase(postgres.url);
  const { port } = new URL(postgres.url);
  const network: FaultyNetwork = await startFaultyNetwork(Number(port));
  const throughNetwork = new URL(database.url);
  throughNetwork.port = String(network.port);
  const accounts = await startReceiver();

  const mails: Mail[] = [];
  /**
   * Index of the instance whose mail server doesn't acknowledge emails. `unanswered` lists these
   * emails.
   */
  let silent: number | undefined;
  const unanswered: { messageId: string; refuse: () => void }[] = [];
  /** One mail server per instance shows which instance sent an email. */
  const mailServers: MailServer[] = [];
  for (let index = 0; index < size; index++) {
    const mailServer = await startMailServer({
      take({ to: [to = ""], mail: { messageId, subject = "", text = "" } }, done) {
        const isNew = mails.every((other) => other.messageId !== messageId);
        mails.push({ messageId, to, subject, text });
        if (silent !== index) done();
        else unanswered.push({ messageId, refuse: () => done(new Error("not now")) });
        if (isNew) read({ messageId, to, subject, text });
      },
    });
    mailServers.push(mailServer);
  }

  const settings = {
    ...takesMany,
    DATABASE_URL: throughNetwork.href,
    SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    // Lets `request` give each request a separate IP address.
    TRUST_PROXY: "1",
    ACCOUNT_SYSTEM_URL: accounts.url,
    ACCOUNT_SYSTEM_SECRET: accounts.secret,
    ACCOUNT_SYSTEM_INBOUND_SECRET: accounts.inboundSecret,
    ACCOUNT_SYSTEM_MODE: "live",
  };
  async function start(index: number): Promise<ServerProcess> {
    const SMTP_URL = mailServers[index]?.url ?? "";
    for (let tries = 1; ; tries++) {
      try {
        return await startServerProcess({ ...settings, SMTP_URL });
      } catch (error) {
        // Restarts the server after a database error, as a service manager would.
        if (tries === 5 || !/The database .* (?:answer|connections)/.test(String(error)))
          throw error;
      }
    }
  }
  // Starts one instance at a time, because the first one creates the tables.
  const instances: ServerProcess[] = [];
  while (instances.length < size) {
    instances.push(await start(instances.length));
    if (instances.length > 1) continue;
    await rememberEverything(database.url);
    for (const name of operators) {
      const words = ["invite", name, `${name.toLowerCase()}@uni.example`];
      const { code, stderr } = await runToEnd(
        "server/cli/operators.ts",
        { ...settings, SMTP_URL: mailServers[0]?.url ?? "", DATA_DIR: instances[0]?.dataDir ?? "" },
        words,
      );
      if (code !== 0) throw new Error(stderr);
    }
    await queryPostgres(database.url, "update operators set more_mails = 1");
  }

  /** Queries the database directly, bypassing the faulty network. */
  const ask = (sql: string) => queryPostgres(database.url, sql);

  const anyInstance = () =>
    instances[Math.floor(Math.random() * instances.length)] as ServerProcess;

  let callers = 0;
  function request(instance: ServerProcess, path: string, init?: RequestInit): Promise<Response> {
    const caller = ++callers;
    const address = `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`;
    return fetch(`${instance.url}${path}`, {
      method: init ? "POST" : "GET",
      redirect: "manual",
      signal: AbortSignal.timeout(30_000),
      ...init,
      headers: { Origin: origin, "X-Forwarded-For": address, ...init?.headers },
    });
  }

  const postForm = (instance: ServerProcess, path: string, fields: Record<string, string>) =>
    request(instance, path, { body: new URLSearchParams(fields) });

  /** References that visitors received, keyed by email address. */
  const acknowledged = new Map<string, string>();
  let sent = 0;
  let refused = 0;

  /** Submits a form to random servers until one of them stores it. */
  async function sendForm(): Promise<void> {
    const email = `s${++sent}@uni.example`;
    const form = filledForm({ email });
    for (;;) {
      try {
        const answer = await postForm(anyInstance(), paths.deletionRequests, form);
        const reference = referencePattern.exec(await answer.text())?.[0];
        if (answer.status === 200 && reference) {
          acknowledged.set(email, reference);
          return;
        }
        if (answer.status === 503) refused++;
      } catch {
        // A killed or paused server may or may not have stored the form, so submit it again.
      }
      await setTimeout(20);
    }
  }

  /** Unfinished work of visitors and the account system. */
  const inProgress = new Set<Promise<void>>();
  let started = 0;
  const troubles: string[] = [];
  function begin(what: string, work: () => Promise<void>): void {
    started++;
    const done: Promise<void> = work()
      .catch((error) => void troubles.push(`${what}: ${error}`))
      .finally(() => inProgress.delete(done));
    inProgress.add(done);
  }

  /** Retries a request until it succeeds. */
  const retryUntilDone = <T>(once: () => Promise<T | undefined>) =>
    vi.waitUntil(() => once().catch(() => undefined), { timeout: 600_000 });

  /**
   * Sends a request to one instance or to all at once. Returns undefined if an instance may have
   * missed the request.
   */
  async function at(
    { everywhere }: { everywhere: boolean },
    ask: (instance: ServerProcess) => Promise<Response>,
  ) {
    const targets = everywhere ? [...instances] : [anyInstance()];
    const answers = await Promise.all(targets.map(ask));
    return answers.every(wasAnswered) ? answers : undefined;
  }

  /** Presses a button on the page behind an emailed link. */
  const press = (act: "confirm" | "cancel", visit: string, where: { everywhere: boolean }) =>
    retryUntilDone(() =>
      at(where, (instance) => postForm(instance, paths.deletion, { act, visit })),
    );

  /**
   * Simulates the visitor who gets this email: confirms the request and cancels it if the visitor's
   * story says so.
   */
  function read({ to, subject, text }: Mail): void {
    const story = storyOf(to);
    const link = confirmationLink.exec(text)?.[0];
    if (!story || !link || !/^Confirm the deletion/.test(subject)) return;
    begin(`${to} confirms`, async () => {
      const opened = await retryUntilDone(async () =>
        readVisit(await request(anyInstance(), link)),
      );
      const confirmed = await press("confirm", opened, story);
      const status = confirmed.map(readVisit).find(Boolean);
      if (story.cancels && status) await press("cancel", status, story);
    });
  }

  /** How often the site accepted each call from the account system, keyed by call id. */
  const accepted = new Map<string, number>();
  const seen = new Set<string>();

  accounts.answer = (event, response) => {
    response.writeHead(204).end();
    if (seen.has(event.id) || !/requested$/.test(event.event.type)) return;
    seen.add(event.id);
    begin(`account system answers ${event.id}`, () => answerTo(event));
  };

  async function answerTo({ event: { data } }: ReceivedEvent): Promise<void> {
    const story = storyOf(String(data.address));
    const { id } = data;
    const words: Record<string, Record<string, unknown>> = {
      started: { id },
      completed: { ...deletionFor(data), backupsGoneBy: null },
      "not-found": { id },
      blocked: { id, reason: "dues", until: data.dueOn },
      failed: { id, reason: "The table of rides is locked.", again: false },
    };
    for (const word of story?.answers ?? []) {
      const call = `msg_${randomBytes(12).toString("hex")}`;
      await retryUntilDone(() =>
        at({ everywhere: story?.everywhere ?? false }, async (instance) => {
          const answer = { type: `account.deletion.${word}`, data: words[word] };
          const answered = await request(
            instance,
            hookPaths.accountSystem,
            accounts.sign(answer, Temporal.Now.instant(), { id: call }),
          );
          if (answered.ok) accepted.set(call, (accepted.get(call) ?? 0) + 1);
          // A 409 means that the job was already answered or that the answer is no longer possible.
          else if (wasAnswered(answered) && answered.status !== 409) {
            troubles.push(`${word}: ${answered.status} ${await answered.text()}`);
          }
          return answered;
        }),
      );
    }
  }

  /**
   * Skips the undo window of completions, starts and refusals, and the night, when operators get no
   * emails.
   */
  const passUndo = async () => {
    const earlier = (column: string) =>
      `to_char((${column}::timestamptz at time zone 'utc') - interval '11 minutes', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    await ask(`update requests set done_at = ${earlier("done_at")} where done_at is not null`);
    await ask(
      `update outbox set next_at = created_at where state = 'waiting'
       and (kind in ('in-progress', 'refused') or kind like 'operator-%')`,
    );
  };

  return {
    instances,
    postgres,
    /** URL of the database that bypasses the faulty network. */
    databaseUrl: database.url,
    network,
    mails,
    events: accounts.received,
    accepted,
    acknowledged,
    /** Work of visitors and the account system that failed despite retries. */
    troubles,
    ask,
    sendForm,
    /** Returns the number of forms refused with 503. */
    countRefused: () => refused,

    /** Submits forms until stopped, one per simulated person at a time. */
    load(people: number) {
      let over = false;
      const all = Promise.all(
        Array.from({ length: people }, async () => {
          while (!over) await sendForm();
        }),
      );
      return {
        async stop() {
          over = true;
          await all;
        },
        /** Stops the load when a test ends, even if the test fails. */
        [Symbol.dispose]() {
          over = true;
        },
      };
    },

    /** Lets this instance's mail server receive emails without acknowledging them. */
    silenceMailServer(index: number): void {
      silent = index;
    },
    countUnanswered: () => unanswered.length,
    /** Counts unacknowledged emails that no instance has recorded as delivered or failed. */
    async countOwedOfUnanswered(): Promise<number> {
      const keys = unanswered.map(({ messageId }) => `'${toKey(messageId)}'`).join(", ");
      const [owed] = await ask(
        `select count(*) as n from outbox where message_key in (${keys}) and settled_at is null`,
      );
      return Number(owed?.n);
    },
    refuseUnanswered(): void {
      silent = undefined;
      for (const { refuse } of unanswered.splice(0)) refuse();
    },

    async replace(index: number): Promise<void> {
      await instances[index]?.stop();
      instances[index] = await start(index);
    },

    /** Waits until all work has finished and the outbox has no unsent message. */
    async settle(): Promise<void> {
      await passUndo();
      let passedAt = performance.now();
      for (const giveUpAt = performance.now() + 600_000; performance.now() < giveUpAt; ) {
        await Promise.all(inProgress);
        if (inProgress.size > 0) continue;
        // Work that starts during this query may queue a message and finish before the query
        // returns.
        const before = started;
        const owed = await ask(
          `select id from outbox where state not in ('delivered', 'held-back')
           union all select id from requests where done_at is not null limit 1`,
        );
        if (owed.length === 0 && started === before) return;
        // A killed instance's transaction may still commit.
        if (performance.now() - passedAt > 5000) {
          await passUndo();
          passedAt = performance.now();
        }
        await setTimeout(200);
      }
      const left = await ask(
        "select state, kind, failures, last_problem, count(*) from outbox where state not in ('delivered', 'held-back') group by 1, 2, 3, 4",
      );
      throw new Error(`Still unsent: ${JSON.stringify(left)}; under way: ${inProgress.size}`);
    },

    async close(): Promise<void> {
      for (const instance of instances) instance.signal("SIGCONT");
      await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
      await network.end();
      for (const mailServer of mailServers) await mailServer.close();
      await accounts[Symbol.asyncDispose]();
      await postgres.close();
    },
  };
}

/** Extracts the outbox key from a Message-ID. */
export const toKey = (messageId: string) => messageId.replace(/^<|@.*$/g, "");

/**
 * Checks whether the server handled the request. Node.js itself responds with 408 after a suspended
 * process resumes.
 */
const wasAnswered = ({ status }: Response) => status < 500 && status !== 408;

/** Extracts the visit session's token from the redirect of an emailed link. */
function readVisit(answer: Response): string | undefined {
  const place = answer.headers.get("location");
  if (place === null) return undefined;
  return new URL(place, origin).searchParams.get("visit") ?? undefined;
}

/**
 * Actions of visitors and the account system. If `cancels` is set, the requester cancels after
 * confirming. The account system sends `answers` in order.
 */
const stories: { cancels?: true; answers: string[] }[] = [
  { cancels: true, answers: [] },
  { answers: ["started", "completed"] },
  { answers: ["not-found"] },
  { answers: ["blocked", "started", "completed"] },
  // The cancellation and the answers race. Either side may win.
  { cancels: true, answers: ["started", "completed"] },
  { answers: ["failed"] },
  { answers: ["started", "completed"] },
  { answers: [] },
];

/**
 * Returns the story for an email address. Only every third address has a story. The stories repeat
 * in rounds; in every other round, each step goes to all servers at once.
 */
function storyOf(email: string) {
  const number = Number(/^s(\d+)@/.exec(email)?.[1] ?? Number.NaN);
  if (number % 3 !== 0) return undefined;
  const story = stories[(number / 3) % stories.length];
  return story && { ...story, everywhere: Math.floor(number / 3 / stories.length) % 2 === 0 };
}
