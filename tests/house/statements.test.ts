import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import "../../server/cli/ledger.ts";
import "../../server/cli/requests.ts";

import { openDatabase, type Underneath } from "../../server/platform/database/database.ts";
import { type Column, tables } from "../../server/platform/database/schema.ts";
import { declaredStatements } from "../../server/platform/database/statement.ts";
import "../../server/services.ts";
import { growing } from "../harness/fill-store.ts";
import { readSources } from "../harness/sources.ts";

// Checks SQLite's plans for every statement of the server and the commands. The program never runs
// ANALYZE, so plans depend only on the schema.

/**
 * Partial indexes on open requests or unsent messages. Their number stays small, so scanning these
 * indexes is fine.
 */
const ofTheOpen = [
  "requests_to_expire",
  "requests_to_do",
  "requests_entered",
  "outbox_troubled",
  "outbox_waiting",
  "outbox_turns",
  "outbox_leased",
  "hand_overs_deleted_held",
  "hand_overs_rechecked",
];

const folder = mkdtempDisposableSync(join(tmpdir(), "plans-"));
let store: Underneath;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openDatabase({ dataDir: folder.path });
  if (!opened.ok) throw new Error(opened.problem);
  store = opened.store;
  close = opened.database.close;
});

afterAll(async () => {
  await close();
  folder.remove();
});

/** Finds sorts, and full scans of growing tables. */
function faultsOf(steps: readonly string[]): string[] {
  return steps.filter((step) => {
    if (/USE TEMP B-TREE/.test(step))
      return !steps.some((candidate) => /\btallies\b/.test(candidate));
    const scan = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(step);
    return scan && growing.includes(scan[1] ?? "") && !ofTheOpen.includes(scan[2] ?? "");
  });
}

const explainAll = () =>
  Promise.all(declaredStatements().map((statement) => store.explain(statement)));

test("the plan check covers every growing table and detects a full scan", async () => {
  const statements = (await explainAll()).map(({ sql }) => sql);
  expect(statements.length).toBeGreaterThan(60);
  for (const table of growing) {
    expect(statements.some((sql) => sql.includes(`"${table}"`))).toBe(true);
  }
  const whole = await store.explain({
    access: "reads",
    // A partial index applies only if the SQL contains the state as a constant.
    build: (tables) =>
      tables.selectFrom("requests").selectAll().where("state", "=", "received") as never,
  });
  expect(faultsOf(whole.steps)).toEqual(["SCAN requests"]);
});

test("no statement scans or sorts an entire growing table", async () => {
  const wrong = (await explainAll()).flatMap(({ sql, steps }) =>
    faultsOf(steps).map((fault) => `${fault}: ${sql}`),
  );
  expect(wrong).toEqual([]);
});

test("every foreign key of a growing table has an index", () => {
  using sqlite = new DatabaseSync(join(folder.path, "requests.sqlite"), { readOnly: true });
  for (const table of growing) {
    const indexes = sqlite.prepare("select name from pragma_index_list(?)").all(table);
    const first = indexes.map(
      ({ name }) => sqlite.prepare("select name from pragma_index_info(?)").get(name ?? "")?.name,
    );
    for (const key of sqlite.prepare('select "from" from pragma_foreign_key_list(?)').all(table)) {
      expect(first, `${table}.${key.from}`).toContain(key.from);
    }
  }
});

test("every index serves a query or a cascading delete", async () => {
  using sqlite = new DatabaseSync(join(folder.path, "requests.sqlite"), { readOnly: true });
  const made = sqlite.prepare("select name from sqlite_schema where sql like 'create index %'");
  const used = (await explainAll()).flatMap(({ steps }) => steps.join(" ").split(" "));
  const unused = made.all().filter(({ name }) => !used.includes(`${name}`));
  // PostgreSQL uses `outbox_done` to find messages older than a month.
  expect(unused).toEqual([{ name: "absences_by_operator" }, { name: "outbox_done" }]);
});

test("every column with a retention period has a statement that erases it", async () => {
  const all = (await explainAll()).map(({ sql }) => sql);
  // Skips updates that erase one request, which they select by request_id.
  const changing = all.filter((sql) => !/ where "request_id" = \S+$/.test(sql));
  const deleting = all.map((sql) => /^delete from "(\w+)"/.exec(sql)?.[1]);
  const left: string[] = [];
  for (const [table, { until, columns }] of Object.entries(tables)) {
    const goes = Object.values<Column>(columns).some(
      ({ pointsTo }) => pointsTo?.table === "requests" && pointsTo.cascades,
    );
    const isKept = until.every((end) => end === "for good" || end === "overwritten");
    // On PostgreSQL, leases use separate SQL (`postgres.ts`).
    const isOwn = table === "leases";
    // Rows of `tallies` are kept. Only a month's partial counts are deleted, after their sum is
    // stored.
    const isDeleted = goes || isOwn || (deleting.includes(table) && table !== "tallies");
    expect(isDeleted, `${table}: ${until}`).toBe(!isKept);
    if (until.includes("forgotten")) expect(goes || table === "requests", table).toBe(true);
    for (const [name, column] of Object.entries<Column>(columns)) {
      // If a column is erased before its row is deleted, an UPDATE statement must erase the column.
      if (column.until.every((end) => end === "erased" || until.includes(end))) continue;
      const taken = new RegExp(`update "${table}" set (?:(?! where ).)*"${name}" = `);
      if (!changing.some((sql) => taken.test(sql))) left.push(`${table}.${name}`);
    }
  }
  expect(left).toEqual([]);
});

test("columns with the same name have the same kind of value in every table", () => {
  const known = new Map<string, Column["holds"]>();
  for (const [name, { holds }] of Object.values(tables).flatMap(({ columns }) =>
    Object.entries<Column>(columns),
  )) {
    if (known.has(name)) expect(holds, name).toBe(known.get(name));
    known.set(name, holds);
  }
});

test("only server/platform/database/ can build and run SQL", () => {
  const imports = readSources("app", "server")
    .filter(({ path }) => !path.startsWith("server/platform/database/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/import ([^;]*?) from "(?:kysely|node:sqlite)[^"]*"/g)].map(
        ([, names = ""]) => ({ path, names: names.replace(/^type .*|[{}\s]|type \w+/gs, "") }),
      ),
    );
  expect(imports.length).toBeGreaterThan(1);
  expect(imports.filter(({ names }) => !/^,*(?:sql)?,*$/.test(names))).toEqual([]);
});
