import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSecret, signAs } from "../../server/account-system/account-system.fixture.ts";
import { hookPaths } from "../../server/http/paths.ts";
import { findFreePort } from "./free-port.ts";
import { spawnProgram } from "./server-process.ts";

export type ExampleAccountSystem = Awaited<ReturnType<typeof prepareExample>>;

/**
 * The example account system as somebody would run it: processes of their own, and a database with users, rides and
 * papers that is really deleted from.
 */
export async function prepareExample() {
  const dataDir = await mkdtemp(join(tmpdir(), "accounts-"));
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
    /** Settings of a site that sends to it. */
    sent: {
      ACCOUNT_SYSTEM_URL: `http://127.0.0.1:${port}/`,
      ACCOUNT_SYSTEM_SECRET: eventSecret,
      ACCOUNT_SYSTEM_INBOUND_SECRET: answerSecret,
      ACCOUNT_SYSTEM_MODE: "live",
    },
    /** Settings of a site that it fetches from. */
    fetched: {
      ACCOUNT_SYSTEM_POLL_TOKEN: pollToken,
      ACCOUNT_SYSTEM_INBOUND_SECRET: answerSecret,
      ACCOUNT_SYSTEM_MODE: "live",
    },
    /** Starts the receiver and waits until it listens. */
    async receive(site: string): Promise<void> {
      const child = run("receiver.mjs", site);
      await once(child.stdout as NodeJS.ReadableStream, "data");
    },
    /** Sends an event as the site does. Returns the status. */
    async send(event: { type: string; data: unknown }): Promise<number> {
      const body = JSON.stringify(event);
      const headers = signAs(eventSecret, body, new Date());
      return (await fetch(this.sent.ACCOUNT_SYSTEM_URL, { method: "POST", headers, body })).status;
    },
    /** Ends its processes as a power cut does. */
    async kill(): Promise<void> {
      for (const child of children.splice(0)) {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    },
    /** Something befalls its database. */
    befall(statement: string): void {
      const db = new DatabaseSync(path, { timeout: 5000 });
      db.exec(statement);
      db.close();
    },
    /** Fetches once, and waits for the end. Returns the exit code. */
    async poll(site: string): Promise<number> {
      const [code] = await once(run("poller.mjs", site), "close");
      return Number(code);
    },
    /** Enters an account with two rides and a driving licence. */
    enter(id: string, email: string): void {
      const db = new DatabaseSync(path, { timeout: 5000 });
      db.prepare("insert into users values (?, ?, ?, 0)").run(id, email, id);
      for (const route of ["Gate 2 to Library", "Hall 4 to TSC"]) {
        db.prepare("insert into rides (user_id, route) values (?, ?)").run(id, route);
      }
      db.prepare("insert into papers (user_id, kind) values (?, 'licence')").run(id);
      db.close();
    },
    /** How many rows an account has in all tables. */
    count(id: string): number {
      const db = new DatabaseSync(path, { readOnly: true, timeout: 30_000 });
      const { count } = db
        .prepare(
          `select (select count(*) from users where id = $id) + (select count(*) from rides where user_id = $id)
             + (select count(*) from papers where user_id = $id) as count`,
        )
        .get({ id }) as { count: number };
      db.close();
      return count;
    },
    /** Everything that lies in its folder. */
    async readFolder(): Promise<string> {
      const names = await readdir(dataDir);
      const texts = await Promise.all(names.map((name) => readFile(join(dataDir, name), "latin1")));
      return texts.join("\n");
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill();
        await once(child, "close");
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
