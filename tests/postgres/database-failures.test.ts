import { chown, mkdir, mkdtempDisposable, open, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { type MailServer, startMailServer } from "../faults/mail-server.fixture.ts";
import { campus } from "../harness/campus.ts";
import {
  filledForm,
  origin,
  referencePattern,
  sendForm,
  takesMany,
} from "../harness/deletion-form.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";
import { runToEnd, type ServerProcess, startServerProcess } from "../harness/server-process.ts";
import { fillDisk, mountSmallDisk } from "../harness/small-disk.ts";

/**
 * PostgreSQL faults while a site is running. tests/faults/storage-failures.test.ts covers SQLite.
 * During each fault, the site still serves pages, acknowledges no unstored form, and reports the
 * fault in its health check. After every fault but a damaged table, it recovers without a restart and
 * has every acknowledged form.
 */

const { notStored } = campus.deletion.problems;

let postgres: PostgresServer;
let mail: MailServer;
beforeAll(async () => {
  postgres = await startPostgres();
  mail = await startMailServer();
  await asAdmin("create role site login password 'guessable'");
});
afterAll(async () => {
  await mail.close();
  await postgres.close();
});

const asAdmin = (sql: string, url = postgres.url) => queryPostgres(url, sql);

let database: { name: string; url: string };
let site: ServerProcess | undefined;
let acknowledged: string[];
beforeEach(async () => {
  acknowledged = [];
  database = await createTestDatabase(postgres.url);
  await asAdmin(`alter database ${database.name} owner to site`);
  await asAdmin("alter schema public owner to site", database.url);
});
afterEach(async () => {
  await site?.stop("SIGKILL");
  site = undefined;
  await asAdmin(`drop database if exists ${database.name} with (force)`);
});

const settings = () => ({
  ...takesMany,
  DATABASE_URL: Object.assign(new URL(database.url), { username: "site", password: "guessable" })
    .href,
  SMTP_URL: mail.url,
  LOG_LEVEL: "fatal",
});

/** Starts a server and stores one form. */
async function start(): Promise<ServerProcess> {
  site = await startServerProcess(settings());
  expect((await post(site, nextForm())).status).toBe(200);
  return site;
}

async function post({ url }: ServerProcess, form: Record<string, string>) {
  const answer = await sendForm(url, form, origin);
  const text = await answer.text();
  const reference = referencePattern.exec(text)?.[0];
  if (answer.status === 200 && reference) acknowledged.push(reference);
  return { status: answer.status, text, reference };
}

let sent = 0;
const nextForm = () => filledForm({ email: `student${++sent}@uni.example` });

/** Expects the site to refuse a form and to report the fault. Returns the refused form. */
async function expectReported(
  server: ServerProcess,
  problem: RegExp,
): Promise<Record<string, string>> {
  const form = nextForm();
  expectRefused(await post(server, form));
  await expectReportedElsewhere(server, problem);
  return form;
}

function expectRefused(answer: Awaited<ReturnType<typeof post>>): void {
  expect(answer).toMatchObject({ status: 503, reference: undefined });
  expect(answer.text).toContain(notStored);
}

/** Expects the site to serve pages and the health check to report the fault. */
async function expectReportedElsewhere(server: ServerProcess, problem: RegExp): Promise<void> {
  expect((await fetch(`${server.url}/faq`)).status).toBe(200);
  // A small write, such as a heartbeat, may succeed and clear the fault until the next form.
  await expect
    .poll(async () => {
      await post(server, nextForm());
      const health = await server.health();
      return { status: health.status, problems: String(health.body.problems) };
    })
    .toEqual({ status: 503, problems: expect.stringMatching(problem) });
}

async function expectRecovered(server: ServerProcess, form: Record<string, string>): Promise<void> {
  await expect.poll(async () => (await post(server, form)).status).toBe(200);
  await expect.poll(async () => (await server.health()).status).toBe(200);
  const stored = await asAdmin("select reference from submissions", database.url);
  const references = stored.map(({ reference }) => String(reference));
  expect(references).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(references).size).toBe(references.length);
}

/** Disconnects all clients. */
const throwOut = () =>
  asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
  );

const cannotBeRead = /^The database cannot be read\.$/;
const cannotBeWritten = /^The database cannot be written\.$/;

test("refuses forms while the database is missing or replaced by an empty one", async () => {
  const server = await start();
  const { name } = database;
  await asAdmin(`alter database ${name} allow_connections false`);
  await throwOut();
  await asAdmin(`alter database ${name} rename to ${name}_away`);
  await expectReported(server, cannotBeRead);

  await asAdmin(`create database ${name} owner site`);
  const form = await expectReported(server, cannotBeRead);

  await asAdmin(`drop database ${name} with (force)`);
  await asAdmin(`alter database ${name}_away rename to ${name}`);
  await asAdmin(`alter database ${name} allow_connections true`);
  await expectRecovered(server, form);
}, 600_000);

test("refuses forms on a replica until the replica is promoted", async () => {
  const server = await start();
  const [found] = await asAdmin("select current_setting('data_directory') as data");
  await postgres.halt();
  await writeFile(join(String(found?.data), "standby.signal"), "");
  await postgres.start();

  const form = await expectReported(server, cannotBeWritten);
  const another = await runToEnd("server/main.ts", {
    ...settings(),
    PORT: "0",
    DATA_DIR: server.dataDir,
  });
  expect(another).toMatchObject({ code: 1, stdout: "" });
  expect(another.stderr).toBe(
    `The database ${database.name} at 127.0.0.1:${new URL(postgres.url).port} is a replica that only reads. Set DATABASE_URL to the server that it follows.\n`,
  );

  await asAdmin("select pg_promote()");
  await expectRecovered(server, form);
}, 600_000);

test("reports a full database disk and recovers once there is space", async (context) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "small-disk-"));
  using disk = mountSmallDisk(folder.path, 32 * 1024, context);
  const [found] = await asAdmin("select current_setting('data_directory') as data");
  const { uid, gid } = await stat(String(found?.data));
  await mkdir(join(disk.path, "space"));
  await chown(join(disk.path, "space"), uid, gid);
  await asAdmin(`create tablespace small location '${join(disk.path, "space")}'`);
  await asAdmin(`alter database ${database.name} set tablespace small`);
  const server = await start();

  const big = await fillDisk(disk.path);
  // Fills the remaining space in existing pages. After one refused form, another may still fit.
  let form: Record<string, string>;
  let answer: Awaited<ReturnType<typeof post>>;
  do {
    form = nextForm();
    answer = await post(server, form);
  } while (answer.status === 200);
  expectRefused(answer);
  await expectReportedElsewhere(server, cannotBeWritten);

  await rm(big);
  await expectRecovered(server, form);
  await server.stop();
  await asAdmin(`drop database ${database.name} with (force)`);
  await asAdmin("drop tablespace small");
}, 600_000);

test("reports a damaged table and stores no form", async () => {
  const server = await start();
  const [found] = await asAdmin(
    "select current_setting('data_directory') || '/' || pg_relation_filepath('requests') as path",
    database.url,
  );
  await postgres.halt();
  const file = await open(String(found?.path), "r+");
  const { size } = await file.stat();
  await file.write(Buffer.alloc(size, 7), 0, size, 0);
  await file.close();
  await postgres.start();
  await expectReported(server, cannotBeRead);
}, 600_000);
