import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, isStorageProblem, openDatabase } from "./database.ts";
import * as received from "./migrations/0001-received.ts";
import type { Tables } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "database-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function open(dataDir = join(folder, "data"), lockWaitMs?: number): Promise<Database> {
  const opened = await openDatabase({ dataDir, ...(lockWaitMs !== undefined && { lockWaitMs }) });
  if (!opened.ok) throw new Error(opened.problem);
  return opened.database;
}

test("folder and files are for this user only", async () => {
  const database = await open();
  await database.write(async (transaction) => {
    await sql`create table probe (x text)`.execute(transaction);
  });
  const modes = await Promise.all(
    ["", "requests.sqlite", "requests.sqlite-wal", "requests.sqlite-shm"].map(
      async (name) => (await stat(join(folder, "data", name))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  await database.close();
});

test("rows survive a power cut and erased rows are overwritten", async () => {
  const database = await open();
  const read = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(database.kysely)).rows[0] ?? {})[0];
  expect(await read("journal_mode")).toBe("wal");
  expect(await read("synchronous")).toBe(2);
  expect(await read("secure_delete")).toBe(1);
  expect(await read("foreign_keys")).toBe(1);
  expect(await read("busy_timeout")).toBe(0);
  await database.close();
});

test("a folder that cannot be written gives one sentence", async () => {
  const file = join(folder, "file");
  await writeFile(file, "");
  expect(await openDatabase({ dataDir: join(file, "data") })).toEqual({
    ok: false,
    problem: `The data folder ${file}/data cannot be written (ENOTDIR). Set DATA_DIR to a folder that this user may write.`,
  });
});

test("a place where nothing can be made gives one sentence, too", async () => {
  expect(await openDatabase({ dataDir: "/proc/nowhere/data" })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^The data folder .* cannot be written \(E[A-Z]+\)\. /),
  });
  const opened = await open(join(folder, "deep", "er", "data"));
  expect((await stat(join(folder, "deep", "er"))).mode & 0o777).toBe(0o700);
  await opened.close();
});

test("a file that is no database gives one sentence", async () => {
  await mkdir(join(folder, "data"));
  await writeFile(join(folder, "data", "requests.sqlite"), "x".repeat(5000));
  const opened = await openDatabase({ dataDir: join(folder, "data") });
  expect(opened).toEqual({
    ok: false,
    problem: expect.stringMatching(/^The database .* cannot be opened \(.*not a database.*\)\.$/),
  });
});

test("opening again keeps what was there", async () => {
  const first = await open();
  await first.write((transaction) =>
    transaction
      .insertInto("requests")
      .values({ state: "received", email: "a@x.example", email_match: "a", received_at: "now" })
      .execute(),
  );
  await first.close();
  const second = await open();
  expect(await second.kysely.selectFrom("requests").select("email").execute()).toEqual([
    { email: "a@x.example" },
  ]);
  await second.close();
});

test("a database of the first version is upgraded, and its requests get seven days", async () => {
  await mkdir(join(folder, "data"));
  const path = join(folder, "data", "requests.sqlite");
  await writeFile(path, "");
  const old = new Kysely<Tables>({ dialect: openSqlite(path).dialect });
  await new Migrator({
    db: old,
    provider: { getMigrations: async () => ({ "0001-received": received }) },
  }).migrateToLatest();
  await sql`insert into requests (state, email, email_match, received_at)
    values ('received', 'a@x.example', 'a@x.example', '2026-01-01T00:00:00.000Z')`.execute(old);
  await old.destroy();
  const database = await open();
  const [row] = await database.kysely.selectFrom("requests").selectAll().execute();
  expect(row?.email).toBe("a@x.example");
  const left = Temporal.Instant.from(row?.expires_at ?? "").since(Temporal.Now.instant());
  expect(left.total("hours")).toBeCloseTo(168, 0);
  await database.close();
});

test("transactions started together run one after the other", async () => {
  const database = await open();
  await sql`create table counter (n integer)`.execute(database.kysely);
  await sql`insert into counter values (0)`.execute(database.kysely);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      database.write(async (transaction) => {
        const { rows } = await sql<{ n: number }>`select n from counter`.execute(transaction);
        await sql`update counter set n = ${(rows[0]?.n ?? 0) + 1}`.execute(transaction);
      }),
    ),
  );
  const { rows } = await sql<{ n: number }>`select n from counter`.execute(database.kysely);
  expect(rows).toEqual([{ n: 20 }]);
  await database.close();
});

test("writing waits for another process outside the database, so that reading goes on", async () => {
  const database = await open();
  const other = openSqlite(join(folder, "data", "requests.sqlite"));
  const otherKysely = new Kysely<Tables>({ dialect: other.dialect });
  const order: string[] = [];
  let stored: Promise<unknown> | undefined;
  await otherKysely.transaction().execute(async () => {
    stored = database.write(async (transaction) => {
      order.push("written");
      await transaction.insertInto("expired_counts").values({ month: "m", requests: 1 }).execute();
    });
    for (let read = 0; read < 20; read++) {
      expect(await database.isHealthy()).toBe(true);
      await setTimeout(1);
    }
    order.push("let go");
  });
  await stored;
  expect(order).toEqual(["let go", "written"]);
  await otherKysely.destroy();
  await database.close();
});

test("a lock that is held too long is a storage problem, and nothing was begun", async () => {
  const database = await open(undefined, 50);
  const other = new Kysely<Tables>({
    dialect: openSqlite(join(folder, "data", "requests.sqlite")).dialect,
  });
  let begun = false;
  await other.transaction().execute(async () => {
    const write = database.write(async () => {
      begun = true;
    });
    const error = await write.catch((problem: unknown) => problem);
    expect(isStorageProblem(error)).toBe(true);
  });
  expect(begun).toBe(false);
  await other.destroy();
  await database.close();
});

test("what another process reads cannot be emptied from the log, and nobody waits for it", async () => {
  const database = await open();
  const other = new Kysely<Tables>({
    dialect: openSqlite(join(folder, "data", "requests.sqlite")).dialect,
  });
  const insert = (month: string) =>
    database.write((transaction) =>
      transaction.insertInto("expired_counts").values({ month, requests: 1 }).execute(),
    );
  await insert("one");
  await other.connection().execute(async (reader) => {
    await sql`begin`.execute(reader);
    await reader.selectFrom("expired_counts").selectAll().execute();
    await insert("two");
    const asked = performance.now();
    expect(await database.erasePhysically()).toBe(false);
    expect(performance.now() - asked).toBeLessThan(2500);
    await sql`commit`.execute(reader);
  });
  expect(await database.erasePhysically()).toBe(true);
  await other.destroy();
  await database.close();
});

test("a full disk and a closed database are storage problems, faulty SQL is not", async () => {
  const database = await open();
  await sql`create table big (x blob)`.execute(database.kysely);
  await sql`pragma max_page_count = 20`.execute(database.kysely);
  const fill = database.write((transaction) =>
    sql`insert into big values (zeroblob(1000000))`.execute(transaction),
  );
  expect(isStorageProblem(await fill.catch((error: unknown) => error))).toBe(true);
  const faulty = database.write((transaction) => sql`select nothing`.execute(transaction));
  expect(isStorageProblem(await faulty.catch((error: unknown) => error))).toBe(false);
  await sql`insert into big values (1)`.execute(database.kysely);
  await database.close();
});
