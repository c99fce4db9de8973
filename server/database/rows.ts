import type { Insertable, Selectable } from "kysely";
import { type Column, columnsIn, listTables, nameOf, type Tables } from "./schema.ts";
import { toText } from "./time.ts";

/**
 * A row as whoever asks has it: under names such as `receivedAt`, with what its texts and numbers stand for, and undefined
 * where nothing stands.
 */
export type Told<Row> = {
  [Name in keyof Row as Camel<Name>]: null extends Row[Name]
    ? Exclude<Row[Name], null> | undefined
    : Row[Name];
};

type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** A row of a table. */
export type RowIn<Table extends keyof Tables> = Told<Selectable<Tables[Table]>>;

/** What a new row of a table must be given, and may be. */
export type NewRow<Table extends keyof Tables> = Told<Insertable<Tables[Table]>>;

/** What a column stands for under whatever table: one name means the same everywhere. */
const meanings = new Map(
  listTables().flatMap((table) => columnsIn(table).map(([name, { holds }]) => [name, holds])),
);

const read: Record<NonNullable<Column["holds"]>, (value: never) => unknown> = {
  instant: (value: string) => Temporal.Instant.from(value),
  day: (value: string) => Temporal.PlainDate.from(value),
  flag: (value: number) => value > 0,
};

/** By column, how it is called outside and what is made of what stands there. */
const known = new Map<string, [name: string, read: (value: never) => unknown]>();

function learn(column: string): [name: string, read: (value: never) => unknown] {
  const holds = meanings.get(column);
  const learnt = [nameOf(column), holds ? read[holds] : (value: unknown) => value] as const;
  known.set(column, [...learnt]);
  return [...learnt];
}

export function tell<Row>(row: Row): Told<Row> {
  const told: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row as object)) {
    const [name, read] = known.get(column) ?? learn(column);
    told[name] = value === null ? undefined : read(value as never);
  }
  return told as Told<Row>;
}

/** A value as the tables hold it. */
export function encode(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return toText(value);
  if (value instanceof Temporal.PlainDate) return value.toString();
  if (typeof value === "boolean") return Number(value);
  return value ?? null;
}
