import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import { type Column, columnsIn, listTables, type Tables } from "../schema.ts";

/**
 * Makes the tables and columns that the schema says came with a migration.
 * @param since the migration's name; undefined for the first
 */
export async function makeColumns(database: Kysely<unknown>, since?: string): Promise<void> {
  for (const table of listTables()) {
    const columns = columnsIn(table).filter(([, column]) => column.since === since);
    if (columns.length === 0) continue;
    if (columns.some(([, column]) => column.isKey)) {
      await makeOf(database, table, columns);
      continue;
    }
    for (const [name, column] of columns) {
      await database.schema
        .alterTable(table)
        .addColumn(name, column.type, (definition) => define(definition, column))
        .execute();
    }
  }
}

/**
 * Makes a table as it stood with a migration: what is newer comes with its own.
 * @param until the migration's name
 */
export async function makeTable(
  database: Kysely<unknown>,
  table: keyof Tables,
  until: string,
): Promise<void> {
  const columns = columnsIn(table).filter(([, { since = "" }]) => since <= until);
  await makeOf(database, table, columns);
}

async function makeOf(
  database: Kysely<unknown>,
  table: keyof Tables,
  columns: [string, Column][],
): Promise<void> {
  const keys = columns.filter(([, column]) => column.isKey).map(([name]) => name);
  let making = database.schema.createTable(table);
  for (const [name, column] of columns) {
    making = making.addColumn(name, column.type, (definition) => {
      if (!column.isKey || keys.length > 1) return define(definition, column);
      const key = point(definition, column).primaryKey();
      return column.counts ? key.autoIncrement() : key;
    });
  }
  if (keys.length > 1) making = making.addPrimaryKeyConstraint(`${table}_key`, keys as never[]);
  await making.execute();
}

function define(definition: ColumnDefinitionBuilder, column: Column): ColumnDefinitionBuilder {
  let defined = point(definition, column);
  if (!column.isNullable) defined = defined.notNull();
  if (column.isUnique) defined = defined.unique();
  return column.given === undefined ? defined : defined.defaultTo(column.given);
}

function point(definition: ColumnDefinitionBuilder, { pointsTo }: Column): ColumnDefinitionBuilder {
  if (!pointsTo) return definition;
  const pointing = definition.references(`${pointsTo.table}.id`);
  return pointsTo.goesWith ? pointing.onDelete("cascade") : pointing;
}
