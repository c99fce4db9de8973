import type { Compilable, Kysely, WhereInterface } from "kysely";
import { type NewRow, type RowIn, type Told, tell } from "./rows.ts";
import { columnsIn, nameOf, type Tables } from "./schema.ts";

/**
 * One SQL statement, and the function that asks it. It is written with Kysely where its room needs it, declared once when
 * the module loads, compiled at its first use and kept prepared by the connection; a call only brings the values. So every
 * statement is known, and a test holds the plan of each. Nothing else in the server writes SQL.
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
  const ask: Asking<Read, Values, Result> = async (reader, ...values) =>
    toResult((await reader.all(asked, ...values)).map(tell));
  const asked = Object.assign(ask, statement);
  declared.push(asked);
  return asked;
}

type Build<Row, Values> = (
  tables: Pick<Kysely<Tables>, "with" | "insertInto" | "updateTable" | "deleteFrom">,
  values: Values,
) => Compilable<Row>;

/** A call tells how many rows it changed; with `toResult`, what that makes of the rows that the statement returns. */
export function writing<Row, Values = NoValues>(
  build: Build<Row, Values>,
): Writing<Values, Row> & Asking<Write, Values, number>;
export function writing<Row, Values = NoValues, Result = Row[]>(
  build: Build<Row, Values>,
  toResult: (rows: NoInfer<Told<Row>>[]) => Result,
): Writing<Values, Row> & Asking<Write, Values, Result>;
export function writing<Row, Values>(
  build: Build<Row, Values>,
  toResult?: (rows: Told<Row>[]) => unknown,
): Writing<Values, Row> & Asking<Write, Values, unknown> {
  const statement: Writing<Values, Row> = { access: "writes", build };
  const ask: Asking<Write, Values, unknown> = async (transaction, ...values) =>
    toResult
      ? toResult((await transaction.all(asked, ...values)).map(tell))
      : transaction.run(asked, ...values);
  const asked = Object.assign(ask, statement);
  declared.push(asked);
  return asked;
}

/** Inserts a whole row; a call tells what `toResult` makes of it as it is stored. */
export function inserting<Table extends keyof Tables, Result = void>(
  table: Table,
  toResult?: (row: RowIn<Table>) => Result,
): (transaction: Write, row: NewRow<Table>) => Promise<Result> {
  const insert = writing(
    (tables, row: Record<string, never>) => {
      const statement = insertInto(tables, table, row);
      return toResult ? statement.returningAll() : statement;
    },
    ([row]) => toResult?.(row as never) as Result,
  );
  const whole = completing(table);
  return (transaction, row) => insert(transaction, whole(row));
}

/** Inserts a whole row, unless one like it is there. A call tells whether it was inserted. */
export function insertingOnce<Table extends keyof Tables>(
  table: Table,
): (transaction: Write, row: NewRow<Table>) => Promise<boolean> {
  const insert = writing((tables, row: Record<string, never>) =>
    insertInto(tables, table, row).onConflict((conflict) => conflict.doNothing()),
  );
  const whole = completing(table);
  return async (transaction, row) => (await insert(transaction, whole(row))) > 0;
}

/** Inserts a whole row, or writes it over the one that has its key. */
export function replacing<Table extends keyof Tables>(
  table: Table,
): (transaction: Write, row: NewRow<Table>) => Promise<unknown> {
  const keys = columnsIn(table).flatMap(([name, { isKey }]) => (isKey ? [name] : []));
  const others = namesIn(table).filter((name) => !keys.includes(columnOf(name)));
  const replace = writing((tables, row: Record<string, never>) =>
    insertInto(tables, table, row).onConflict((conflict) =>
      conflict.columns(keys as never[]).doUpdateSet(pick(others, row)),
    ),
  );
  const whole = completing(table);
  return (transaction, row) => replace(transaction, whole(row));
}

function insertInto(tables: Pick<Kysely<Tables>, "insertInto">, table: keyof Tables, row: object) {
  return tables.insertInto(table as "journal").values(pick(namesIn(table), row));
}

/** What a new row says; the database counts the rest. */
function namesIn(table: keyof Tables): string[] {
  return columnsIn(table).flatMap(([column, { counts }]) => (counts ? [] : [nameOf(column)]));
}

