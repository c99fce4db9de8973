import {
  type Compilable,
  createQueryId,
  type Dialect,
  DummyDriver,
  InsertQueryNode,
  Kysely,
  type OperationNodeSource,
  type RootOperationNode,
  type SelectModifierNode,
  SelectQueryNode,
  sql,
  ValuesNode,
  type WhereInterface,
} from "kysely";
import {
  type DecodedRow,
  decodeRow,
  encode,
  type NewRow,
  type RowIn,
  type StoredValue,
} from "./rows.ts";
import { columnsIn, nameOf, type Tables } from "./schema.ts";

/**
 * Declared SQL statements. Each module declares its statements with Kysely when it loads. A
 * statement is compiled on first use and stays prepared on the connection, so each call only binds
 * values. Because all statements are known in advance, a test can check the query plan of each
 * statement. The only other SQL on rows is `ownStatements` for PostgreSQL.
 */
export type Reading<Values, Row> = Declared<"reads", Values, Row>;
export type Writing<Values, Row> = Declared<"writes", Values, Row>;

type Declared<Access, Values, Row> = {
  access: Access;
  /** Builds the statement. `values` provides a placeholder for each argument. */
  build: (tables: Kysely<Tables>, values: Values) => Compilable<Row>;
};

/** Arguments of a call. A nullable argument may be `undefined`, but can't be omitted. */
type Given<Values> = {
  [Name in keyof Values]: null extends Values[Name] ? Values[Name] | undefined : Values[Name];
};

type NoValues = Record<never, never>;

/** Parameter list of a call. Empty if the statement takes no values. */
export type ValuesOf<Values> = keyof Values extends never ? [] : [values: Given<Values>];

type Call<Reader, Values, Result> = (
  reader: Reader,
  ...values: ValuesOf<Values>
) => Promise<Result>;

export type Read = {
  all<Values, Row>(statement: Reading<Values, Row>, ...values: ValuesOf<Values>): Promise<Row[]>;
};

/** Access for a single statement, which may change rows. */
export type Single = {
  all<Values, Row>(
    statement: Reading<Values, Row> | Writing<Values, Row>,
    ...values: ValuesOf<Values>
  ): Promise<Row[]>;
  /** Runs a change and returns the number of changed rows. */
  run<Values, Row>(statement: Writing<Values, Row>, ...values: ValuesOf<Values>): Promise<number>;
};

/** Access within a transaction. */
export type Write = Single & {
  /**
   * Acquires the named lock and holds it until the transaction ends. Use it to make decisions about
   * rows that may not exist yet. Rows that the transaction reads are locked automatically.
   */
  lock(name: string): Promise<void>;
  /**
   * Runs independent calls in the given order. PostgreSQL receives the statements with which they
   * begin in one packet, merged into as few as possible. If a call fails, the transaction fails.
   */
  together<const Calls extends readonly Call0[]>(calls: Calls): Promise<Results<Calls>>;
  /** Reserves the next id of each table so that new rows can reference each other. */
  reserve<const Names extends readonly (keyof Tables)[]>(
    ...tables: Names
  ): Promise<{ [Index in keyof Names]: number }>;
};

type Call0 = () => Promise<unknown>;
type Results<Calls extends readonly Call0[]> = {
  -readonly [Index in keyof Calls]: Awaited<ReturnType<Calls[Index]>>;
};

export type AnyStatement = Declared<"reads" | "writes", never, unknown>;

const declared: AnyStatement[] = [];

/** Returns all statements declared by the modules loaded so far. */
export function declaredStatements(): readonly AnyStatement[] {
  return declared;
}

/** Declares a query. @param toResult converts the rows to the call's result */
export function reading<Row, Values = NoValues, Result = DecodedRow<Row>[]>(
  build: (
    tables: Pick<Kysely<Tables>, "selectFrom" | "selectNoFrom" | "fn">,
    values: Values,
  ) => Compilable<Row>,
  toResult: (rows: NoInfer<DecodedRow<Row>>[]) => Result = (rows) => rows as Result,
): Reading<Values, Row> & Call<Read, Values, Result> {
  const statement: Reading<Values, Row> = { access: "reads", build };
  declared.push(statement);
  const call: Call<Read, Values, Result> = async (reader, ...values) =>
    toResult((await reader.all(statement, ...values)).map(decodeRow));
  return Object.assign(call, statement);
}

