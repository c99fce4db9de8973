import type { Insertable, Selectable } from "kysely";
import { type Column, columnsIn, listTables, nameOf, type Tables } from "./schema.ts";

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

type Read = (value: string | number) => unknown;

const itself: Read = (value) => value;

const readers: Record<NonNullable<Column["holds"]>, Read> = {
  instant: (value) => Temporal.Instant.from(String(value)),
  day: (value) => Temporal.PlainDate.from(String(value)),
  flag: (value) => Number(value) > 0,
};

/** How a column is called outside, and what is made of what stands there: one name means the same in every table. */
const known = new Map(
  listTables().flatMap((table) =>
    columnsIn(table).map(([column, { holds }]) => {
      return [column, { name: nameOf(column), read: holds ? readers[holds] : itself }];
    }),
  ),
);

/** What a statement makes and no table holds, such as a count. */
const unheld = (column: string) => ({ name: nameOf(column), read: itself });

export function tell<Row>(row: Row): Told<Row> {
  const told: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row as object)) {
    const { name, read } = known.getOrInsertComputed(column, unheld);
    told[name] = value === null ? undefined : read(value);
  }
  return told as Told<Row>;
}

/** A value as the tables hold it. */
export type Stored = string | number | null;

/** @throws TypeError for a value that no column can hold */
export function encode(value: unknown): Stored {
  if (value instanceof Temporal.Instant) return toText(value);
  if (value instanceof Temporal.PlainDate) return value.toString();
  if (typeof value === "boolean") return Number(value);
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`No column can hold a value of type ${typeof value}`);
}

/** An instant as the tables hold it: UTC text of fixed width, so that text order is time order. */
export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** The hour of an instant, such as 2026-11-21T06: what is counted or told once an hour is named by it. */
export function toHour(instant: Temporal.Instant): string {
  return toText(instant).slice(0, "2026-11-21T06".length);
}
