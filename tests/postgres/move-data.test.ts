import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "../../server/cli/move-data.ts";
import { openTestService } from "../../server/deletion-requests/service.fixture.ts";
import { openForFilling } from "../harness/fill-store.ts";
import { createTestDatabase, type TestDatabase } from "../harness/postgres.ts";
import { spawnProgram } from "../harness/server-process.ts";

let folder: string;
let data: string;
let target: TestDatabase;
let output: string[];

beforeEach(async () => {
  target = await createTestDatabase();
  ({ folder } = target);
  data = join(folder, "data");
  await mkdir(data, { recursive: true });
  output = [];
});
afterEach(() => target.drop());

/**
 * Fills a store with a completed, a confirmed and an unconfirmed request, and with copies of the
 * first. Enough copies make the move read several batches.
 */
async function fill(copies = 0) {
  const service = await openTestService();
  const end = await service.submitConfirmed({ email: "ended@uni.example" });
  await service.complete(end);
  await service.submitConfirmed({ email: "working@uni.example" });
  // The move could corrupt these characters: Bangla, an emoji, quotes and a backslash.
  await service.submit({
    email: "received@uni.example",
    feedback: "Bangla: ধন্যবাদ, 🛺 and ' \\ \"",
  });
  await service.database.copyTo(join(data, "requests.sqlite"));
  await service.close();
  if (copies === 0) return;
  const filling = openForFilling(data);
  filling.multiply({ of: 1, count: copies });
  filling.sqlite.exec("insert into sqlite_sequence values ('journal', 100000)");
  filling.close();
}

function change(sql: string): void {
  using sqlite = new DatabaseSync(join(data, "requests.sqlite"));
  sqlite.exec(sql);
}

const move = (from: string, to: string) => runCommand([from, to], {}, (line) => output.push(line));

const ask = (sql: string) => target.ask(sql);

async function readWhole(path: string): Promise<Record<string, unknown[]>> {
  using sqlite = new DatabaseSync(join(path, "requests.sqlite"), { readOnly: true });
  const tables = sqlite
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'",
    )
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      String(name),
      sqlite
        .prepare(`select * from "${name}"`)
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  );
}

test("moves all data to PostgreSQL and back unchanged", async () => {
  await fill(1200);
  const bytes = await readFile(join(data, "requests.sqlite"));
  const there = await move(data, target.url);
  expect(there).toMatchObject({ code: 0 });
  expect(there.out).toMatch(/^request_events +6,008$/m);
  expect((await readFile(join(data, "requests.sqlite"))).equals(bytes)).toBe(true);
  expect(await readdir(data)).toEqual(["requests.sqlite"]);

  const back = join(folder, "back");
  expect(await move(target.url, back)).toMatchObject({ code: 0 });
  expect(await readdir(back)).toEqual(["requests.sqlite"]);
  expect(await readWhole(back)).toEqual(await readWhole(data));
});

test("removes an earlier database's marker file from the target folder", async () => {
  await fill();
  expect(await move(data, target.url)).toMatchObject({ code: 0 });
  const back = join(folder, "back");
  await mkdir(back);
  await writeFile(join(back, "requests.mark"), "{}");
  expect(await move(target.url, back)).toMatchObject({ code: 0 });
  expect(await readdir(back)).toEqual(["requests.sqlite"]);
});

test("reuses no id when the server runs on the moved data", async () => {
  await fill(3);
  await move(data, target.url);
  await target.open();
  const [next] = await ask("select nextval(pg_get_serial_sequence('journal', 'id')) as id");
  expect(Number(next?.id)).toBe(100_001);
  const [request] = await ask("select nextval(pg_get_serial_sequence('requests', 'id')) as id");
  expect(Number(request?.id)).toBe(7);
});

/** Adds a row trigger to a table as soon as the move creates the table. */
async function meetRowsOf(table: string, statements: string): Promise<void> {
  await ask(`create function meet() returns trigger language plpgsql as $$
    begin
      ${statements}
      return new;
    end $$`);
  await ask(`create function watch() returns event_trigger language plpgsql as $$
    begin
      if exists (select from pg_tables where tablename = '${table}')
        and not exists (select from pg_trigger where tgname = 'meeting') then
        create trigger meeting before insert on ${table} for each row execute function meet();
      end if;
    end $$`);
  await ask("create event trigger watching on ddl_command_end execute function watch()");
}

