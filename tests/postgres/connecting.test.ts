import { chown, copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { openDatabase } from "../../server/platform/database/database.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { createTestDatabase, type PostgresServer, startPostgres } from "../harness/postgres.ts";

/**
 * Each problem with the database is reported on one line, which suggests a remedy and omits the
 * password. For the error codes, see server/platform/database/postgres-address.test.ts.
 */

let postgres: PostgresServer;
let ownDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
/** The database as the reported problems name it. */
let name: string;
/** The problem with a server that never responds. Other tests run during the timeout. */
let silent: Promise<string>;

beforeAll(async () => {
  postgres = await startPostgres();
  ownDatabase = await createTestDatabase(postgres.url);
  folder = await mkdtemp(join(tmpdir(), "connecting-"));
  name = `${ownDatabase.name} at 127.0.0.1:${new URL(ownDatabase.url).port}`;
  silent = problemWithServer(() => {});
});
afterAll(async () => {
  await postgres.close();
  await rm(folder, { recursive: true });
});

const asAdmin = (sql: string, url = postgres.url) => queryPostgres(url, sql);

/** Returns the problem with a database URL, or "opened". */
async function openingProblem(url: string, { mustExist = false } = {}): Promise<string> {
  const opened = await openDatabase({ dataDir: folder, url, mustExist });
  if (opened.ok) {
    await opened.database.close();
    return "opened";
  }
  expect(opened.problem).not.toContain(new URL(ownDatabase.url).password);
  expect(opened.problem).toMatch(/^[^\n]+\.$/);
  return opened.problem;
}

type Part = "pathname" | "host" | "search";
const with_ = (change: Partial<Record<Part, string>>) =>
  Object.assign(new URL(ownDatabase.url), change).href;

/**
 * Creates a database, runs the statements in it, and returns the problem that opening it causes.
 */
async function problemWith(
  database: string,
  options: string,
  ...statements: string[]
): Promise<string> {
  await asAdmin(`create database ${database} template template0 ${options}`);
  const url = with_({ pathname: `/${database}` });
  for (const statement of statements) await asAdmin(statement, url);
  const problem = await openingProblem(url);
  await asAdmin(`drop database ${database}`);
  return problem;
}

test("explains how to fix an invalid database URL or reach the server", async () => {
  expect(await openingProblem("postgres://db.example")).toMatch(
    /^DATABASE_URL must be an address such as /,
  );
  expect(await openingProblem(with_({ host: "127.0.0.1:1" }))).toBe(
    `No PostgreSQL answers for the database ${ownDatabase.name} at 127.0.0.1:1 (ECONNREFUSED). Start it, or set DATABASE_URL to where it is.`,
  );
  expect(await openingProblem(with_({ search: `?host=${folder}/none` }))).toBe(
    `No PostgreSQL answers for the database ${ownDatabase.name} at ${folder}/none (ENOENT). Start it, or set DATABASE_URL to where it is.`,
  );
  expect(await openingProblem(with_({ host: "db.invalid:5432" }))).toMatch(
    /^The host db\.invalid of the database cannot be found \(E\w+\)\. Check its name in DATABASE_URL\.$/,
  );
});

test("explains how to create a suitable database", async () => {
  const at = `at 127.0.0.1:${new URL(ownDatabase.url).port}`;
  expect(await openingProblem(with_({ pathname: "/nowhere" }))).toBe(
    `There is no database nowhere ${at}. Make one with: createdb --encoding=UTF8 --template=template0 nowhere.`,
  );
  expect(await problemWith("latin", "encoding 'SQL_ASCII' locale_provider libc locale 'C'")).toBe(
    `The database latin ${at} keeps its text as SQL_ASCII, which cannot hold every name. Make one with: createdb --encoding=UTF8 --template=template0.`,
  );
  const set = (what: string) =>
    `do $$ begin execute format('alter database %I set ${what}', current_database()); end $$`;
  expect(await problemWith("careless", "", set("synchronous_commit = off"))).toBe(
    `The database careless ${at} tells what is not on its disk yet as stored. Set synchronous_commit to on for it.`,
  );
  expect(await problemWith("frozen", "", set("default_transaction_read_only = on"))).toBe(
    `The database frozen ${at} only reads. Set default_transaction_read_only to off for it, or DATABASE_URL to one that can be written.`,
  );
  // Simulates an older version, because no older server is available.
  const older = `create function public.current_setting(text) returns text language sql as
    $$ select case $1 when 'server_version_num' then '130021' else pg_catalog.current_setting($1) end $$`;
  expect(await problemWith("old", "", older, set("search_path = public, pg_catalog"))).toBe(
    `The database old ${at} is PostgreSQL 13, which is too old. Version 14 or newer is needed.`,
  );
  // Only the server creates tables. Commands must not.
  await asAdmin("create database bare template template0");
  expect(await openingProblem(with_({ pathname: "/bare" }), { mustExist: true })).toBe(
    `The database bare ${at} is empty. Only the server makes its tables: set DATABASE_URL to the one that it uses.`,
  );
});

/** Returns the problem with a server that isn't PostgreSQL or isn't ready. */
async function problemWithServer(answer: (socket: Socket) => void, search = ""): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const problem = await openingProblem(with_({ host: `127.0.0.1:${port}`, search }));
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  return problem.replace(String(port), "PORT");
}

