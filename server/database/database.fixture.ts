import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import { Client } from "pg";
import type { Tables } from "./schema.ts";

/**
 * For tests: the database that they run on. `TEST_DATABASE=postgres` takes the PostgreSQL that `TEST_DATABASE_URL`
 * names, by somebody who may make databases there; each data folder has one of its own.
 */
export const runsOnPostgres = process.env.TEST_DATABASE === "postgres";

/** What to open for a data folder: made where it is missing. Undefined where the database is a file. */
export async function provideTestDatabase(folder: string): Promise<string | undefined> {
  if (!runsOnPostgres) return undefined;
  const name = nameFor(folder);
  // With the tables in it, where the run's setup made such a one.
  const template = process.env.TEST_DATABASE_TEMPLATE ?? "template0";
  await command(`create database ${name} template ${template} encoding 'UTF8'`).catch((error) => {
    if (error.code !== "42P04") throw error;
  });
  return databaseUrl(folder);
}

/** Lets nothing more be written, as a full disk or one that only reads would; undefined mends it. */
export async function breakTestDatabase(
  kysely: Kysely<Tables>,
  how: "full" | "read-only" | undefined,
): Promise<void> {
  if (!runsOnPostgres) {
    await sql.raw(`pragma query_only = ${how === "read-only"}`).execute(kysely);
    await sql.raw(`pragma max_page_count = ${how === "full" ? 1 : 100_000}`).execute(kysely);
    return;
  }
  await sql`drop trigger if exists broken on requests`.execute(kysely);
  if (how === undefined) return;
  const code = how === "full" ? "53100" : "25006";
  await sql
    .raw(`create or replace function refuse() returns trigger language plpgsql
      as $$ begin raise exception 'refused' using errcode = '${code}'; end $$`)
    .execute(kysely);
  await sql`create trigger broken before insert or update on requests execute function refuse()`.execute(
    kysely,
  );
}

/** Call when nothing has it open any more. */
export async function dropTestDatabase(folder: string): Promise<void> {
  if (runsOnPostgres) await command(`drop database if exists ${nameFor(folder)} with (force)`);
}

/** Every row of it, as text. What its files still hold is read where nothing else is at work (`readTables`). */
export async function readTestDatabase(folder: string): Promise<string> {
  if (!runsOnPostgres) return "";
  return withClient(databaseUrl(folder), readRows);
}

/**
 * The bytes of the tables and indexes, where the server's own files can be read, and else all of the rows. What the
 * write-ahead log keeps is not among them.
 */
export function readTables(url: string): Promise<string> {
  return withClient(url, async (client) => {
    await client.query("checkpoint");
    const { rows } = await client.query(
      "select current_setting('data_directory') as data, oid from pg_database where datname = current_database()",
    );
    const base = join(rows[0].data, "base", String(rows[0].oid));
    const files = await readdir(base).catch(() => undefined);
    if (!files) return readRows(client);
    // Some go away at this moment.
    const read = files.map((name) => readFile(join(base, name), "latin1").catch(() => ""));
    return (await Promise.all(read)).join("\n");
  });
}

async function readRows(client: Client): Promise<string> {
  const tables = await client.query(
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const found = await client.query(`select t::text as row from ${name} t`);
    texts.push(...found.rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

async function withClient(url: string, work: (client: Client) => Promise<string>): Promise<string> {
  const client = new Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(folder: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${nameFor(folder)}`;
  return url.href;
}

function nameFor(folder: string): string {
  return `test_${createHash("sha256").update(folder).digest("hex").slice(0, 24)}`;
}

function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("TEST_DATABASE_URL must name a PostgreSQL server for these tests");
  return url;
}

async function command(sql: string): Promise<void> {
  const client = new Client(serverUrl());
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