type Build<Row, Values> = (
  tables: Pick<Kysely<Tables>, "with" | "insertInto" | "updateTable" | "deleteFrom">,
  values: Values,
) => Compilable<Row>;

/**
 * Declares a change. A call returns the number of changed rows or, with `toResult`, the result of
 * converting the returned rows.
 */
export function writing<Row, Values = NoValues, Result = number>(
  build: Build<Row, Values>,
  toResult?: (rows: NoInfer<DecodedRow<Row>>[]) => Result,
): Writing<Values, Row> & Call<Single, Values, Result> {
  const statement: Writing<Values, Row> = { access: "writes", build };
  declared.push(statement);
  const call: Call<Single, Values, Result> = async (transaction, ...values) =>
    toResult
      ? toResult((await transaction.all(statement, ...values)).map(decodeRow))
      : ((await transaction.run(statement, ...values)) as Result);
  return Object.assign(call, statement);
}

/** Declares an insert of a full row. A call returns the result of `toResult` for the stored row. */
export function inserting<Table extends keyof Tables, Result = void>(
  table: Table,
  toResult?: (row: RowIn<Table>) => Result,
): (transaction: Write, row: NewRow<Table>) => Promise<Result> {
  return ofWholeRow(
    table,
    writing(
      (tables, row: Values) => {
        const statement = insertInto(tables, table, row);
        return toResult ? statement.returningAll() : statement;
      },
      ([row]) => toResult?.(row as RowIn<Table>) as Result,
    ),
  );
}

/** Declares an insert of a full row with a reserved id (`Write.reserve`). */
export function insertingReserved<Table extends keyof Tables>(
  table: Table,
): (transaction: Write, row: NewRow<Table> & { id: number }) => Promise<unknown> {
  return ofWholeRow(
    table,
    writing((tables, row: Values) =>
      tables.insertInto(table as "journal").values(pick(["id", ...namesIn(table)], row)),
    ),
  );
}

/**
 * Declares an insert of a full row that does nothing on a conflict. A call returns whether it
 * inserted the row.
 */
export function insertingOnce<Table extends keyof Tables>(
  table: Table,
): (transaction: Write, row: NewRow<Table>) => Promise<boolean> {
  const insert = writing((tables, row: Values) =>
    insertInto(tables, table, row).onConflict((conflict) => conflict.doNothing()),
  );
  const insertWhole = ofWholeRow(table, insert);
  return async (transaction, row) => (await insertWhole(transaction, row)) > 0;
}

/**
 * Declares an upsert of a full row.
 * @param counted column to increment by the given value instead of replacing it
 */
export function replacing<Table extends keyof Tables>(
  table: Table,
  counted?: NameIn<Table>,
): (transaction: Write, row: NewRow<Table>) => Promise<unknown> {
  const keys = columnsIn(table).flatMap(([name, { isKey }]) => (isKey ? [name] : []));
  const others = namesIn(table).filter((name) => !keys.includes(columnOf(name)));
  const replace = writing((tables, row: Values) =>
    insertInto(tables, table, row).onConflict((conflict) =>
      conflict.columns(keys as never[]).doUpdateSet((column) => {
        const set: object = pick(others, row);
        if (counted === undefined) return set;
        const sum = column(`${table}.${columnOf(counted)}` as "id", "+", row[counted] as number);
        return { ...set, [columnOf(counted)]: sum };
      }),
    ),
  );
  return ofWholeRow(table, replace);
}

/**
 * Declares upserts of up to `most` full rows in one statement.
 * @param counted the only column that a conflict changes: it is incremented by the given value
 */
