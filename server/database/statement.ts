import type { Compilable, Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/**
 * One SQL statement. It is written with Kysely where its room needs it, declared once when the module loads, compiled
 * at its first use and kept prepared by the connection; a call only brings the values. So every statement is known,
 * and a test holds the plan of each. Nothing else in the server writes SQL.
 */
export type Reading<Values, Row> = Declared<"reads", Values, Row>;
export type Writing<Values, Row> = Declared<"writes", Values, Row>;

export type Value = string | number | null;

type Declared<Access, Values, Row> = {
  access: Access;
  /** Writes the statement; each of `values` stands for what a call will bring. */
  build: (tables: Kysely<Tables>, values: Values) => Compilable<Row>;
};

type NoValues = Record<never, Value>;

/** Nothing to pass where a statement takes no values. */
export type ValuesOf<Values> = keyof Values extends never ? [] : [values: Values];

/** Reads only, and says so to the compiler: there is no way from here to a changed row. */
export type Read = {
  all<Values, Row>(statement: Reading<Values, Row>, ...values: ValuesOf<Values>): Promise<Row[]>;
  one<Values, Row>(
    statement: Reading<Values, Row>,
    ...values: ValuesOf<Values>
  ): Promise<Row | undefined>;
};

/** A transaction. */
export type Write = {
  all<Values, Row>(
    statement: Reading<Values, Row> | Writing<Values, Row>,
    ...values: ValuesOf<Values>
  ): Promise<Row[]>;
  one<Values, Row>(
    statement: Reading<Values, Row> | Writing<Values, Row>,
    ...values: ValuesOf<Values>
  ): Promise<Row | undefined>;
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

export function reading<Row, Values = NoValues>(
  build: (tables: Pick<Kysely<Tables>, "selectFrom" | "fn">, values: Values) => Compilable<Row>,
): Reading<Values, Row> {
  return declare("reads", build);
}

export function writing<Row, Values = NoValues>(
  build: (
    tables: Pick<Kysely<Tables>, "with" | "insertInto" | "updateTable" | "deleteFrom">,
    values: Values,
  ) => Compilable<Row>,
): Writing<Values, Row> {
  return declare("writes", build);
}

function declare<Access extends "reads" | "writes", Values, Row>(
  access: Access,
  build: Declared<Access, Values, Row>["build"],
): Declared<Access, Values, Row> {
  const statement = { access, build };
  declared.push(statement);
  return statement;
}
