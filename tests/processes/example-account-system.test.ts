import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSecret, signAs } from "../../server/account-system/account-system.fixture.ts";
import { hookPaths, paths } from "../../server/platform/http/paths.ts";
import { type MailServer, startMailServer } from "../faults/mail-server.fixture.ts";
import { sendForm } from "../harness/deletion-form.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { findFreePort } from "../harness/free-port.ts";
import {
  runToEnd,
  type ServerProcess,
  spawnProgram,
  startServerProcess,
} from "../harness/server-process.ts";

/** Runs examples/account-system next to a real server, following its README. */

// Each test starts several processes.
vi.setConfig({ testTimeout: 300_000 });

let example: Awaited<ReturnType<typeof prepareExample>>;
let mail: MailServer;
let server: ServerProcess | undefined;
let settings: Record<string, string>;

folderForEachTest();

beforeEach(async () => {
  example = await prepareExample();
  mail = await startMailServer();
  server = undefined;
});

afterEach(async () => {
  await server?.stop();
  await mail.close();
  await example.kill();
});

async function start(more: Record<string, string>): Promise<ServerProcess> {
  settings = { SMTP_URL: mail.url, LOG_LEVEL: "warn", ...more };
  server = await startServerProcess(settings, folder);
  return server;
}

async function mailTo(email: string, subject: RegExp): Promise<string> {
  const find = () =>
    mail.received.findLast(
      (candidate) => candidate.to.includes(email) && subject.test(candidate.mail.subject ?? ""),
    );
  await expect.poll(find).toBeDefined();
  return find()?.mail.text ?? "";
}

async function submitAndConfirm({ url }: ServerProcess, email: string): Promise<void> {
  expect((await sendForm(url, { email })).status).toBe(200);
  const mail = await mailTo(email, /^Confirm the deletion/);
  const link = /https?:\S*\?link=[\w-]+/.exec(mail)?.[0] ?? "";
  const place = (await fetch(link, { redirect: "manual" })).headers.get("location") ?? "";
  const visit = new URLSearchParams(place.split("?")[1]).get("visit") ?? "";
  const pressed = await fetch(url + paths.deletion, {
    method: "POST",
    body: new URLSearchParams({ act: "confirm", visit }),
    headers: { Origin: url },
    redirect: "manual",
  });
  expect(pressed.status).toBeLessThan(400);
}

/**
 * Simulates the end of the undo window by moving the times of completed requests back. The server runs in another
 * process, so the test can't change its clock. Returns the number of changed requests.
 */
function passUndo(): number | bigint {
  const earlier = ["received_at", "confirmed_at", "started_at", "done_at"].map(
    (time) => `${time} = strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, '-11 minutes')`,
  );
  const sql = `update requests set ${earlier.join()} where done_at is not null`;
  return inStore(join(folder, "requests.sqlite"), (db) => db.prepare(sql).run().changes);
}

/** Opens a database while other processes are using it. */
function inStore<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  using db = new DatabaseSync(path, { timeout: 30_000 });
  return work(db);
}

/**
 * Waits until the account system has answered, then makes the completion final. A restart runs due
 * jobs immediately.
 */
async function untilFinal(): Promise<void> {
  await expect.poll(passUndo).toBe(1);
  await server?.stop();
  server = await startServerProcess(settings, folder);
}

test("the webhook example deletes exactly the requested account", async () => {
  const site = await start(example.sent);
  await example.receive(site.url);
  const { code, stdout, stderr } = await check(example.sent);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n").filter(Boolean)).toEqual([
    "good   It took a signed ping (204).",
    "good   It took a ping with two signatures, as while a secret is replaced (204).",
    "good   It refused a ping without a signature (401).",
    "good   It refused a ping that someone else had signed (401).",
    "good   It refused a ping of ten minutes ago (401).",
    "good   It refused a ping from ten minutes ahead (401).",
    `good   Signed answers arrive at ${site.url}/hooks/account-system.`,
  ]);

  example.enter("u-1", "anika@uni.example");
  example.enter("u-2", "bela@uni.example");
  await submitAndConfirm(site, "anika@uni.example");
  await untilFinal();
  await mailTo("anika@uni.example", /^Done/);
  expect(example.count("u-1")).toBe(0);
  expect(example.count("u-2")).toBe(4);
  expect(await example.readFolder()).not.toContain("anika@uni.example");
});