// For an expired certificate, see server/platform/database/postgres-address.test.ts.
test("explains how to fix a missing, untrusted or mismatched certificate", async () => {
  expect(await openingProblem(with_({ search: "?sslmode=verify-full" }))).toBe(
    `The database ${name} does not encrypt its connections. Give it a certificate (ssl = on), or use it on this machine.`,
  );

  const { certificate, key } = await makeCertificate(folder, "database");
  const [found] = await asAdmin("select current_setting('data_directory') as data");
  const data = String(found?.data);
  const { uid, gid } = await stat(data);
  const take = async (file: string, to: string) => {
    await copyFile(file, join(data, to));
    await chown(join(data, to), uid, gid);
  };
  await take(key, "server.key");
  await take(certificate, "server.crt");
  await asAdmin("alter system set ssl = on");
  await asAdmin("select pg_reload_conf()");

  const trusting = `?sslrootcert=${certificate}`;
  // The server takes a moment to apply new settings.
  await expect.poll(() => openingProblem(with_({ search: trusting }))).toBe("opened");
  expect(await openingProblem(with_({ search: "?sslmode=verify-full" }))).toMatch(
    new RegExp(
      `^The certificate of the database ${name} cannot be trusted \\([A-Z_]+\\)\\. Name the one that signed it: \\?sslrootcert=/path/of/it\\.pem in DATABASE_URL\\.$`,
    ),
  );
  const { port } = new URL(ownDatabase.url);
  expect(await openingProblem(with_({ host: `localhost:${port}`, search: trusting }))).toBe(
    `The certificate of the database ${ownDatabase.name} at localhost:${port} is for another name than localhost. Set DATABASE_URL to the name that it is for.`,
  );
}, 600_000);

test("explains what to check if the server is silent, hangs up or isn't PostgreSQL", async () => {
  const at = `${ownDatabase.name} at 127.0.0.1:PORT`;
  const problems = await Promise.all([
    silent,
    problemWithServer((socket) => socket.end()),
    problemWithServer(
      (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
      "?sslmode=verify-full",
    ),
  ]);
  expect(problems).toEqual([
    `The database ${at} does not answer. Check DATABASE_URL, and whether a firewall is in between.`,
    `The program that answers for the database ${at} hung up. Check that it is PostgreSQL, and the machine and the port in DATABASE_URL.`,
    `The program that answers for the database ${at} is not PostgreSQL. Check the machine and the port in DATABASE_URL.`,
  ]);
}, 600_000);