export function replacingMany<Table extends keyof Tables>(
  table: Table,
  counted: NameIn<Table>,
  most: number,
): (transaction: Write, rows: readonly NewRow<Table>[]) => Promise<unknown> {
  const keys = columnsIn(table).flatMap(([name, { isKey }]) => (isKey ? [name] : []));
  const column = columnOf(counted);
  const slot = (name: string, index: number) => `${name}${index}`;
  const statements = Array.from({ length: most }, (_, count) =>
    writing((tables, values: Values) =>
      tables
        .insertInto(table as "journal")
        .values(
          Array.from({ length: count + 1 }, (_, index) =>
            Object.fromEntries(
              namesIn(table).map((name) => [columnOf(name), values[slot(name, index)]]),
            ),
          ) as never,
        )
        .onConflict((conflict) =>
          conflict.columns(keys as never[]).doUpdateSet((select) => ({
            [column]: select(
              `${table}.${column}` as "id",
              "+",
              select.ref(`excluded.${column}` as "id"),
            ),
          })),
        ),
    ),
  );
  return async (transaction, rows) => {
    const values = rows.flatMap((row, index) =>
      namesIn(table).map((name) => [slot(name, index), row[name as keyof typeof row]]),
    );
    return statements[rows.length - 1]?.(transaction, Object.fromEntries(values));
  };
}

function insertInto(tables: Pick<Kysely<Tables>, "insertInto">, table: keyof Tables, row: object) {
  return tables.insertInto(table as "journal").values(pick(namesIn(table), row));
}

/** Returns a table's field names, except those of auto-incremented columns. */
function namesIn(table: keyof Tables): string[] {
  return columnsIn(table).flatMap(([column, { counts }]) => (counts ? [] : [nameOf(column)]));
}

/** Wraps a call so that missing values get their defaults. */
function ofWholeRow<Table extends keyof Tables, Result>(
  table: Table,
  call: (transaction: Write, row: Values) => Promise<Result>,
): (transaction: Write, row: NewRow<Table>) => Promise<Result> {
  const columns = columnsIn(table).map(([column, { given }]) => [nameOf(column), given] as const);
  return (transaction, row: object) => {
    const whole: Values = {};
    for (const [name, given] of columns) whole[name] = row[name as keyof typeof row] ?? given;
    return call(transaction, whole);
  };
}

export type NameIn<Table extends keyof Tables> = keyof RowIn<Table> & string;
type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/**
 * Condition on a column. A comparison such as `"<="` compares the column with an argument of the
 * call. A pair such as `["=", "open"]` compares the column with a constant.
 */
type Condition =
  | Comparison
  | readonly [Comparison, string | number]
  | readonly ["in", readonly string[]]
  | "is null"
  | "is not null";
/** Conditions keyed by field name, for a table known only at run time. */
export type AnyConditions = Readonly<Record<string, Condition>>;
export type Conditions<Table extends keyof Tables> = {
  readonly [Name in NameIn<Table>]?: Condition;
};

/** Rejects conditions on columns that the table doesn't have. */
export type Only<Table extends keyof Tables, Wanted> = Wanted & {
  readonly [Name in Exclude<keyof Wanted, NameIn<Table>>]: never;
};

/** Arguments of a call: one for each condition that compares a column with an argument. */
type Compared<Table extends keyof Tables, Wanted> = {
  [Name in keyof Wanted & NameIn<Table> as Wanted[Name] extends Comparison
    ? Name
    : never]: NonNullable<RowIn<Table>[Name]>;
};

/** Arguments of a call, for tables and columns known only at run time. */
type Values = Record<string, unknown>;
type Query<Result> = (reader: Read, values: Values) => Promise<Result>;
type Change<Result> = (transaction: Write, values: Values) => Promise<Result>;

/**
 * Declares an update of the given columns in the row with the given `id` or, with `wanted`, in all
 * rows that match. A call returns the number of updated rows.
 */
export function updating<
  Table extends keyof Tables,
  Name extends NameIn<Table>,
  const Wanted extends Conditions<Table> = { id: "=" },
>(
  table: Table,
  columns: readonly Name[],
  wanted?: Only<Table, Wanted>,
): (
  transaction: Write,
  row: { [Key in Name]: RowIn<Table>[Key] } & Compared<Table, Wanted>,
) => Promise<number>;
export function updating(
  table: keyof Tables,
  columns: readonly string[],
  wanted: object = { id: "=" },
): Change<number> {
  return writing((tables, row: Values) =>
    narrow(tables.updateTable(table as "journal").set(pick(columns, row)), wanted, row),
  );
}