describe("the webhook example", () => {
  /** The example's answers, which arrive at `standIn` instead of the site. */
  let answers: { type: string; data: Record<string, unknown> }[];
  let status: number | undefined;
  let standIn: Server;

  beforeEach(async () => {
    answers = [];
    status = 200;
    standIn = createServer(async (request, response) => {
      const body = await text(request);
      if (status === undefined) return;
      answers.push(JSON.parse(body));
      response.writeHead(status).end();
    }).listen(0, "127.0.0.1");
    await once(standIn, "listening");
    await example.receive(siteUrl());
    example.enter("u-1", "anika@uni.example");
  });

  afterEach(() => {
    standIn.closeAllConnections();
    standIn.close();
  });

  const siteUrl = () => `http://127.0.0.1:${(standIn.address() as AddressInfo).port}`;
  const ask = (id: string, { store = "accounts", ...more }: { store?: string; test?: true } = {}) =>
    example.send({
      type: "account.deletion.requested",
      data: { id, address: "anika@uni.example", kinds: [{ store, kind: "identity" }], ...more },
    });
  const untilAnswered = (type: string) =>
    vi.waitUntil(
      () => answers.some((answer) => answer.type === `account.deletion.${type}`),
      60_000,
    );

  type Options = { store?: string; test?: true };
  test.each<[string, string, Options, says: [type: string, object]]>([
    [
      "an unknown store",
      "select 1",
      { store: "cellar" },
      ["failed", { again: false, reason: expect.stringContaining("cellar") }],
    ],
    ["an unknown address", "update users set email = 'b@uni.example'", {}, ["not-found", {}]],
    ["an account with an open ride", "update users set open_ride = 1", {}, ["blocked", {}]],
    ["an account in a dry run", "select 1", { test: true }, ["completed", {}]],
  ])("deletes nothing for %s", async (_, before, about, [type, says]) => {
    example.execute(before);
    expect(await ask("del_1", about)).toBe(204);
    await untilAnswered(type);
    expect(answers.at(-1)?.data).toMatchObject(says);
    expect(example.count("u-1")).toBe(4);
  });

  test("deletes an account completely or not at all", async () => {
    example.execute(
      "create trigger stuck before delete on users begin select raise(abort, 'stuck'); end",
    );
    await ask("del_1");
    await untilAnswered("failed");
    expect(answers.at(-1)?.data).toMatchObject({ again: true });
    expect(example.count("u-1")).toBe(4);
    example.execute("drop trigger stuck");
    await ask("del_1");
    await untilAnswered("completed");
    expect(example.count("u-1")).toBe(0);
  });

  test("remembers an acknowledged event after a crash", async () => {
    status = undefined;
    expect(await ask("del_1")).toBe(204);
    await example.kill();
    status = 200;
    await example.receive(siteUrl());
    await untilAnswered("completed");
    expect(example.count("u-1")).toBe(0);
  });
});

test("the polling example deletes an account and reports the completion", async () => {
  const site = await start(example.fetched);
  // No events are waiting, so this run only creates the tables.
  expect(await example.poll(site.url)).toBe(0);
  example.enter("u-1", "anika@uni.example");
  await submitAndConfirm(site, "anika@uni.example");
  // The check must leave the event in the queue.
  const { code, stdout } = await check(example.fetched);
  expect(code).toBe(0);
  expect(stdout).toContain("Events can be fetched there with the token.");
  expect(await example.poll(site.url)).toBe(0);
  expect(example.count("u-1")).toBe(0);
  expect(passUndo()).toBe(1);
});

