import { type Column, columnsIn, listTables } from "./schema.ts";

/** A column as the database reports it, in the terms of `schema.ts`. */
type StoredColumn = {
  table: string;
  column: string;
  type: string;
  isNullable: boolean;
  default: string | null;
  /** "key", "unique", or a foreign key such as "requests cascade" or "operators no action". */
  constraints: string[];
};

/** A column in the database's catalog. `given` is its default value. */
type ColumnRow = { table: string; column: string; type: string; nullable: number; given: unknown };
type ConstraintRow = { table: string; column: string; constraint: string };

export function describeSchema(): StoredColumn[] {
  const columns = listTables().flatMap((table) =>
    columnsIn(table).map(([name, column]) => describe(table, name, column)),
  );
  return columns.sort(byName);
}

function describe(table: string, name: string, column: Column): StoredColumn {
  const { isKey, isUnique, pointsTo, given } = column;
  const constraints = [
    ...(isKey ? ["key"] : []),
    ...(pointsTo ? [`${pointsTo.table} ${pointsTo.cascades ? "cascade" : "no action"}`] : []),
    ...(isUnique ? ["unique"] : []),
  ];
  return {
    table,
    column: name,
    type: column.counts ? `${column.type}, counted` : column.type,
    isNullable: column.isNullable,
    default: given === undefined ? null : String(given),
    constraints: constraints.sort(),
  };
}

/** Converts catalog rows to the terms of `schema.ts`. */
export function describeStore(columns: ColumnRow[], constraints: ConstraintRow[]): StoredColumn[] {
  const described = columns.map(({ table, column, type, nullable, given }) => {
    const ofColumn = constraints.filter(
      (constraint) => constraint.table === table && constraint.column === column,
    );
    const isKey = ofColumn.some(({ constraint }) => constraint === "key");
    return {
      table,
      column,
      type,
      // SQLite reports a primary key as nullable.
      isNullable: Boolean(nullable) && !isKey,
      default: given === null ? null : /^'?(.*?)'?(?:::.*)?$/.exec(String(given))?.[1],
      constraints: ofColumn.map(({ constraint }) => constraint).sort(),
    } as StoredColumn;
  });
  return described.filter(({ table }) => !table.startsWith("kysely_")).sort(byName);
}

function byName(first: StoredColumn, second: StoredColumn): number {
  const [a, b] = [first, second].map(({ table, column }) => `${table}.${column}`);
  return (a as string) < (b as string) ? -1 : 1;
}
