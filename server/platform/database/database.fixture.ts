import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { Client } from "pg";
import { type Database, openDatabase, type Underneath } from "./database.ts";
import type { AnyKysely } from "./migrate.ts";
import type { Read, Write } from "./statement.ts";

/**
 * Databases for tests. With `TEST_DATABASE=postgres`, each data folder gets a separate database on
 * the PostgreSQL server at `TEST_DATABASE_URL`, whose user must be allowed to create databases.
 */
export const runsOnPostgres = process.env.TEST_DATABASE === "postgres";

/**
 * Provides the database for a data folder. A new database has all tables. Returns the database's
 * URL, or `undefined` for SQLite.
 * @param options.isEmpty whether to omit the tables, for the target of a move
 */
export async function provideTestDatabase(folder: string, { isEmpty = false } = {}) {
  if (!runsOnPostgres) {
    if (!isEmpty) await copyFile(folder);
    return undefined;
  }
  const name =
    borrowed.get(folder) ??
    (isEmpty ? undefined : shelf.pop()) ??
    (await makeDatabase({ isEmpty }));
  borrowed.set(folder, name);
  return databaseUrl(name);
}

/** Names of the databases in use, keyed by data folder. */
const borrowed = new Map<string, string>();
/**
 * Names of returned databases, which are reused because creating a database takes longer than most
 * tests.
 */
const shelf: string[] = [];

async function makeDatabase({ isEmpty }: { isEmpty: boolean }): Promise<string> {
  const template = process.env.TEST_DATABASE_TEMPLATE;
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  const of = `template ${isEmpty ? "template0" : template} encoding 'UTF8'`;
  await queryPostgres(serverUrl(), `create database ${name} ${of}`);
  return name;
}

/** SQL that disconnects all other clients and restores the database's initial state. */
const emptying = `
  select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid();
  do $$ begin
    drop trigger if exists broken on requests;
    execute (select 'truncate ' || string_agg(quote_ident(relname), ', ') || ' cascade'
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and pg_relation_size(oid) > 0 and relname not like 'kysely%');
    perform setval(oid, 1, false)
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S';
    insert into account_system (id) values (1);
  end $$`;

/** Contents of a database file with all tables and no rows. */
let prepared: Promise<Buffer> | undefined;

async function copyFile(folder: string): Promise<void> {
  prepared ??= prepareFile();
  const options = { mode: 0o600, flag: "wx" };
  await writeFile(join(folder, "requests.sqlite"), await prepared, options).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

async function prepareFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "prepared-"));
  const opened = await openDatabase({ dataDir: folder });
  if (!opened.ok) throw new Error(opened.problem);
  await opened.database.close();
  const bytes = await readFile(join(folder, "requests.sqlite"));
  await rm(folder, { recursive: true });
  return bytes;
}

/**
 * Stops syncing to disk, because a test's data is deleted with its folder anyway. On PostgreSQL,
 * also skips rewriting tables after an erasure, because these tests look only for rows;
 * tests/postgres/writers.test.ts looks for leftover bytes.
 */
export async function forgoDisk(database: Database, store: Underneath): Promise<AnyKysely> {
  const kysely = new Kysely({ dialect: store.dialect });
  if (!database.isShared) {
    await sql`pragma synchronous = off`.execute(kysely);
    // The real `change` would turn syncing on again for the next write.
    database.change = database.write;
  }
  if (runsOnPostgres) database.erasePhysically = async () => true;
  return kysely;
}

export async function makeTestDatabase(
  kysely: AnyKysely,
  state: "read-only" | "writable",
): Promise<void> {
  const isBroken = state === "read-only";
  if (!runsOnPostgres) {
    await sql.raw(`pragma query_only = ${isBroken}`).execute(kysely);
    return;
  }
  await sql`drop trigger if exists broken on requests`.execute(kysely);
  if (!isBroken) return;
  await sql`create or replace function refuse() returns trigger language plpgsql
    as $$ begin raise exception 'refused' using errcode = '25006'; end $$`.execute(kysely);
  await sql`create trigger broken before insert or update on requests execute function refuse()`.execute(
    kysely,
  );
}

