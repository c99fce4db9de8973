import { createHash } from "node:crypto";
import { type ControlledTransaction, type Dialect, Kysely, sql } from "kysely";
import { columnsIn, listTablesInOrder } from "./schema.ts";

/**
 * A whole store from one database into another of the other kind, row by row in the order of the keys, so that a move
 * that was broken off goes on behind its last row. A table of its own says that the target is no store yet.
 */

/** An opened database of either kind. */
export type Side = { kind: "sqlite" | "postgres"; kysely: AnyKysely; close(): Promise<void> };

export type MovedTable = { name: string; rows: number };

// biome-ignore lint/suspicious/noExplicitAny: the tables are known only when the program runs
type AnyKysely = Kysely<any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type Held = ControlledTransaction<any>;

type Table = { name: string; columns: string[]; key: string[]; hasCounter: boolean };

const marker = "unfinished_move";
/** Databases take so many values in one statement at most, SQLite fewer than PostgreSQL. */
const mostValues = 30_000;
const rowsAtOnce = 500;

export function toSide(
  kind: Side["kind"],
  store: { dialect: Dialect; close(): Promise<void> },
): Side {
  return { kind, kysely: new Kysely({ dialect: store.dialect }), close: store.close };
}

/** The store's tables, each behind those that it refers to. */
const tables: readonly Table[] = listTablesInOrder().flatMap((name) => {
  const columns = columnsIn(name);
  if (columns.some(([, { until }]) => until === "running")) return [];
  const namesOf = (found: typeof columns) => found.map(([column]) => column);
  return {
    name,
    columns: namesOf(columns),
    key: namesOf(columns.filter(([, column]) => column.isKey)),
    hasCounter: columns.some(([, column]) => column.counts),
  };
});

type Row = Record<string, unknown>;

/** A table's rows in the order of their keys, behind `after`. */
async function readSome(database: AnyKysely, table: Table, after: Row | undefined): Promise<Row[]> {
  const keys = sql.join(table.key.map((name) => sql.ref(name)));
  let query = database.selectFrom(table.name).select(table.columns);
  if (after) {
    const values = sql.join(table.key.map((name) => after[name]));
    query = query.where(sql<boolean>`(${keys}) > (${values})`);
  }
  for (const name of table.key) query = query.orderBy(name);
  return query.limit(rowsAtOnce).execute();
}

