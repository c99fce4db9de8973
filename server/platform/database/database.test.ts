import { createHash } from "node:crypto";
import { chmod, mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { expect, test, vi } from "vitest";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { isStorageProblem, openDatabase } from "./database.ts";
import type { AnyKysely } from "./migrate.ts";
import { migrations, upgradeStore } from "./migrate.ts";
import { addOne, countOf, failed, insert } from "./monthly-counters.fixture.ts";
import { openSqlite } from "./sqlite.ts";
import { reading, writing } from "./statement.ts";
import { describeSchema, describeStore } from "./stored-schema.fixture.ts";

folderForEachTest();

async function open(dataDir = join(folder, "data"), lockWaitMs?: number) {
  const opened = await openDatabase({ dataDir, ...(lockWaitMs !== undefined && { lockWaitMs }) });
  if (!opened.ok) throw new Error(opened.problem);
  return Object.assign(opened.database, {
    /** Kysely on the database's write connection. */
    kysely: new Kysely({ dialect: opened.store.dialect }) as AnyKysely,
    [Symbol.asyncDispose]: opened.database.close,
  });
}

/** Opens the same file on a second connection, as another process would. */
function openOther() {
  const store = openSqlite(join(folder, "data", "requests.sqlite"));
  return Object.assign(store, {
    kysely: new Kysely({ dialect: store.dialect }) as AnyKysely,
    [Symbol.asyncDispose]: store.close,
  });
}

const enterAct = writing((tables, { about }: { about: string }) =>
  tables
    .insertInto("journal")
    .values({ at: Temporal.Instant.fromEpochMilliseconds(0), name: "", act: "", about }),
);

const nonsense = reading((tables) => tables.selectFrom("nothing" as "tallies").selectAll());

test("makes a new data folder and its files readable only by their owner", async () => {
  await using database = await open();
  await database.write((transaction) => insert(transaction, { month: "m" }));
  const modes = await Promise.all(
    ["", "requests.sqlite", "requests.sqlite-wal", "requests.sqlite-shm"].map(
      async (name) => (await stat(join(folder, "data", name))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
});

test("removes other OS users' read access to an existing data folder", async () => {
  await mkdir(join(folder, "data"));
  await chmod(join(folder, "data"), 0o755);
  await using _ = await open();
  expect((await stat(join(folder, "data"))).mode & 0o777).toBe(0o700);
});

test("doesn't change the file modes of a data folder that a command opens", async () => {
  await (await open()).close();
  await chmod(join(folder, "data"), 0o750);
  const opened = await openDatabase({ dataDir: join(folder, "data"), mustExist: true });
  if (opened.ok) await opened.database.close();
  expect((await stat(join(folder, "data"))).mode & 0o777).toBe(0o750);
});

test("configures SQLite to make commits durable and to overwrite erased rows", async () => {
  await using database = await open();
  const read = async (name: string) =>
    Object.values((await sql.raw(`pragma ${name}`).execute(database.kysely)).rows[0] ?? {})[0];
  expect(await read("journal_mode")).toBe("wal");
  expect(await read("synchronous")).toBe(2);
  expect(await read("secure_delete")).toBe(1);
  expect(await read("foreign_keys")).toBe(1);
  expect(await read("busy_timeout")).toBe(0);
});

test("explains why a data folder can't be written", async () => {
  expect(await openDatabase({ dataDir: "/proc/nowhere/data" })).toEqual({
    ok: false,
    problem: expect.stringMatching(/^The data folder .* cannot be written \(E[A-Z]+\)\. /),
  });
  const unseen = await openDatabase({ dataDir: "/".padEnd(300, "x"), mustExist: true });
  expect(unseen).toHaveProperty("problem", expect.stringContaining("written (ENAMETOOLONG)"));
  await using _ = await open(join(folder, "deep", "er", "data"));
  expect((await stat(join(folder, "deep", "er"))).mode & 0o777).toBe(0o700);
});

const second = {
  ...migrations,
  "9999-seats": {
    up: (store: Kysely<unknown>) =>
      sql`alter table tallies add seats text`.execute(store).then(() => {}),
  },
};

test("keeps a store usable by the previous version after an upgrade", async () => {
  const before = await open();
  await before.write((transaction) => insert(transaction, { month: "kept" }));
  await before.close();
  const other = openOther();
  await upgradeStore(other.dialect, second);
  expect((await sql`select month, seats from tallies`.execute(other.kysely)).rows).toEqual([
    { month: "kept", seats: null },
  ]);
  await other.close();
  await using again = await open();
  expect(await countOf(again.read, { month: "kept" })).toEqual({ count: 0 });
});

test("refuses a store from which a newer version has dropped tables or columns", async () => {
  await (await open()).close();
  const other = openOther();
  await upgradeStore(other.dialect, { ...second, "9999-contract-names": { up: async () => {} } });
  await other.close();
  expect(await openDatabase({ dataDir: join(folder, "data") })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("belongs to a newer version of this program"),
  });
});

test("creates the tables of the first release in the first migration", async () => {
  await mkdir(join(folder, "data"));
  await using store = openOther();
  const [first] = Object.entries(migrations);
  await upgradeStore(store.dialect, Object.fromEntries([first ?? []]));
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where sql is not null order by name`.execute(store.kysely);
  const made = createHash("sha256").update(rows.map((row) => row.sql).join("\n"));
  expect(made.digest("hex").slice(0, 12)).toBe("6f66b784b370");
});

test("migrates to exactly the tables that the schema describes", async () => {
  await using database = await open();
  const columns = sql<Parameters<typeof describeStore>[0][number]>`
    select t.name as "table", c.name as "column", c."notnull" = 0 as nullable, c.dflt_value as given,
      iif(t.sql like '%"' || c.name || '" integer primary key autoincrement%', 'integer, counted', lower(c.type)) as type
    from sqlite_master t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%'`.execute(database.kysely);
  const constraints = sql<Parameters<typeof describeStore>[1][number]>`
    select t.name as "table", c.name as "column", 'key' as "constraint"
      from sqlite_master t, pragma_table_info(t.name) c where c.pk > 0
    union all select t.name, c.name, 'unique'
      from sqlite_master t, pragma_index_list(t.name) i, pragma_index_info(i.name) c where i.origin = 'u'
    union all select t.name, k."from", k."table" || ' ' || lower(k.on_delete)
      from sqlite_master t, pragma_foreign_key_list(t.name) k`.execute(database.kysely);
  expect(describeStore((await columns).rows, (await constraints).rows)).toEqual(describeSchema());
});

/** Creates a store as the second migration left it, with tables that only older stores have. */
async function makeOld() {
  await mkdir(join(folder, "data"));
  const other = openOther();
  await upgradeStore(other.dialect, Object.fromEntries(Object.entries(migrations).slice(0, 2)));
  const ask = (statement: string) => sql.raw(statement).execute(other.kysely);
  await ask("create table operator_recovery_codes (hash text primary key)");
  await ask("alter table operator_invitations add created_at text not null default ''");
  await ask("alter table operator_passkeys add transports text not null default ''");
  return { other, ask };
}

test("keeps passkeys when upgrading a store with separate recovery codes", async () => {
  const { other, ask } = await makeOld();
  await ask(
    "insert into operators (name, name_match, user_handle, added_at) values ('N', 'n', 'h', '')",
  );
  await ask(`insert into operator_passkeys (operator_id, credential_id, public_key, counter, device, created_at, used_at)
    values (1, 'c', 'k', 0, 'd', '2026-11-01', '2026-11-02')`);
  await other.close();
  await (await open()).close();
  await using upgraded = openOther();
  const { rows } = await sql`select * from operator_passkeys`.execute(upgraded.kysely);
  expect(rows).toMatchObject([{ credential_id: "c", device: "d" }]);
  await using fresh = await open(join(folder, "fresh"));
  const [now, made] = await Promise.all(
    [upgraded, fresh].map(async ({ kysely }) =>
      (await kysely.introspection.getTables()).map(({ name, columns }) => [
        name,
        columns.map((column) => column.name).sort(),
      ]),
    ),
  );
  expect(now).toEqual(made);
});

test("keeps every ledger entry when upgrading from 1.12", async () => {
  await mkdir(join(folder, "data"));
  const other = openOther();
  await upgradeStore(other.dialect, Object.fromEntries(Object.entries(migrations).slice(0, 7)));
  const entry = "1, 2, 'completed', '2026-11-22T04:00:00.000Z', 'text', 'hash', 1, 'signature'";
  await sql.raw(`insert into ledger_entries values (${entry})`).execute(other.kysely);
  await other.close();
  await (await open()).close();
  await using upgraded = openOther();
  const { rows } = await sql`select * from ledger_entries`.execute(upgraded.kysely);
  expect(rows.map((row) => Object.values(row as object))).toEqual([
    [1, 2, "completed", "2026-11-22T04:00:00.000Z", "text", "hash", 1, "signature"],
  ]);
});

test("prepares a statement once for all of its calls", async () => {
  await using database = await open();
  const live = async (month: string) => {
    await database.write((transaction) => insert(transaction, { month }));
    return countOf(database.read, { month });
  };
  await live("2026-11");
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  for (const month of ["2026-12", "2027-01", "2027-02"]) expect(await live(month)).toBeDefined();
  expect(prepare.mock.calls).toEqual([]);
});

test("runs concurrent transactions one after the other", async () => {
  await using database = await open();
  await database.write((transaction) => insert(transaction, { month: "m" }));
  await Promise.all(Array.from({ length: 120 }, () => addOne(database, "m")));
  expect(await countOf(database.read, { month: "m" })).toEqual({ count: 120 });
});

test("rolls back only the failed write of a shared commit", async () => {
  await using database = await open();
  const results = await Promise.allSettled(
    ["a", "b", "c"].map((month) =>
      database.write(async (transaction) => {
        await insert(transaction, { month });
        if (month === "b") throw new Error("b fails");
        return month;
      }),
    ),
  );
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await countOf(database.read, { month: "a" })).toBeDefined();
  expect(await countOf(database.read, { month: "b" })).toBeUndefined();
  expect(await countOf(database.read, { month: "c" })).toBeDefined();
});

test("rolls back a failed write that shares its commit with no other", async () => {
  await using database = await open();
  const failing = database.write(async (transaction) => {
    await insert(transaction, { month: "a" });
    throw new Error("a fails");
  });
  await expect(failing).rejects.toThrow("a fails");
  await database.write((transaction) => insert(transaction, { month: "b" }));
  expect(await countOf(database.read, { month: "a" })).toBeUndefined();
});

test("resolves a write only after its commit and hides uncommitted rows from reads", async () => {
  await using database = await open();
  const order: string[] = [];
  const first = database.write(async (transaction) => {
    await insert(transaction, { month: "a" });
  });
  const second = database.write(async () => {
    order.push((await countOf(database.read, { month: "a" })) ? "seen" : "not seen yet");
  });
  await Promise.all([
    first.then(() => order.push("first told")),
    second.then(() => order.push("second told")),
  ]);
  expect(order).toEqual(["not seen yet", "first told", "second told"]);
  expect(await countOf(database.read, { month: "a" })).toBeDefined();
});

test("`write` syncs to disk, and `change` alone doesn't", async () => {
  await using database = await open();
  const level = async () => {
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(
      database.kysely,
    );
    return rows[0]?.synchronous;
  };
  const [full, normal] = [2, 1];
  expect(await database.change(level)).toBe(normal);
  expect(await database.write(level)).toBe(full);
  // A change that shares a commit with a write waits for the disk, too.
  expect(await Promise.all([database.change(level), database.write(level)])).toEqual([full, full]);
  expect(await database.change(level)).toBe(normal);
  await database.erasePhysically();
  expect(await level()).toBe(full);
});

test("rejects writes on the read connection", async () => {
  await using database = await open();
  const disguised = insert as unknown as typeof countOf;
  const error = await failed(database.read.all(disguised, { month: "m" }));
  expect(String(error)).toContain("readonly");
});

test("serves reads while a write waits for another process's lock", async () => {
  await using database = await open();
  await using other = openOther();
  const order: string[] = [];
  let stored: Promise<unknown> | undefined;
  await other.kysely.transaction().execute(async () => {
    stored = database.write(async (transaction) => {
      order.push("written");
      await insert(transaction, { month: "m" });
    });
    for (let read = 0; read < 20; read++) {
      expect(await database.findTrouble()).toBeUndefined();
      await setTimeout(1);
    }
    order.push("let go");
  });
  await stored;
  expect(order).toEqual(["let go", "written"]);
});

test("rejects a write if another process holds the lock for too long", async () => {
  await using database = await open(undefined, 50);
  await using other = openOther();
  let started = false;
  await other.kysely.transaction().execute(async () => {
    const write = database.write(async () => {
      started = true;
    });
    expect(isStorageProblem(await failed(write))).toBe(true);
  });
  expect(started).toBe(false);
  await database.write((transaction) => insert(transaction, { month: "free again" }));
});

test("returns false from `erasePhysically` while another process is reading", async () => {
  await using database = await open();
  await using other = openOther();
  const enter = (month: string) => database.write((transaction) => insert(transaction, { month }));
  for (const month of ["one", "another"]) await enter(month);
  const rows = database.kysely.selectFrom("tallies").selectAll().stream()[Symbol.asyncIterator]();
  await rows.next();
  await expect(database.erasePhysically()).rejects.toThrow("in progress");
  await rows.return?.();
  await other.kysely.connection().execute(async (reader) => {
    await sql`begin deferred`.execute(reader);
    await reader.selectFrom("tallies").selectAll().execute();
    await enter("two");
    expect(await database.erasePhysically()).toBe(false);
    // With the timeout used for opening, SQLite would block the process for five seconds.
    const { rows } = await sql`pragma busy_timeout`.execute(database.kysely);
    expect(rows).toEqual([{ timeout: 0 }]);
    await sql`commit`.execute(reader);
  });
  // Waits long, because rewrites may use only 1/200 of the time, and a slow disk makes them slow.
  await vi.waitFor(async () => expect(await database.erasePhysically()).toBe(true), 500_000);
}, 600_000);

test("grants a lease to only one of two servers that share a folder, until that server closes", async () => {
  await using second = await open();
  {
    await using first = await open();
    expect(await first.duty("upkeep").take()).toBe(true);
    expect(await second.duty("upkeep").take()).toBe(false);
  }
  expect(await second.duty("upkeep").take()).toBe(true);
});

test("treats a full disk and a closed database, but not faulty SQL, as storage problems", async () => {
  const database = await open();
  const faulty = database.write((transaction) => transaction.all(nonsense));
  expect(isStorageProblem(await failed(faulty))).toBe(false);
  await sql`pragma max_page_count = 1`.execute(database.kysely);
  const big = "x".repeat(1_000_000);
  const together = await Promise.all(
    ["", big, ""].map((about) =>
      failed(database.write((transaction) => enterAct(transaction, { about }))),
    ),
  );
  // A full disk rolls back all writes in the shared commit, and each caller gets the error.
  expect(together.map(isStorageProblem)).toEqual([true, true, true]);
  expect(await database.kysely.selectFrom("journal").selectAll().execute()).toEqual([]);
  await sql`pragma max_page_count = 100000`.execute(database.kysely);
  await database.write((transaction) => enterAct(transaction, { about: "" }));
  await database.close();
  const closed = database.write((transaction) => enterAct(transaction, { about: "" }));
  expect(isStorageProblem(await failed(closed))).toBe(true);
});
