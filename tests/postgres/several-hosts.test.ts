import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryPostgres } from "../../server/platform/database/database.fixture.ts";
import { openDatabase } from "../../server/platform/database/database.ts";
import { insert } from "../../server/platform/database/monthly-counters.fixture.ts";
import { findFreePort } from "../harness/free-port.ts";
import { type PostgresServer, startPostgres } from "../harness/postgres.ts";

/**
 * Several hosts, of which only one accepts writes. The servers are independent; a read-only server
 * simulates a replica.
 */

let servers: PostgresServer[];
let url: string;
const folder = join(tmpdir(), "several-hosts");

beforeAll(async () => {
  servers = await Promise.all([startPostgres(), startPostgres()]);
  for (const { url } of servers) {
    await queryPostgres(url, "create role site login password 'guessable'");
    await queryPostgres(url, "create database requests owner site");
    const opened = await openDatabase({ dataDir: folder, url: urlOf(hostOf(url)) });
    if (!opened.ok) throw new Error(opened.problem);
    await opened.database.close();
  }
  const [first, second] = servers as [PostgresServer, PostgresServer];
  url = urlOf(`${hostOf(first.url)},${hostOf(second.url)}`);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});

const hostOf = (url: string) => new URL(url).host;
const urlOf = (hosts: string) =>
  `postgres://site:guessable@${hosts}/requests?target_session_attrs=read-write`;

/** Makes a server read-only, like a replica, or writable, like a promoted replica. */
async function make(server: PostgresServer | undefined, state: "read-only" | "writable") {
  const ask = (sql: string) => queryPostgres(server?.url ?? "", sql);
  const value = state === "read-only" ? "on" : "off";
  await ask(`alter system set default_transaction_read_only = ${value}`);
  await ask("select pg_reload_conf()");
  const current = async () =>
    (await ask("select current_setting('default_transaction_read_only') as value"))[0]?.value;
  await expect.poll(current).toBe(value);
}

async function monthsIn(server: PostgresServer | undefined) {
  const ownUrl = Object.assign(new URL(server?.url ?? ""), { pathname: "/requests" }).href;
  const rows = await queryPostgres(ownUrl, "select month from tallies order by month");
  return rows.map(({ month }) => month);
}

test("writes to the writable server, and switches when another server becomes writable", async () => {
  const [first, second] = servers;
  await make(first, "read-only");
  const opened = await openDatabase({ dataDir: folder, url });
  if (!opened.ok) throw new Error(opened.problem);
  const { database } = opened;
  const store = (month: string) => database.write((transaction) => insert(transaction, { month }));
  await store("a");
  expect([await monthsIn(first), await monthsIn(second)]).toEqual([[], ["a"]]);

  // The servers change roles while connections are open.
  await make(second, "read-only");
  await make(first, "writable");
  await store("b");
  expect(await monthsIn(first)).toEqual(["b"]);

  await second?.halt();
  await first?.crash();
  await second?.start();
  await make(second, "writable");
  await store("c");
  expect(await monthsIn(second)).toEqual(["a", "c"]);
  await database.close();
  await first?.start();
});

test("skips a host that doesn't answer", async () => {
  const [, second] = servers;
  const nowhere = `127.0.0.1:${await findFreePort()}`;
  await make(second, "writable");
  const hosts = `${nowhere},${hostOf(second?.url ?? "")}`;
  const opened = await openDatabase({ dataDir: folder, url: urlOf(hosts) });
  expect(opened).toMatchObject({ ok: true });
  if (opened.ok) await opened.database.close();
});

test("reports that no server accepts writes", async () => {
  for (const server of servers) await make(server, "read-only");
  const opened = await openDatabase({ dataDir: folder, url });
  expect(opened).toEqual({
    ok: false,
    problem: `None of the servers of the database requests at ${servers.map((server) => hostOf(server.url)).join(",")} takes changes. Promote one, or add the one that takes them to DATABASE_URL.`,
  });
});