/** Declares an update of a full row by `id`, except for the columns in `kept`. */
export function storing<Table extends keyof Tables>(
  table: Table,
  kept?: readonly NameIn<Table>[],
): (transaction: Write, row: RowIn<Table>) => Promise<number>;
export function storing(table: keyof Tables, kept: readonly string[] = []): Change<number> {
  const columns = namesIn(table).filter((name) => !kept.includes(name));
  return writing((tables, row: Values) =>
    narrow(tables.updateTable(table as "journal").set(pick(columns, row)), { id: "=" }, row),
  );
}

/**
 * Declares a delete of the rows that match the conditions. A call returns the number of deleted
 * rows.
 */
export function deleting<Table extends keyof Tables, const Wanted extends Conditions<Table>>(
  table: Table,
  wanted: Only<Table, Wanted>,
): (transaction: Write, ...values: ValuesOf<Compared<Table, Wanted>>) => Promise<number>;
export function deleting(table: keyof Tables, wanted: AnyConditions): Change<number> {
  return deletingFrom(table, wanted);
}

/** Declares a delete for a table known only at run time. */
export function deletingFrom(table: keyof Tables, wanted: AnyConditions): Change<number> {
  return writing((tables, values: Values) =>
    narrow(tables.deleteFrom(table as "journal"), wanted, values),
  );
}

/** Declares a count of the rows that match the conditions. */
export function counting<Table extends keyof Tables, const Wanted extends Conditions<Table>>(
  table: Table,
  wanted: Only<Table, Wanted>,
): (reader: Read, ...values: ValuesOf<Compared<Table, Wanted>>) => Promise<number>;
export function counting(table: keyof Tables, wanted: object): Query<number> {
  return reading(
    (tables, values: Values) =>
      narrow(tables.selectFrom(table as "journal"), wanted, values).select((select) =>
        select.fn.countAll<number>().as("count"),
      ),
    ([row]) => Number(row?.count),
  );
}

/**
 * Declares a query for one row. If several rows match, `newest` selects the row with the highest
 * value in that column.
 */
export function finding<
  Table extends keyof Tables,
  const Wanted extends Conditions<Table>,
  One = RowIn<Table>,
>(
  table: Table,
  wanted: Only<Table, Wanted>,
  toOne?: (row: RowIn<Table>) => One,
  newest?: NameIn<Table>,
): (reader: Read, ...values: ValuesOf<Compared<Table, Wanted>>) => Promise<One | undefined>;
export function finding(
  table: keyof Tables,
  wanted: object,
  toOne: (row: object) => unknown = identity,
  newest?: string,
): Query<unknown> {
  return reading(
    (tables, values: Values) => {
      const found = narrow(tables.selectFrom(table as "journal").selectAll(), wanted, values);
      return (newest ? found.orderBy(columnOf(newest) as "id", "desc") : found).limit(1);
    },
    ([row]) => row && toOne(row),
  );
}

/** Conversion of a row to a result: a column to select, or a function. */
type Making<Row> = (keyof Row & string) | ((row: Row) => unknown);
type Made<Row, By> = By extends keyof Row
  ? Row[By]
  : By extends (row: Row) => infer One
    ? One
    : never;

/** Declares a query for at most `limit` rows, ordered by a column. */
export function listing<
  Table extends keyof Tables,
  const Wanted extends Conditions<Table>,
  By extends Making<RowIn<Table>> = (row: RowIn<Table>) => RowIn<Table>,
>(
  table: Table,
  wanted: Only<Table, Wanted>,
  [by, direction]: readonly [by: NameIn<Table>, direction?: "desc"],
  make?: By,
): (
  reader: Read,
  values: Compared<Table, Wanted> & { limit: number },
) => Promise<Made<RowIn<Table>, By>[]>;
export function listing(
  table: keyof Tables,
  wanted: AnyConditions,
  [by, direction]: readonly [by: string, direction?: "desc"],
  make: string | ((row: object) => unknown) = identity,
): (reader: Read, values: never) => Promise<unknown[]> {
  return reading(
    (tables, values: Values & { limit: number }) => {
      const from = tables.selectFrom(table as "journal");
      const rows =
        typeof make === "string" ? from.select(columnOf(make) as "id") : from.selectAll();
      return narrow(rows, wanted, values)
        .orderBy(columnOf(by) as "id", direction)
        .limit(values.limit);
    },
    (rows) => rows.map((row) => (typeof make === "string" ? row[make as "id"] : make(row))),
  );
}

