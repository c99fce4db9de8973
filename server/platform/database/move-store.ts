import { type Dialect, Kysely, sql, type Transaction } from "kysely";
import { type AnyKysely, migrations, readMigrations, readTables, upgradeStore } from "./migrate.ts";
import { columnsIn, listTables } from "./schema.ts";

/**
 * Moves an entire store to the other kind of database, row by row, in one transaction. Until the
 * commit, a marker table shows that the target is incomplete.
 */

/** An open database of either kind. */
export type Side = {
  kind: "sqlite" | "postgres";
  /** Name of the database for messages. Never contains a password. */
  name: string;
  kysely: AnyKysely;
  /** Creates the store's tables, empty except for the rows that migrations add. */
  upgrade(): Promise<void>;
} & AsyncDisposable;

/** Thrown if a store can't be moved. The message explains why and what to do. */
export class NotMovedError extends Error {
  override name = "NotMovedError";
}

export type MovedTable = { name: string; rows: number };

// biome-ignore lint/suspicious/noExplicitAny: the tables are known only when the program runs
type Held = Transaction<any>;

type Table = { name: string; columns: string[]; key: string[]; hasCounter: boolean };

const marker = "unfinished_move";
/**
 * Rows per statement. Even for the widest table, this stays below SQLite's limit of 32,766
 * parameters.
 */
const rowsAtOnce = 500;

export function toSide(
  kind: Side["kind"],
  name: string,
  { dialect, close }: { dialect: Dialect; close(): Promise<void> },
): Side {
  return {
    kind,
    name,
    kysely: new Kysely({ dialect }),
    upgrade: () => upgradeStore(dialect),
    [Symbol.asyncDispose]: close,
  };
}

/** Tables to move, in dependency order. */
const tables: readonly Table[] = listTables().flatMap((name) => {
  const columns = columnsIn(name);
  if (columns.some(([, { until }]) => until.includes("running"))) return [];
  const namesOf = (found: typeof columns) => found.map(([column]) => column);
  return {
    name,
    columns: namesOf(columns),
    key: namesOf(columns.filter(([, column]) => column.isKey)),
    hasCounter: columns.some(([, column]) => column.counts),
  };
});

type Row = Record<string, unknown>;

/** Yields a table's rows in batches, in key order. */
async function* readAll(database: AnyKysely, table: Table): AsyncGenerator<Row[]> {
  const keys = sql.join(table.key.map((name) => sql.ref(name)));
  for (let last: Row | undefined; ; ) {
    let query = database.selectFrom(table.name).select(table.columns).limit(rowsAtOnce);
    for (const name of table.key) query = query.orderBy(name);
    const after = last && sql.join(table.key.map((name) => last?.[name]));
    if (after) query = query.where(sql<boolean>`(${keys}) > (${after})`);
    const rows = await query.execute();
    if (rows.length > 0) yield rows;
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1);
  }
}

/** Serializes a row identically for both kinds of database. */
function wordOf(table: Table, row: Row): string {
  return JSON.stringify(table.columns.map((name) => row[name] ?? null));
}

export type Progress = { step: "writing" | "comparing"; table: string; rows: number };
type Report = (progress: Progress) => void;

/** Capitalizes the name of a database for the start of a sentence. */
export const atStart = (place: string) => place.replace(/^the /, "The ");

/**
 * Locks the source against writes, copies all rows, then compares the copy with the source.
 * @throws NotMovedError
 */
export async function moveStore(from: Side, to: Side, report: Report): Promise<MovedTable[]> {
  const found = await readMigrations(from.kysely);
  if (found.some((name) => !(name in migrations))) {
    throw new NotMovedError(
      `The store in ${from.name} belongs to a newer version of this program.`,
    );
  }
  if (found.length < Object.keys(migrations).length) {
    throw new NotMovedError(
      `The store in ${from.name} belongs to an older version of this program. Start this version's server on it once, stop the server, and run this command again.`,
    );
  }
  const there = await readTables(to.kysely);
  if (there.length > 0 && !there.includes(marker)) {
    throw new NotMovedError(
      `${atStart(to.name)} is not empty. Nothing was changed. Choose an empty target.`,
    );
  }
  return from.kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (held) => {
      if (from.kind === "postgres") await keepOthersOut(held);
      return moveHeld(from, held, to, report);
    });
}