/** Returns the environment variables that point a child process to a data folder's database. */
export async function settingsFor(
  folder: string,
  options: { isEmpty?: boolean } = {},
): Promise<Record<string, string>> {
  const url = await provideTestDatabase(folder, options);
  return { DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) };
}

/**
 * Runs `sql` on a data folder's database, even if another process has it open. PostgreSQL returns
 * counts as text.
 */
export async function queryTestDatabase(folder: string, sql: string) {
  if (runsOnPostgres) return queryPostgres(urlOf(folder), sql);
  using database = new DatabaseSync(join(folder, "requests.sqlite"), { timeout: 30_000 });
  return database.prepare(sql).all();
}

/** Waits until PostgreSQL has ended the sessions of a killed process. */
export async function waitUntilLeft(folder: string): Promise<void> {
  const otherConnections =
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  while (runsOnPostgres && (await queryTestDatabase(folder, otherConnections)).length > 0)
    await setTimeout(20);
}

/**
 * Empties a folder's database and keeps it for reuse. Call this only after every process has closed
 * the database.
 */
export async function returnTestDatabase(folder: string): Promise<void> {
  const name = borrowed.get(folder);
  if (!name) return;
  borrowed.delete(folder);
  await queryPostgres(databaseUrl(name), emptying).then(
    () => shelf.push(name),
    // A database that never had tables can't be emptied, so it is dropped.
    () => queryPostgres(serverUrl(), `drop database ${name} with (force)`),
  );
}

/**
 * Returns all rows of a PostgreSQL database as text, or an empty string for SQLite. To look for
 * leftover bytes, use `readTables` while nothing else is running.
 */
export async function readTestDatabase(folder: string): Promise<string> {
  return runsOnPostgres ? readRows(urlOf(folder)) : "";
}

/**
 * Returns the bytes of tables and indexes if the server's files are accessible, otherwise all rows.
 * Excludes the write-ahead log.
 */
export async function readTables(url: string): Promise<string> {
  await queryPostgres(url, "checkpoint");
  const [found] = await queryPostgres(
    url,
    "select current_setting('data_directory') as data, oid from pg_database where datname = current_database()",
  );
  const base = join(String(found?.data), "base", String(found?.oid));
  const files = await readdir(base).catch(() => undefined);
  if (!files) return readRows(url);
  // A file may have disappeared since the query.
  const read = files.map((name) => readFile(join(base, name), "latin1").catch(() => ""));
  return (await Promise.all(read)).join("\n");
}

async function readRows(url: string): Promise<string> {
  const tables = await queryPostgres(
    url,
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts = await Array.fromAsync(tables, async ({ name }) => {
    const rows = await queryPostgres(url, `select t::text as row from ${name} t`);
    return rows.map(({ row }) => String(row));
  });
  return texts.flat().join("\n");
}

function urlOf(folder: string): string {
  const name = borrowed.get(folder);
  if (!name) throw new Error(`No database was provided for ${folder}`);
  return databaseUrl(name);
}

function databaseUrl(name: string): string {
  return Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
}

export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url)
    throw new Error("TEST_DATABASE_URL must be the URL of a PostgreSQL server for these tests");
  return url;
}

/** Runs `sql` on a new connection and returns the rows as `pg` parses them. */
export async function queryPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // The server may stop after it answers, which must not make the query fail.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Wraps a database to count the rows that it reads and the changes that it runs. */
export function countRows(database: Database) {
  const counts = { read: 0, ran: 0 };
  const watch = <Connection extends Read>(connection: Connection) => ({
    ...connection,
    async all(...args: Parameters<Read["all"]>) {
      const rows = await connection.all(...args);
      counts.read += rows.length;
      return rows;
    },
  });
  const counted = {
    ...database,
    read: watch(database.read),
    write: (work: (transaction: Write) => Promise<unknown>) =>
      database.write((transaction) =>
        work({
          ...watch(transaction),
          run(...args: Parameters<Write["run"]>) {
            counts.ran++;
            return transaction.run(...args);
          },
        } as Write),
      ),
  } as Database;
  return { database: counted, counts };
}
