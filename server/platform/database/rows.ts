import type { Insertable, Selectable } from "kysely";
import { type Column, columnsIn, listTables, nameOf, type Tables } from "./schema.ts";

/**
 * A row as callers see it: field names such as `receivedAt`, decoded values, and `undefined`
 * instead of null.
 */
export type DecodedRow<Row> = {
  [Name in keyof Row as Camel<Name>]: null extends Row[Name]
    ? Exclude<Row[Name], null> | undefined
    : Row[Name];
};

type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

export type RowIn<Table extends keyof Tables> = DecodedRow<Selectable<Tables[Table]>>;

/** Fields of a new row. Fields with a default are optional. */
export type NewRow<Table extends keyof Tables> = DecodedRow<Insertable<Tables[Table]>>;

type Read = (value: string | number) => unknown;

const itself: Read = (value) => value;

const readers: Record<NonNullable<Column["holds"]>, Read> = {
  instant: (value) => Temporal.Instant.from(String(value)),
  day: (value) => Temporal.PlainDate.from(String(value)),
  flag: (value) => Number(value) > 0,
};

/** Field names and decoders, keyed by column. A column name has the same meaning in every table. */
const known = new Map(
  listTables().flatMap((table) =>
    columnsIn(table).map(([column, { holds }]) => {
      return [column, { name: nameOf(column), read: holds ? readers[holds] : itself }];
    }),
  ),
);

/** Returns the entry for a computed column, such as a count, which needs no decoding. */
const unheld = (column: string) => ({ name: nameOf(column), read: itself });

export function decodeRow<Row>(row: Row): DecodedRow<Row> {
  const decoded: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row as object)) {
    const { name, read } = known.getOrInsertComputed(column, unheld);
    decoded[name] = value === null ? undefined : read(value);
  }
  return decoded as DecodedRow<Row>;
}

export type StoredValue = string | number | null;

/** Encodes a value for storage. @throws TypeError if no column can hold it */
export function encode(value: unknown): StoredValue {
  if (value instanceof Temporal.Instant) return toText(value);
  if (value instanceof Temporal.PlainDate) return value.toString();
  if (typeof value === "boolean") return Number(value);
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`No column can hold a value of type ${typeof value}`);
}

/** Formats an instant for storage as UTC text of fixed width so that text order is time order. */
export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

/** Formats an instant's hour, such as 2026-11-21T06, as a key for hourly counts and alerts. */
export function toHour(instant: Temporal.Instant): string {
  return toText(instant).slice(0, "2026-11-21T06".length);
}
