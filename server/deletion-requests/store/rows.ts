import { toInstant } from "../../database/time.ts";

/** Reading rows: what comes out of one is parsed, not believed. */

/** Says which row it was; the row itself may name a person. */
export function parse<T>(table: string, id: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new Error(`Row ${id} of ${table} cannot be understood: ${reason}`);
  }
}

export function text(value: string | null): string {
  if (!value) throw new Error("a text is missing");
  return value;
}

export function oneOf<T extends string>(known: readonly T[], value: string | null): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error("a code is not known");
  return found;
}

export function needInstant(value: string | null): Temporal.Instant {
  const instant = toInstant(value);
  if (!instant) throw new Error("an instant is missing");
  return instant;
}

export function needDate(value: string | null): Temporal.PlainDate {
  const date = toDate(value);
  if (!date) throw new Error("a date is missing");
  return date;
}

export function toDate(value: string | null): Temporal.PlainDate | undefined {
  return value === null ? undefined : Temporal.PlainDate.from(value);
}

export function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}
