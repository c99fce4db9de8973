import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { Client } from "pg";
import { type Database, openDatabase, type Underneath } from "./database.ts";
import type { AnyKysely } from "./upgrading.ts";

/**
 * For tests: the database that they run on. `TEST_DATABASE=postgres` takes the PostgreSQL that `TEST_DATABASE_URL`
 * names, by somebody who may make databases there; each data folder has one of its own.
 */
export const runsOnPostgres = process.env.TEST_DATABASE === "postgres";

/**
 * What to open for a data folder: with all tables, made where there is none yet. Undefined where the database is a file.
 * @param isEmpty without tables, for what is moved into it
 */
export async function provideTestDatabase(folder: string, isEmpty = false) {
  if (!runsOnPostgres) {
    if (!isEmpty) await copyFile(folder);
    return undefined;
  }
  const name =
    lent.get(folder) ?? (isEmpty ? undefined : shelf.pop()) ?? (await makeDatabase(isEmpty));
  lent.set(folder, name);
  return databaseUrl(name);
}

/** By the folders that they belong to. */
const lent = new Map<string, string>();
/** Those that were given back: making one takes longer than most tests. */
const shelf: string[] = [];

async function makeDatabase(isEmpty: boolean): Promise<string> {
  const template = process.env.TEST_DATABASE_TEMPLATE;
  const name = `${template}_${randomBytes(6).toString("hex")}`;
  const of = `template ${isEmpty ? "template0" : template} encoding 'UTF8'`;
  await askPostgres(serverUrl(), `create database ${name} ${of}`);
  return name;
}

/** As it was when it was made, whoever is still at it. */
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

/** The bytes of a file with all tables. */
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
 * From now on a file waits for no disk: what a test of this process stores is gone with its folder anyway. PostgreSQL does
 * not write its tables anew for what is erased: here rows are looked for, their bytes in tests/postgres/writers.test.ts.
 */
export async function forgoDisk(database: Database, store: Underneath): Promise<AnyKysely> {
  const kysely = new Kysely({ dialect: store.dialect });
  if (!database.isShared) await sql`pragma synchronous = off`.execute(kysely);
  if (runsOnPostgres) database.erasePhysically = async () => true;
  return kysely;
}

/** Lets nothing more be written, as a database that may only be read; false mends it. */
export async function breakTestDatabase(kysely: AnyKysely, isBroken: boolean): Promise<void> {
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

/** What a process that is started on a data folder must be told of its database. */
export async function settingsFor(
  folder: string,
  isEmpty = false,
): Promise<Record<string, string>> {
  const url = await provideTestDatabase(folder, isEmpty);
  return { DATA_DIR: folder, ...(url !== undefined && { DATABASE_URL: url }) };
}

/** Says `sql` to the database of a data folder, which somebody else may have open. Counts may come as text. */
export async function askTestDatabase(folder: string, sql: string) {
  if (runsOnPostgres) return askPostgres(urlOf(folder), sql);
  using database = new DatabaseSync(join(folder, "requests.sqlite"), { timeout: 30_000 });
  return database.prepare(sql).all();
}

/** What a process that was killed had begun may still be under way in PostgreSQL: waits until that has ended. */
export async function waitUntilLeft(folder: string): Promise<void> {
  const others =
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
  while (runsOnPostgres && (await askTestDatabase(folder, others)).length > 0) await setTimeout(20);
}

/** Call when nothing has it open any more: the next folder gets it, with nothing in it. */
export async function returnTestDatabase(folder: string): Promise<void> {
  const name = lent.get(folder);
  if (!name) return;
  lent.delete(folder);
  await askPostgres(databaseUrl(name), emptying).then(
    () => shelf.push(name),
    // One that never had its tables.
    () => askPostgres(serverUrl(), `drop database ${name} with (force)`),
  );
}

/** Every row of it, as text. What its files still hold is read where nothing else is at work (`readTables`). */
export async function readTestDatabase(folder: string): Promise<string> {
  return runsOnPostgres ? readRows(urlOf(folder)) : "";
}

/**
 * The bytes of the tables and indexes, where the server's own files can be read, and else all of the rows. What the
 * write-ahead log keeps is not among them.
 */
export async function readTables(url: string): Promise<string> {
  await askPostgres(url, "checkpoint");
  const [found] = await askPostgres(
    url,
    "select current_setting('data_directory') as data, oid from pg_database where datname = current_database()",
  );
  const base = join(String(found?.data), "base", String(found?.oid));
  const files = await readdir(base).catch(() => undefined);
  if (!files) return readRows(url);
  // Some go away at this moment.
  const read = files.map((name) => readFile(join(base, name), "latin1").catch(() => ""));
  return (await Promise.all(read)).join("\n");
}

async function readRows(url: string): Promise<string> {
  const tables = await askPostgres(
    url,
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts = await Array.fromAsync(tables, async ({ name }) => {
    const rows = await askPostgres(url, `select t::text as row from ${name} t`);
    return rows.map(({ row }) => String(row));
  });
  return texts.flat().join("\n");
}

function urlOf(folder: string): string {
  const name = lent.get(folder);
  if (!name) throw new Error(`No database was provided for ${folder}`);
  return databaseUrl(name);
}

function databaseUrl(name: string): string {
  return Object.assign(new URL(serverUrl()), { pathname: `/${name}` }).href;
}

/** The server of this test run: the one that was started for it, or the one that TEST_DATABASE_URL names. */
export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_DATABASE_URL must name a PostgreSQL server for these tests");
  return url;
}

/** Says `sql` on a connection of its own and returns the rows, as PostgreSQL's client gives them. */
export async function askPostgres(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  // A server that goes away while nobody asks is no fault of the one who asked before.
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