/** Limit for reading all rows in one call. */
export const everything = Number.MAX_SAFE_INTEGER;

const pageSize = 500;

/** Reads a full list with keyset pagination by a numeric field. */
export async function* readAll<Name extends string, One extends Record<Name, number>>(
  reader: Read,
  list: (reader: Read, values: Record<Name, number> & { limit: number }) => Promise<One[]>,
  by: Name,
): AsyncGenerator<One> {
  for (let last = 0; ; ) {
    const page = await list(reader, { [by]: last, limit: pageSize } as never);
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end[by];
  }
}

const identity = (row: object) => row;

function narrow<Statement extends WhereInterface<Tables, "journal">>(
  statement: Statement,
  wanted: object,
  values: Values,
): Statement {
  return Object.entries(wanted).reduce((narrowed, [name, condition]: [string, Condition]) => {
    const column = sql.ref(columnOf(name));
    if (condition === "is null" || condition === "is not null") {
      return narrowed.where(column, condition === "is null" ? "is" : "is not", null) as Statement;
    }
    if (typeof condition === "string") {
      return narrowed.where(column, condition, values[name]) as Statement;
    }
    // SQLite and PostgreSQL use a partial index only if the statement repeats the index's condition
    // with the same literals.
    const [comparison, fixed] = condition;
    const literal =
      typeof fixed === "object" ? fixed.map((value) => sql.lit(value)) : sql.lit(fixed);
    return narrowed.where(column, comparison, literal) as Statement;
  }, statement);
}

/** Maps columns to placeholders. */
export function pick(names: readonly string[], row: object): never {
  return Object.fromEntries(
    names.map((name) => [columnOf(name), row[name as keyof typeof row]]),
  ) as never;
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A statement's SQL in one dialect. `bind` orders the arguments of a call by parameter. */
export type Compiled = {
  /** `insert`: adds rows and returns none. */
  kind: "read" | "insert" | "other";
  /** The table of an insert. */
  into?: string | undefined;
  /** Number of rows that an insert adds or changes. `undefined` if a conflict may reduce it. */
  inserts?: number | undefined;
  sql: string;
  bind: (values: unknown) => StoredValue[];
};

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders = new Proxy(
  {},
  {
    get: (_, name) => new Placeholder(String(name)),
    ownKeys: () => {
      throw new Error("A statement's values must be passed by name");
    },
  },
) as never;

/** @param words dialect without a driver, because the compiler never runs SQL */
export function createCompiler(
  words: Omit<Dialect, "createDriver">,
): (statement: AnyStatement, change?: (node: RootOperationNode) => RootOperationNode) => Compiled {
  const tables = new Kysely<Tables>({
    dialect: { ...words, createDriver: () => new DummyDriver() },
  });
  const executor = tables.getExecutor();
  return (statement, change = (node) => node) => {
    const built = statement.build(tables, placeholders) as unknown as OperationNodeSource;
    const node = change(built.toOperationNode() as RootOperationNode);
    const { sql, parameters } = executor.compileQuery(node, createQueryId());
    return {
      ...kindOf(node),
      sql,
      bind: (values) => {
        const given = (values ?? {}) as Record<string, unknown>;
        return parameters.map((slot) =>
          encode(slot instanceof Placeholder ? given[slot.name] : slot),
        );
      },
    };
  };
}

function kindOf(node: RootOperationNode): Pick<Compiled, "kind" | "into" | "inserts"> {
  if (SelectQueryNode.is(node)) return { kind: "read" };
  if (!InsertQueryNode.is(node) || node.returning || node.with) return { kind: "other" };
  const rows = node.values && ValuesNode.is(node.values) ? node.values.values.length : undefined;
  const canSkip = node.onConflict?.doNothing || node.onConflict?.updateWhere;
  const inserts = canSkip ? undefined : rows;
  return { kind: "insert", into: node.into?.table.identifier.name, inserts };
}

/** Checks whether a modifier of a select is a row lock. */
export function isLock(node: SelectModifierNode): boolean {
  return node.modifier !== undefined && node.modifier !== "Distinct";
}