/**
 * Copies a snapshot of a store into an empty SQLite file while servers keep running. All backups
 * have this format, regardless of the database that they came from.
 */
export async function copyToFile(from: Side, file: Side): Promise<void> {
  await from.kysely
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((held) => moveHeld(from, held, file, () => {}));
}

async function moveHeld(from: Side, held: Held, to: Side, report: Report): Promise<MovedTable[]> {
  await to.kysely.schema.createTable(marker).ifNotExists().addColumn("mark", "text").execute();
  await to.upgrade();
  return to.kysely
    .transaction()
    .execute((target) => fill(from, held, { ...to, kysely: target }, report));
}

async function fill(
  from: Side,
  held: Held,
  to: Side & { kysely: Held },
  report: Report,
): Promise<MovedTable[]> {
  // Removes the rows that the migrations added to the target.
  for (const { name } of tables.toReversed()) await to.kysely.deleteFrom(name).execute();
  const moved = await Array.fromAsync(tables, async (table) => {
    let rows = 0;
    for await (const some of readAll(held, table)) {
      await to.kysely.insertInto(table.name).values(some).execute();
      rows += some.length;
      report({ step: "writing", table: table.name, rows });
    }
    if (table.hasCounter) await carryCounter(from, held, to, table);
    return { name: table.name, rows };
  });
  for (const table of tables) {
    const row = await findDifferent(held, to.kysely, table, report);
    if (row === undefined) continue;
    const place = atStart(to.name);
    throw new NotMovedError(
      `${place} differs from the original: ${row}. Don't use it. Empty it and run this command again.`,
    );
  }
  await to.kysely.schema.dropTable(marker).execute();
  if (to.kind === "postgres") await sql`analyze`.execute(to.kysely);
  return moved;
}

/** Locks the tables explicitly against writes by other clients of PostgreSQL. */
async function keepOthersOut(held: Held): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(held);
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
  `.execute(held);
  const names = rows.map(({ name }) => sql.table(name));
  await sql`lock table ${sql.join(names)} in share mode`.execute(held);
}

/** Copies a table's id counter so that the ids of deleted rows aren't reused. */
async function carryCounter(from: Side, held: Held, to: Side, table: Table): Promise<void> {
  const last = await readCounter(from.kind, held, table);
  if (last === 0) return;
  if (to.kind === "postgres") {
    await sql`select setval(pg_get_serial_sequence(${table.name}, 'id'), ${last})`.execute(
      to.kysely,
    );
    return;
  }
  await sql`delete from sqlite_sequence where name = ${table.name}`.execute(to.kysely);
  await sql`insert into sqlite_sequence (name, seq) values (${table.name}, ${last})`.execute(
    to.kysely,
  );
}

async function readCounter(kind: Side["kind"], held: Held, { name }: Table): Promise<number> {
  const query =
    kind === "sqlite"
      ? sql<{ last: number }>`select seq as last from sqlite_sequence where name = ${name}`
      : sql<{ last: number | null }>`
          select pg_sequence_last_value(pg_get_serial_sequence(${name}, 'id')::regclass) as last`;
  const { rows } = await query.execute(held);
  return Number(rows[0]?.last ?? 0);
}

/** Reads both sides in the same order and describes the first row that differs. */
async function findDifferent(
  from: AnyKysely,
  to: AnyKysely,
  table: Table,
  report: Report,
): Promise<string | undefined> {
  const other = readAll(to, table);
  let compared = 0;
  for await (const rows of readAll(from, table)) {
    const copies = (await other.next()).value ?? [];
    const at = rows.findIndex((row, index) => {
      const copy = copies[index];
      return !copy || wordOf(table, copy) !== wordOf(table, row);
    });
    if (at >= 0) return `${table.name} ${table.key.map((name) => rows[at]?.[name]).join(", ")}`;
    if (copies.length > rows.length) return `${table.name}, which has an extra row`;
    compared += rows.length;
    report({ step: "comparing", table: table.name, rows: compared });
  }
  return (await other.next()).done ? undefined : `${table.name}, which has extra rows`;
}
