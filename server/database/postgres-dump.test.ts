import { expect, test } from "vitest";
import { parsePostgresAddress } from "./postgres-address.ts";
import { tellDump } from "./postgres-dump.ts";

async function tell(text: string, client: number | undefined): Promise<string> {
  const parsed = parsePostgresAddress(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  const command = async () => [{ version: 150018 }];
  const told = await tellDump(parsed.address, { command }, async () => client);
  expect(told).not.toContain("hidden");
  return told;
}

const lineOf = (told: string) => /^ {2}(pg_dump .*)$/m.exec(told)?.[1];

test("the whole command is told, with everything of the address but the password", async () => {
  expect(lineOf(await tell("postgres://site:hidden@127.0.0.1:6432/requests", 15))).toBe(
    "pg_dump --format=custom --no-owner --file=FILE 'postgresql://site@127.0.0.1:6432/requests'",
  );
  const socket = "postgres://site:hidden@localhost/requests?host=/run/postgresql";
  expect(lineOf(await tell(socket, 15))).toBe(
    "pg_dump --format=custom --no-owner --file=FILE 'postgresql://site@localhost/requests?host=%2Frun%2Fpostgresql&port=5432'",
  );
  expect(lineOf(await tell("postgres://o'neil:hidden@db.example/requests", 17))).toBe(
    "pg_dump --format=custom --no-owner --file=FILE 'postgresql://o%27neil@db.example:5432/requests?sslmode=verify-full&sslrootcert=system'",
  );
});

test("a pg_dump that is missing, or older than the server, is told with what to install", async () => {
  const url = "postgres://site@127.0.0.1/requests";
  expect(await tell(url, 15)).toMatch(/finds it in ~\/\.pgpass\.$/);
  expect(await tell(url, 17)).toMatch(/finds it in ~\/\.pgpass\.$/);
  expect(await tell(url, undefined)).toMatch(
    /There is no pg_dump on this machine: install PostgreSQL's client programs of version 15 or newer \(postgresql-client-15\)\.$/,
  );
  expect(await tell(url, 13)).toMatch(
    /The pg_dump of this machine is of version 13 and refuses a server of version 15: install .* of version 15 or newer/,
  );
});
