import {
  type Compilable,
  createQueryId,
  type Dialect,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  type RootOperationNode,
  type SelectModifierNode,
  sql,
  type WhereInterface,
} from "kysely";
import { encode, type NewRow, type RowIn, type Stored, type Told, tell } from "./rows.ts";
import { columnsIn, nameOf, type Tables } from "./schema.ts";

/**
 * One SQL statement, and the function that asks it. It is written with Kysely where its room needs it, declared once when
 * the module loads, compiled at its first use and kept prepared by the connection; a call only brings the values. So every
 * statement is known, and a test holds the plan of each. Nothing else in the server writes SQL to rows but what PostgreSQL alone
 * can do, which is listed, too (`ownStatements`).
 */
export type Reading<Values, Row> = Declared<"reads", Values, Row>;
export type Writing<Values, Row> = Declared<"writes", Values, Row>;

type Declared<Access, Values, Row> = {
  access: Access;
  /** Writes the statement; each of `values` stands for what a call will bring. */
  build: (tables: Kysely<Tables>, values: Values) => Compilable<Row>;
};

/** What a call brings. Whatever may be null has to be said, too, if only as undefined. */
type Given<Values> = {
  [Name in keyof Values]: null extends Values[Name] ? Values[Name] | undefined : Values[Name];
};

type NoValues = Record<never, never>;

/** Nothing to pass where a statement takes no values. */
export type ValuesOf<Values> = keyof Values extends never ? [] : [values: Given<Values>];

type Asking<Reader, Values, Result> = (
  reader: Reader,
  ...values: ValuesOf<Values>
) => Promise<Result>;

/** Reads only, and says so to the compiler: there is no way from here to a changed row. Statements use it. */
export type Read = {
  all<Values, Row>(statement: Reading<Values, Row>, ...values: ValuesOf<Values>): Promise<Row[]>;
};

/** A transaction. */
export type Write = {
  all<Values, Row>(
    statement: Reading<Values, Row> | Writing<Values, Row>,
    ...values: ValuesOf<Values>
  ): Promise<Row[]>;
  /** Returns how many rows it changed. */
  run<Values, Row>(statement: Writing<Values, Row>, ...values: ValuesOf<Values>): Promise<number>;
  /**
   * Waits until no other transaction holds this name, and holds it to the end of this one: for what is decided by rows
   * that may not be there yet. Rows that a transaction reads are locked by themselves.
   */
  lock(name: string): Promise<void>;
};

export type AnyStatement = Declared<"reads" | "writes", never, unknown>;

const declared: AnyStatement[] = [];

/** Every statement of the modules loaded so far. */
export function declaredStatements(): readonly AnyStatement[] {
  return declared;
}

/** @param toResult makes of the rows what whoever asks wants to know */
export function reading<Row, Values = NoValues, Result = Told<Row>[]>(
  build: (tables: Pick<Kysely<Tables>, "selectFrom" | "fn">, values: Values) => Compilable<Row>,
  toResult: (rows: NoInfer<Told<Row>>[]) => Result = (rows) => rows as Result,
): Reading<Values, Row> & Asking<Read, Values, Result> {
  const statement: Reading<Values, Row> = { access: "reads", build };
  declared.push(statement);
  const ask: Asking<Read, Values, Result> = async (reader, ...values) =>
    toResult((await reader.all(statement, ...values)).map(tell));
  return Object.assign(ask, statement);
}

type Build<Row, Values> = (
  tables: Pick<Kysely<Tables>, "with" | "insertInto" | "updateTable" | "deleteFrom">,
  values: Values,
) => Compilable<Row>;

/** A call tells how many rows it changed; with `toResult`, what that makes of the rows that the statement returns. */
export function writing<Row, Values = NoValues, Result = number>(
  build: Build<Row, Values>,
  toResult?: (rows: NoInfer<Told<Row>>[]) => Result,
): Writing<Values, Row> & Asking<Write, Values, Result> {
  const statement: Writing<Values, Row> = { access: "writes", build };
  declared.push(statement);
  const ask: Asking<Write, Values, Result> = async (transaction, ...values) =>
    toResult
      ? toResult((await transaction.all(statement, ...values)).map(tell))
      : ((await transaction.run(statement, ...values)) as Result);
  return Object.assign(ask, statement);
}

/** Inserts a whole row; a call tells what `toResult` makes of it as it is stored. */
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

/** Inserts a whole row, unless one like it is there. A call tells whether it was inserted. */
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
 * Inserts a whole row, or writes it over the one that has its key.
 * @param counted the column to which it adds, where it is not to write over that
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

function insertInto(tables: Pick<Kysely<Tables>, "insertInto">, table: keyof Tables, row: object) {
  return tables.insertInto(table as "journal").values(pick(namesIn(table), row));
}

/** What a new row says; the database counts the rest. */
function namesIn(table: keyof Tables): string[] {
  return columnsIn(table).flatMap(([column, { counts }]) => (counts ? [] : [nameOf(column)]));
}

