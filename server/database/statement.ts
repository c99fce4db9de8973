import type { Compilable, Insertable, Kysely, Selectable } from "kysely";
import type { Tables } from "./schema.ts";

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

declare const given: unique symbol;

/** What a statement sees of a value that is text or a number in the tables, and something else to whoever asks. */
type As<Stored, Value> = Stored & { readonly [given]: Value };
export type At = As<string, Temporal.Instant>;
export type Day = As<string, Temporal.PlainDate>;
/** 1 or 0. */
export type Flag = As<number, boolean>;

type GivenFor<Value> = Value extends { readonly [given]: infer Given }
  ? Given
  : Value extends null
    ? null | undefined
    : Value;

/** What a call brings. Whatever may be null has to be said, too, if only as undefined. */
type Given<Values> = { [Name in keyof Values]: GivenFor<Values[Name]> };

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
export function reading<Row, Values = NoValues, Result = Row[]>(
  build: (tables: Pick<Kysely<Tables>, "selectFrom" | "fn">, values: Values) => Compilable<Row>,
  toResult: (rows: Row[]) => Result = (rows) => rows as Result,
): Reading<Values, Row> & Asking<Read, Values, Result> {
  const statement: Reading<Values, Row> = { access: "reads", build };
  const ask: Asking<Read, Values, Result> = async (reader, ...values) =>
    toResult(await reader.all(asked, ...values));
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
  toResult: (rows: Row[]) => Result,
): Writing<Values, Row> & Asking<Write, Values, Result>;
export function writing<Row, Values>(
  build: Build<Row, Values>,
  toResult?: (rows: Row[]) => unknown,
): Writing<Values, Row> & Asking<Write, Values, unknown> {
  const statement: Writing<Values, Row> = { access: "writes", build };
  const ask: Asking<Write, Values, unknown> = async (transaction, ...values) =>
    toResult
      ? toResult(await transaction.all(asked, ...values))
      : transaction.run(asked, ...values);
  const asked = Object.assign(ask, statement);
  declared.push(asked);
  return asked;
}

/** What a call may bring for a column: what the tables hold, or what is made that where it is bound. */
type Bringing<Stored> =
  | Stored
  | (string extends Stored ? Temporal.Instant | Temporal.PlainDate : never)
  | (number extends Stored ? boolean : never)
  | (null extends Stored ? undefined : never);

/** What a call brings for these columns of a row. */
export type RowOf<Table extends keyof Tables, Column extends keyof Insertable<Tables[Table]>> = {
  [Name in Column]: Bringing<Insertable<Tables[Table]>[Name]>;
};

/** Inserts a row, of which a call brings these columns; a call tells what `toResult` makes of the row as it is stored. */
export function inserting<
  Table extends keyof Tables & string,
  Column extends keyof Insertable<Tables[Table]> & string,
  Result = void,
>(
  table: Table,
  columns: readonly Column[],
  toResult?: (row: Selectable<Tables[Table]>) => Result,
): (transaction: Write, row: RowOf<Table, Column>) => Promise<Result> {
  const insert = writing(
    (tables, row: Record<string, never>) => {
      const statement = tables.insertInto(table as "journal").values(pick(columns, row));
      return toResult ? statement.returningAll() : statement;
    },
    ([row]) => row,
  );
  return async (transaction, row) => {
    const stored = await insert(transaction, row as never);
    return toResult?.(stored as never) as Result;
  };
}

/** Changes these columns, all of which a call brings, of the row with an `id`. */
export function updating<
  Table extends keyof Tables & string,
  Column extends keyof Insertable<Tables[Table]> & string,
>(
  table: Table,
  columns: readonly Column[],
): (transaction: Write, row: RowOf<Table, Column> & { id: number }) => Promise<void> {
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

/** The values of these columns in a statement. */
export function pick(columns: readonly string[], row: Record<string, unknown>): never {
  return Object.fromEntries(columns.map((name) => [name, row[name]])) as never;
}
