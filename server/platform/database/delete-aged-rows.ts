import { type Age, columnsIn, listTables, nameOf, type Tables, tables } from "./schema.ts";
import { type AnyConditions, deletingFrom, type Write } from "./statement.ts";

/** Statements that delete aged rows, derived from each table's retention in `schema.ts`. */
const drops = listTables().flatMap((table) =>
  tables[table].until
    .filter((end) => typeof end === "object")
    .map((age) => deleteAgedFrom(table, age)),
);

function deleteAgedFrom(table: keyof Tables, { column, after = { hours: 0 }, ifNone }: Age) {
  const { type, holds } = Object.fromEntries(columnsIn(table))[column] ?? {};
  const name = nameOf(column);
  const old: AnyConditions = {
    ...(ifNone && { [nameOf(ifNone)]: "is null" }),
    [name]: holds === "day" ? "<" : "<=",
  };
  const drop = deletingFrom(table, old);
  return (transaction: Write, now: Temporal.ZonedDateTime) => {
    const limit = now.subtract(after);
    const at = type === "integer" ? limit.epochMilliseconds : limit.toInstant();
    return drop(transaction, { [name]: holds === "day" ? limit.toPlainDate() : at });
  };
}

/**
 * Deletes rows whose retention has ended.
 * @param now in the campus's time zone, which determines when days and months begin
 */
export async function deleteAgedRows(
  transaction: Write,
  now: Temporal.ZonedDateTime,
): Promise<void> {
  for (const drop of drops) await drop(transaction, now);
}