/** Asks for a new row with what stands there where nothing is brought. */
function ofWholeRow<Table extends keyof Tables, Result>(
  table: Table,
  ask: (transaction: Write, row: Values) => Promise<Result>,
): (transaction: Write, row: NewRow<Table>) => Promise<Result> {
  const columns = columnsIn(table).map(([column, { given }]) => [nameOf(column), given] as const);
  return (transaction, row: object) => {
    const whole = columns.map(([name, given]) => [name, row[name as keyof typeof row] ?? given]);
    return ask(transaction, Object.fromEntries(whole));
  };
}

export type NameIn<Table extends keyof Tables> = keyof RowIn<Table> & string;
type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";

/**
 * Of a column: how it compares with what a call brings under its name, or always with the same; that it is one of these; or
 * that nothing stands there.
 */
type Condition =
  | Comparison
  | readonly [Comparison, string | number]
  | readonly ["in", readonly string[]]
  | "is null"
  | "is not null";
/** Conditions by column, where the table is known only when the program runs. */
export type AnyConditions = Readonly<Record<string, Condition>>;
export type Conditions<Table extends keyof Tables> = {
  readonly [Name in NameIn<Table>]?: Condition;
};

/** These, and none of a column that the table has not. */
export type Only<Table extends keyof Tables, Wanted> = Wanted & {
  readonly [Name in Exclude<keyof Wanted, NameIn<Table>>]: never;
};

/** What a call brings for its conditions. */
type Compared<Table extends keyof Tables, Wanted> = {
  [Name in keyof Wanted & NameIn<Table> as Wanted[Name] extends Comparison
    ? Name
    : never]: NonNullable<RowIn<Table>[Name]>;
};

/** What a call brings, for statements whose tables and columns are known only when the program runs. */
type Values = Record<string, unknown>;
type Query<Result> = (reader: Read, values: Values) => Promise<Result>;
type Change<Result> = (transaction: Write, values: Values) => Promise<Result>;

/** Changes these columns, all of which a call brings: of the row with an `id`, or where else it is said. Tells of how many rows. */
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

/** Writes a row over the one that has its `id`: all of it but the columns that are kept. */
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

/** Deletes the rows of which that is so. A call tells how many there were. */
export function deleting<Table extends keyof Tables, const Wanted extends Conditions<Table>>(
  table: Table,
  wanted: Only<Table, Wanted>,
): (transaction: Write, ...values: ValuesOf<Compared<Table, Wanted>>) => Promise<number>;
export function deleting(table: keyof Tables, wanted: AnyConditions): Change<number> {
  return deletingFrom(table, wanted);
}

/** The same for a table that is known only when the program runs. */
export function deletingFrom(table: keyof Tables, wanted: AnyConditions): Change<number> {
  return writing((tables, values: Values) =>
    narrow(tables.deleteFrom(table as "journal"), wanted, values),
  );
}

/** Counts the rows of which that is so. */
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

/** Reads the row of which that is so; with `newest`, the one that has the most there. */
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
  toOne: (row: object) => unknown = asItIs,
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

/** What is wanted of each row: a column alone, or what a function makes of the whole row. */
type Making<Row> = (keyof Row & string) | ((row: Row) => unknown);
type Made<Row, By> = By extends keyof Row
  ? Row[By]
  : By extends (row: Row) => infer One
    ? One
    : never;

/** Reads at most `limit` of the rows of which that is so, in the order of a column. */
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
  make: string | ((row: object) => unknown) = asItIs,
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

/** The limit of whoever wants all there are at once. */
export const everything = Number.MAX_SAFE_INTEGER;

/** How many rows are taken in at once, where all of many are read. */
const pageSize = 500;

/** All that a list has in the order of a number: each page is asked for behind the last row of the one before. */
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

/** The row itself, where nothing else is made of it. */
const asItIs = (row: object) => row;

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
    // A partial index answers only where the statement says its condition with the same literals.
    const [comparison, fixed] = condition;
    const literal = typeof fixed === "object" ? fixed.map((one) => sql.lit(one)) : sql.lit(fixed);
    return narrowed.where(column, comparison, literal) as Statement;
  }, statement);
}

/** The values of these names in a statement, by column. */
export function pick(names: readonly string[], row: object): never {
  return Object.fromEntries(
    names.map((name) => [columnOf(name), row[name as keyof typeof row]]),
  ) as never;
}

function columnOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// In the words of one database

/** Makes SQL of a declared statement in the words of one database; what a call brings is bound by name. */
export type Compiled = { sql: string; bind: (values: unknown) => Stored[] };

/** Stands in a compiled statement where a call's value goes. */
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
      throw new Error("A statement takes its values by name");
    },
  },
) as never;

/**
 * @param words of the database; SQL is written here and never run
 */
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

/** Whether a part of a select is there for those who work side by side. */
export function isLock(node: SelectModifierNode): boolean {
  return node.modifier !== undefined && node.modifier !== "Distinct";
}