test("rejects a half-moved database and completes the move on the next attempt", {
  timeout: 600_000,
}, async () => {
  await fill(1500);
  // Blocks the move at this row so that the kill always interrupts it.
  await meetRowsOf(
    "request_events",
    "if new.id > 3000 then perform pg_advisory_xact_lock_shared(1); end if;",
  );
  const gate = new Client({ connectionString: target.url });
  await gate.connect();
  await gate.query("select pg_advisory_lock(1)");
  const settings = { DATABASE_URL: target.url };
  const child = spawnProgram("server/cli/move-data.ts", settings, [data, "DATABASE_URL"]);
  const waiting =
    "from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
  const countWaiting = async () => (await ask(`select pid ${waiting}`)).length;
  await expect.poll(countWaiting).toBe(1);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  await ask(`select pg_terminate_backend(pid) ${waiting}`);
  await expect.poll(countWaiting).toBe(0);
  await gate.end();
  await expect(target.open()).rejects.toThrow("a part of a store that is being moved");

  expect(await move(data, target.url)).toMatchObject({ code: 0 });
});

test("refuses to move data to a target that isn't empty", async () => {
  await fill();
  await ask("create table notes (text text)");
  expect(await move(data, target.url)).toMatchObject({
    code: 1,
    problem: expect.stringContaining("Nothing was changed"),
  });
  expect(await ask("select tablename from pg_tables where schemaname = 'public'")).toEqual([
    { tablename: "notes" },
  ]);
  await ask("drop table notes");
  await move(data, target.url);
  expect(await move(target.url, data)).toMatchObject({
    code: 1,
    problem: `There is a database in ${data} already. Choose a new folder.\n`,
  });
});

test("reports a row that changed during the move", async () => {
  await fill();
  // Simulates a faulty database.
  await meetRowsOf("submissions", "new.feedback = new.feedback || '!';");
  const result = await move(data, target.url);
  expect(result.code).toBe(1);
  expect(result.problem).toContain("differs from the original: submissions 1.");
});

test("refuses to move data from a source that is in use or of another version", async () => {
  await fill();
  const served = new DatabaseSync(join(data, "requests.sqlite"));
  served.exec("begin immediate");
  expect((await move(data, target.url)).problem).toContain("Stop it first.");
  served.exec("rollback");
  served.close();
  change("insert into kysely_migration values ('9999-later', '')");
  expect((await move(data, target.url)).problem).toContain("to a newer version");
  change("delete from kysely_migration");
  expect((await move(data, target.url)).problem).toContain("to an older version");
  expect(await ask("select 1 from pg_tables where schemaname = 'public'")).toEqual([]);
});

test("refuses to move from a PostgreSQL source while another connection writes to it", {
  timeout: 600_000,
}, async () => {
  await fill();
  await move(data, target.url);
  const client = new Client({ connectionString: target.url });
  await client.connect();
  await client.query("begin; update operators set name = name");
  const refused = await move(target.url, join(folder, "back")).catch((error: unknown) => error);
  expect(String(refused)).toContain("lock timeout");
  await client.query("rollback");
  await client.end();
});

test("prints no password while moving data", async () => {
  await fill();
  const password = new URL(target.url).password;
  const wrong = new URL(target.url);
  wrong.password = "not-the-password";
  const results = [
    await move(data, wrong.href),
    await move(data, target.url),
    await move(data, target.url),
    await runCommand([data, "DATABASE_URL"], { DATABASE_URL: wrong.href }, (line) =>
      output.push(line),
    ),
  ];
  const report = JSON.stringify([results, output]);
  expect(report).toContain("refuses the password");
  expect(report).not.toContain(password);
  expect(report).not.toContain("not-the-password");
  expect(output).toContainEqual(expect.stringContaining("can read a password in a command"));
});
