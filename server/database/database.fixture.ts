import { createHash } from "node:crypto";
import { Client } from "pg";

/**
 * For tests: the database that they run on. `TEST_DATABASE=postgres` takes the PostgreSQL that `TEST_DATABASE_URL`
 * names, by somebody who may make databases there; each data folder has one of its own.
 */
export const runsOnPostgres = process.env.TEST_DATABASE === "postgres";

/** What to open for a data folder: made where it is missing. Undefined where the database is a file. */
export async function provideTestDatabase(folder: string): Promise<string | undefined> {
  if (!runsOnPostgres) return undefined;
  const name = nameFor(folder);
  await command(`create database ${name} template template0 encoding 'UTF8'`).catch((error) => {
    if (error.code !== "42P04") throw error;
  });
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Call when nothing has it open any more. */
export async function dropTestDatabase(folder: string): Promise<void> {
  if (runsOnPostgres) await command(`drop database if exists ${nameFor(folder)} with (force)`);
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
