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
import { deletionFor } from "../harness/account-walk.ts";
import { filledForm, origin, referencePattern, takesMany } from "../harness/deletion-form.ts";
import { type FaultyNetwork, startFaultyNetwork } from "../harness/faulty-network.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { runToEnd, type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { rememberEverything } from "./fleet-promises.ts";

/**
 * Runs several servers on one PostgreSQL database behind a network that tests can cut. Also runs
 * mail servers, an account system, and visitors who submit forms and follow email links on any
 * server. Visitors and the account system retry each HTTP request until it is answered.
 */

const confirmationLink = /\/delete-my-account\?link=[\w-]+/;

/** Operators, each of whom gets the team's emails. */
export const operators = ["Nadia", "Rahim"];

type Mail = { messageId: string; to: string; subject: string; text: string };

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * Starts the fleet. Leases last as long as in production, so a killed instance's work waits until
 * the instance's leases expire.
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
   * Index of the instance whose mail server leaves emails unacknowledged. `unanswered` lists those
   * emails.
   */
  let silent: number | undefined;
  const unanswered: { messageId: string; refuse: () => void }[] = [];
  /** One mail server per instance, so that a test knows which instance sent an email. */
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
    // Lets each simulated visitor have its own IP address.
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

  /** Submits a form and retries on any server until it is stored. */
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
        // The server was killed or silent, so it is unknown whether the form was stored. Submit the
        // form again.
      }
      await setTimeout(20);
    }
  }

  /** Requests by visitors and the account system that aren't finished. */
  const underWay = new Set<Promise<void>>();
  let begun = 0;
  const troubles: string[] = [];
  function begin(what: string, work: () => Promise<void>): void {
    begun++;
    const done: Promise<void> = work()
      .catch((error) => void troubles.push(`${what}: ${error}`))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  /** Retries an HTTP request until it is answered. */
  const insist = <T>(once: () => Promise<T | undefined>) =>
    vi.waitUntil(() => once().catch(() => undefined), { timeout: 600_000 });

  /**
   * Sends an HTTP request to one instance, or to all at once. Returns undefined if an instance may
   * have missed the request.
   */
  async function at(
    { everywhere }: { everywhere: boolean },
    ask: (instance: ServerProcess) => Promise<Response>,
  ) {
    const asked = everywhere ? [...instances] : [anyInstance()];
    const answers = await Promise.all(asked.map(ask));
    return answers.every(wasAnswered) ? answers : undefined;
  }

  /** Presses a button on the page behind an email link. */
  const press = (act: "confirm" | "cancel", visit: string, where: { everywhere: boolean }) =>
    insist(() => at(where, (instance) => postForm(instance, paths.deletion, { act, visit })));

  /**
   * Plays the visitor: confirms the request through the emailed link, and cancels it if the
   * visitor's story says so.
   */
  function read({ to, subject, text }: Mail): void {
    const story = storyOf(to);
    const link = confirmationLink.exec(text)?.[0];
    if (!story || !link || !/^Confirm the deletion/.test(subject)) return;
    begin(`${to} confirms`, async () => {
      const opened = await insist(async () => readVisit(await request(anyInstance(), link)));
      const confirmed = await press("confirm", opened, story);
      const status = confirmed.map(readVisit).find(Boolean);
      if (story.isSorry && status) await press("cancel", status, story);
    });
  }

  /** How often the site accepted each of the account system's calls, keyed by call id. */
  const accepted = new Map<string, number>();
  const heard = new Set<string>();

  accounts.answer = (event, response) => {
    response.writeHead(204).end();
    if (heard.has(event.id) || !/requested$/.test(event.event.type)) return;
    heard.add(event.id);
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
      await insist(() =>
        at({ everywhere: story?.everywhere ?? false }, async (instance) => {
          const answer = { type: `account.deletion.${word}`, data: words[word] };
          const answered = await request(
            instance,
            hookPaths.accountSystem,
            accounts.sign(answer, Temporal.Now.instant(), { id: call }),
          );
          if (answered.ok) accepted.set(call, (accepted.get(call) ?? 0) + 1);
          // 409 is fine: either the job was already answered, or the answer has become impossible.
          else if (wasAnswered(answered) && answered.status !== 409) {
            troubles.push(`${word}: ${answered.status} ${await answered.text()}`);
          }
          return answered;
        }),
      );
    }
  }

  /**
   * Advances the clock past the undo window of completions and past the night, when operators get
   * no email.
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
    /** Database URL that bypasses the faulty network. */
    databaseUrl: database.url,
    network,
    mails,
    /** Events that the account system received. */
    events: accounts.received,
    accepted,
    acknowledged,
    /** HTTP requests by visitors and the account system that failed despite retries. */
    troubles,
    ask,
    sendForm,
    /** Returns how many forms were refused with 503. */
    countRefused: () => refused,

    /** Submits forms continuously until stopped, and retries each form until it is stored. */
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
        /** Stops the load when a test ends, even if it fails. */
        [Symbol.dispose]() {
          over = true;
        },
      };
    },

    /** Makes this instance's mail server receive emails without acknowledging them. */
    silenceMailServer(index: number): void {
      silent = index;
    },
    countUnanswered: () => unanswered.length,
    /** Counts unacknowledged emails for which no instance has recorded a result. */
    async countOwedOfUnanswered(): Promise<number> {
      const keys = unanswered.map(({ messageId }) => `'${toKey(messageId)}'`).join(", ");
      const [owed] = await ask(
        `select count(*) as n from outbox where message_key in (${keys}) and settled_at is null`,
      );
      return Number(owed?.n);
    },
    /** Makes the mail server reject all unacknowledged emails. */
    refuseUnanswered(): void {
      silent = undefined;
      for (const { refuse } of unanswered.splice(0)) refuse();
    },

    /** Starts a new instance in place of a killed one. */
    async replace(index: number): Promise<void> {
      await instances[index]?.stop();
      instances[index] = await start(index);
    },

    /** Waits until every HTTP request is answered and no message is owed. */
    async settle(): Promise<void> {
      await passUndo();
      let passedAt = performance.now();
      for (const giveUpAt = performance.now() + 600_000; performance.now() < giveUpAt; ) {
        await Promise.all(underWay);
        if (underWay.size > 0) continue;
        // Work that starts during this query may create an owed message and still finish before the
        // query returns.
        const before = begun;
        const owed = await ask(
          `select id from outbox where state not in ('delivered', 'held-back')
           union all select id from requests where done_at is not null limit 1`,
        );
        if (owed.length === 0 && begun === before) return;
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
      throw new Error(`Still owed: ${JSON.stringify(left)}; under way: ${underWay.size}`);
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
 * Returns false if the server failed or was too slow. Node itself responds with 408 after the
 * machine was suspended.
 */
const wasAnswered = ({ status }: Response) => status < 500 && status !== 408;

/** Extracts the visit's token from the response to an email link, which redirects to the visit. */
function readVisit(answer: Response): string | undefined {
  const place = answer.headers.get("location");
  if (place === null) return undefined;
  return new URL(place, origin).searchParams.get("visit") ?? undefined;
}

/**
 * Visitors' stories. With `isSorry`, the requester cancels after confirming. `answers` are the
 * account system's answers, in order.
 */
const stories: { isSorry?: true; answers: string[] }[] = [
  { isSorry: true, answers: [] },
  { answers: ["started", "completed"] },
  { answers: ["not-found"] },
  { answers: ["blocked", "started", "completed"] },
  // The cancellation and the answers race; either side may win.
  { isSorry: true, answers: ["started", "completed"] },
  { answers: ["failed"] },
  { answers: ["started", "completed"] },
  { answers: [] },
];

/**
 * Returns the story for an email address, or undefined: only every third address has a story. On
 * every other pass through the stories, each step goes to all servers at once.
 */
function storyOf(email: string) {
  const number = Number(/^s(\d+)@/.exec(email)?.[1] ?? Number.NaN);
  if (number % 3 !== 0) return undefined;
  const story = stories[(number / 3) % stories.length];
  return story && { ...story, everywhere: Math.floor(number / 3 / stories.length) % 2 === 0 };
}