/** Runs `npm run account-system -- check`. */
function check(settings: Record<string, string>) {
  const about = { DATA_DIR: folder, PUBLIC_URL: server?.url ?? "", ...settings };
  return runToEnd("server/cli/account-system.ts", about, ["check"]);
}

/** Prepares the example's processes and the path of its database. */
async function prepareExample() {
  const dataDir = join(folder, "accounts");
  await mkdir(dataDir);
  const path = join(dataDir, "accounts.sqlite");
  const port = await findFreePort();
  const eventSecret = createSecret();
  const answerSecret = createSecret();
  const pollToken = "poll".repeat(10);
  const children: ChildProcess[] = [];

  function run(file: string, site: string): ChildProcess {
    const child = spawnProgram(`examples/account-system/${file}`, {
      PORT: String(port),
      ACCOUNTS_DB: path,
      SITE_HOOK: site + hookPaths.accountSystem,
      EVENT_SECRET: eventSecret,
      ANSWER_SECRET: answerSecret,
      POLL_TOKEN: pollToken,
    });
    children.push(child);
    return child;
  }

  return {
    /** Settings for a site that calls the example's webhook. */
    sent: {
      ACCOUNT_SYSTEM_URL: `http://127.0.0.1:${port}/`,
      ACCOUNT_SYSTEM_SECRET: eventSecret,
      ACCOUNT_SYSTEM_INBOUND_SECRET: answerSecret,
      ACCOUNT_SYSTEM_MODE: "live",
    },
    /** Settings for a site that the example polls. */
    fetched: {
      ACCOUNT_SYSTEM_POLL_TOKEN: pollToken,
      ACCOUNT_SYSTEM_INBOUND_SECRET: answerSecret,
      ACCOUNT_SYSTEM_MODE: "live",
    },
    /** Starts the receiver and waits until it is listening. */
    async receive(site: string): Promise<void> {
      const child = run("receiver.mjs", site);
      await once(child.stdout as NodeJS.ReadableStream, "data");
    },
    /** Sends an event as the site does. Returns the response's status. */
    async send(event: { type: string; data: unknown }): Promise<number> {
      const body = JSON.stringify(event);
      const headers = signAs(eventSecret, body, new Date());
      return (await fetch(this.sent.ACCOUNT_SYSTEM_URL, { method: "POST", headers, body })).status;
    },
    /** Kills the example's processes, as a power failure would. */
    async kill(): Promise<void> {
      for (const child of children.splice(0)) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill("SIGKILL");
        await once(child, "close");
      }
    },
    execute: (statement: string) => inStore(path, (db) => db.exec(statement)),
    /** Polls once. Returns the poller's exit code. */
    async poll(site: string): Promise<number> {
      const [code] = await once(run("poller.mjs", site), "close");
      return Number(code);
    },
    /** Inserts an account with two rides and a driver's license. */
    enter: (id: string, email: string) =>
      inStore(path, (db) => {
        db.prepare("insert into users values (?, ?, ?, 0)").run(id, email, id);
        for (const route of ["Gate 2 to Library", "Hall 4 to TSC"]) {
          db.prepare("insert into rides (user_id, route) values (?, ?)").run(id, route);
        }
        db.prepare("insert into papers (user_id, kind) values (?, 'licence')").run(id);
      }),
    /** Counts an account's rows in all tables. */
    count: (id: string) =>
      inStore(path, (db) => {
        const sql = `select (select count(*) from users where id = $id)
          + (select count(*) from rides where user_id = $id)
          + (select count(*) from papers where user_id = $id) as count`;
        return Number(db.prepare(sql).get({ id })?.count);
      }),
    async readFolder(): Promise<string> {
      const names = await readdir(dataDir);
      const texts = await Promise.all(names.map((name) => readFile(join(dataDir, name), "latin1")));
      return texts.join("\n");
    },
  };
}