async function* readAll(database: AnyKysely, table: Table, after?: Row): AsyncGenerator<Row[]> {
  for (let last = after; ; ) {
    const rows = await readSome(database, table, last);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

/** The last row that is there, by its key. */
async function findLast(database: AnyKysely, table: Table): Promise<Row | undefined> {
  let query = database.selectFrom(table.name).select(table.key);
  for (const name of table.key) query = query.orderBy(name, "desc");
  return query.limit(1).executeTakeFirst();
}

function hashRow(table: Table, row: Row): string {
  const values = table.columns.map((name) => row[name] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("base64");
}

/** What a store holds, in one word: every row counts, and its place. */
async function digest(
  database: AnyKysely,
  tell: Tell,
): Promise<{ word: string; counts: Map<string, number> }> {
  const whole = createHash("sha256");
  const counts = new Map<string, number>();
  for (const table of tables) {
    let count = 0;
    for await (const rows of readAll(database, table)) {
      for (const row of rows) whole.update(hashRow(table, row));
      count += rows.length;
      tell({ step: "reading", table: table.name, rows: count });
    }
    counts.set(table.name, count);
    whole.update(`${table.name} ${count}\n`);
  }
  return { word: whole.digest("base64"), counts };
}

export type Progress = {
  step: "reading" | "writing" | "comparing";
  table: string;
  rows: number;
  of?: number;
};
type Tell = (progress: Progress) => void;

export type MoveResult =
  | { kind: "moved"; tables: MovedTable[]; wentOn: boolean }
  | { kind: "older" | "newer" | "not-empty" | "changed" }
  | { kind: "not-fitting"; table: string; key: string; problem: string }
  | { kind: "different"; rows: string[] };

/**
 * Copies everything and compares it. The source is held so that nobody changes it meanwhile, and is left as it was.
 * @param options.upgrade makes the store's tables, with nothing in them but what their making enters
 */
export async function moveStore(
  from: Side,
  to: Side,
  options: { migrations: readonly string[]; upgrade: () => Promise<void>; tell: Tell },
): Promise<MoveResult> {
  const known = [...options.migrations].sort();
  const found = await readMigrations(from.kysely);
  if (found.some((name) => !known.includes(name))) return { kind: "newer" };
  if (found.length < known.length) return { kind: "older" };
  const begun = await findMarker(to.kysely);
  if (begun === undefined && (await listTables(to.kysely)).length > 0) return { kind: "not-empty" };
  const held = await hold(from);
  try {
    return await moveHeld(from, held, to, begun, options);
  } finally {
    await held.rollback().execute();
  }
}

/**
 * Copies a store as it is at one moment into an empty file, while servers may go on working on it. A copy is the same
 * kind of file whatever it was made of.
 */
export async function copyToFile(
  from: Side,
  file: Side,
  upgrade: () => Promise<void>,
): Promise<void> {
  const held = await from.kysely
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    const result = await moveHeld(from, held, file, undefined, { upgrade, tell: () => {} });
    if (result.kind !== "moved") throw new Error(`The copy is ${result.kind}`);
  } finally {
    await held.rollback().execute();
  }
}

async function moveHeld(
  from: Side,
  held: Held,
  to: Side,
  begun: Marker | undefined,
  { upgrade, tell }: { upgrade: () => Promise<void>; tell: Tell },
): Promise<MoveResult> {
  if (!begun) await makeMarker(to.kysely);
  await upgrade();
  const source = await digest(held, tell);
  const mark = await findMarker(to.kysely);
  if (mark?.source === "") await empty(to.kysely, source.word);
  else if (mark?.source !== source.word) return { kind: "changed" };

  for (const table of tables) {
    const problem = await copyTable(held, to.kysely, table, (rows) =>
      tell({ step: "writing", table: table.name, rows, of: source.counts.get(table.name) ?? 0 }),
    );
    if (problem) return problem;
    if (table.hasCounter) await carryCounter(from, held, to, table);
  }
  const different: string[] = [];
  for (const table of tables) {
    different.push(...(await compareTable(held, to.kysely, table, tell)));
  }
  if (different.length > 0) return { kind: "different", rows: different };
  await to.kysely.schema.dropTable(marker).execute();
  if (to.kind === "postgres") await sql`analyze`.execute(to.kysely);
  return {
    kind: "moved",
    wentOn: begun !== undefined,
    tables: tables.map(({ name }) => ({ name, rows: source.counts.get(name) ?? 0 })),
  };
}

/** Keeps everybody else from changing the store, for as long as the transaction is open. */
async function hold(side: Side): Promise<Held> {
  if (side.kind === "sqlite") return side.kysely.startTransaction().execute();
  const held = await side.kysely.startTransaction().setIsolationLevel("repeatable read").execute();
  try {
    await sql`set local lock_timeout = '5s'`.execute(held);
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = current_schema()
    `.execute(held);
    const names = rows.map(({ name }) => sql.table(name));
    await sql`lock table ${sql.join(names)} in share mode`.execute(held);
    return held;
  } catch (error) {
    await held.rollback().execute();
    throw error;
  }
}

async function copyTable(
  from: AnyKysely,
  to: AnyKysely,
  table: Table,
  tell: (rows: number) => void,
): Promise<Extract<MoveResult, { kind: "not-fitting" }> | undefined> {
  const atOnce = Math.max(1, Math.floor(mostValues / table.columns.length));
  const { count } = await to
    .selectFrom(table.name)
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  let copied = Number(count);
  for await (const rows of readAll(from, table, await findLast(to, table))) {
    for (let first = 0; first < rows.length; first += atOnce) {
      const some = rows.slice(first, first + atOnce);
      try {
        await to.insertInto(table.name).values(some).execute();
      } catch (error) {
        const single = await findNotFitting(to, table, some);
        if (!single) throw error;
        return { kind: "not-fitting", table: table.name, ...single };
      }
    }
    copied += rows.length;
    tell(copied);
  }
  return undefined;
}

/** Which of these rows the other database cannot hold, such as one with a character that it does not know. */
async function findNotFitting(
  to: AnyKysely,
  table: Table,
  rows: readonly Row[],
): Promise<{ key: string; problem: string } | undefined> {
  for (const row of rows) {
    try {
      await to.insertInto(table.name).values(row).execute();
    } catch (error) {
      if (!(error instanceof Error) || !/^2/.test(String((error as { code?: unknown }).code))) {
        return undefined;
      }
      return { key: keyOf(table, row), problem: error.message };
    }
  }
  return undefined;
}

function keyOf(table: Table, row: Row): string {
  return table.key.map((name) => String(row[name])).join(", ");
}

/** Numbers that were given to rows that are gone are not given again. */
async function carryCounter(from: Side, held: Held, to: Side, table: Table): Promise<void> {
  const last = await readCounter(from.kind, held, table);
  if (last === 0) return;
  if (to.kind === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${table.name}, 'id'), ${last})`.execute(
      to.kysely,
    );
    return;
  }
  const { numAffectedRows } =
    await sql`update sqlite_sequence set seq = ${last} where name = ${table.name}`.execute(
      to.kysely,
    );
  if (numAffectedRows !== 0n) return;
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(
    to.kysely,
  );
}

async function readCounter(kind: Side["kind"], held: Held, table: Table): Promise<number> {
  if (kind === "sqlite") {
    const { rows } = await sql<{ seq: number }>`
      select seq from sqlite_sequence where name = ${table.name}
    `.execute(held);
    return Number(rows[0]?.seq ?? 0);
  }
  const { rows } = await sql<{ name: string | null }>`
    select pg_get_serial_sequence(${table.name}, 'id') as name
  `.execute(held);
  const name = rows[0]?.name;
  if (!name) return 0;
  const found = await sql<{ last: number }>`
    select case when is_called then last_value else 0 end as last from ${sql.raw(name)}
  `.execute(held);
  return Number(found.rows[0]?.last ?? 0);
}

/** Reads both sides in the same order and names the first rows that are not the same. */
async function compareTable(
  from: AnyKysely,
  to: AnyKysely,
  table: Table,
  tell: Tell,
): Promise<string[]> {
  const different: string[] = [];
  const other = readAll(to, table);
  let compared = 0;
  for await (const rows of readAll(from, table)) {
    const copies = (await other.next()).value ?? [];
    rows.forEach((row, index) => {
      const copy = copies[index];
      if (copy && hashRow(table, copy) === hashRow(table, row)) return;
      if (different.length < 5) different.push(`${table.name} ${keyOf(table, row)}`);
    });
    if (copies.length > rows.length) different.push(`${table.name} has a row too many`);
    if (different.length > 0) return different;
    compared += rows.length;
    tell({ step: "comparing", table: table.name, rows: compared });
  }
  if (!(await other.next()).done) different.push(`${table.name} has rows too many`);
  return different;
}

type Marker = { /** Of what is moved; empty until the tables are there. */ source: string };

/** What says of a database that it is the half of one. */
async function findMarker(database: AnyKysely): Promise<Marker | undefined> {
  if (!(await listTables(database)).includes(marker)) return undefined;
  return { source: "", ...(await database.selectFrom(marker).select("source").executeTakeFirst()) };
}

async function makeMarker(database: AnyKysely): Promise<void> {
  await database.schema
    .createTable(marker)
    .addColumn("source", "text", (column) => column.notNull())
    .execute();
}

/** Begins: takes out what making the tables entered. */
async function empty(database: AnyKysely, source: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    for (const { name } of [...tables].reverse()) await transaction.deleteFrom(name).execute();
    await transaction.deleteFrom(marker).execute();
    await transaction.insertInto(marker).values({ source }).execute();
  });
}

/** Of the schema in which the program works; what was moved aside stands in others. */
async function listTables(database: AnyKysely): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (tables.every(({ schema }) => schema === undefined)) return tables.map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
  return tables.filter(({ schema }) => schema === rows[0]?.name).map(({ name }) => name);
}

/** The names of the migrations that made a store what it is. */
export async function readMigrations(database: AnyKysely): Promise<string[]> {
  if (!(await listTables(database)).includes("kysely_migration")) return [];
  const rows = await database.selectFrom("kysely_migration").select("name").execute();
  return rows.map(({ name }) => String(name)).sort();
}