/** Makes of a new row one with what stands there where nothing is brought. */
function completing(table: keyof Tables): (row: object) => never {
  const columns = columnsIn(table).map(([column, { given }]) => [nameOf(column), given] as const);
  return (row) =>
    Object.fromEntries(
      columns.map(([name, given]) => [name, row[name as keyof typeof row] ?? given]),
    ) as never;
}

/** Changes these of the row with an `id`, all of which a call brings. */
export function updating<Table extends keyof Tables, Name extends keyof RowIn<Table> & string>(
  table: Table,
  columns: readonly Name[],
): (
  transaction: Write,
  row: { [Key in Name]: RowIn<Table>[Key] } & { id: number },
) => Promise<void> {
  const update = writing((tables, row: Record<string, never>) =>
    tables
      .updateTable(table as "journal")
      .set(pick(columns, row))
      .where("id", "=", row.id as never),
  );
  return async (transaction, row) => {
    await update(transaction, row as never);
  };
}

type NameIn<Table extends keyof Tables> = keyof RowIn<Table> & string;
type Comparisons<Name extends string> = { [Key in Name]: "=" | "<>" | "<" | "<=" | ">" };
type Compared<Table extends keyof Tables, Name extends NameIn<Table>> = {
  [Key in Name]: NonNullable<RowIn<Table>[Key]>;
};

/** Deletes the rows that compare so with what a call brings. A call tells how many there were. */
export function deleting<Table extends keyof Tables, Name extends NameIn<Table>>(
  table: Table,
  comparisons: Comparisons<Name>,
): (transaction: Write, values: Compared<Table, Name>) => Promise<number> {
  const drop = writing((tables, values: Record<string, never>) =>
    comparing(tables.deleteFrom(table as "journal"), comparisons, values),
  );
  return (transaction, values) => drop(transaction, values as never);
}

/** Reads the row that compares so with what a call brings; with `newest`, the one that has the most there. */
export function finding<Table extends keyof Tables, Name extends NameIn<Table>, One = RowIn<Table>>(
  table: Table,
  comparisons: Comparisons<Name>,
  toOne?: (row: RowIn<Table>) => One,
  newest?: NameIn<Table>,
): (reader: Read, values: Compared<Table, Name>) => Promise<One | undefined> {
  const find = reading(
    (tables, values: Record<string, never>) => {
      const found = comparing(
        tables.selectFrom(table as "journal").selectAll(),
        comparisons,
        values,
      );
      return newest ? found.orderBy(columnOf(newest) as "id", "desc").limit(1) : found;
    },
    ([row]) => row && toTold(row, toOne),
  );
  return (reader, values) => find(reader, values as never);
}

/** Reads at most `limit` of the rows that compare so with what a call brings, in the order of a column. */
export function listing<Table extends keyof Tables, Name extends NameIn<Table>, One = RowIn<Table>>(
  table: Table,
  comparisons: Comparisons<Name>,
  [by, direction]: readonly [by: NameIn<Table>, direction?: "desc"],
  toOne?: (row: RowIn<Table>) => One,
): (reader: Read, values: Compared<Table, Name> & { limit: number }) => Promise<One[]> {
  const list = reading(
    (tables, values: Record<string, never>) =>
      comparing(tables.selectFrom(table as "journal").selectAll(), comparisons, values)
        .orderBy(columnOf(by) as "id", direction)
        .limit(values.limit as never),
    (rows) => rows.map((row) => toTold(row, toOne)),
  );
  return (reader, values) => list(reader, values as never);
}

function toTold<Row, One>(row: object, toOne?: (row: Row) => One): One {
  return toOne ? toOne(row as Row) : (row as One);
}

function comparing<Statement extends WhereInterface<Tables, "journal">>(
  statement: Statement,
  comparisons: Record<string, string>,
  values: Record<string, never>,
): Statement {
  return Object.entries(comparisons).reduce(
    (narrowed, [name, comparison]) =>
      narrowed.where(columnOf(name) as "id", comparison as "=", values[name] as never) as Statement,
    statement,
  );
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
