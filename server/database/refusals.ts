import { deleting, reading, replacing, type Write } from "./statement.ts";

/**
 * How often somebody was refused on a day, and when last: no word of whom. Kept for as long as a row of Health looks back,
 * and a day more.
 */
export type RefusedWay = "sign-in" | "signature";

export type Refused = { count: number; newestAt: Temporal.Instant };

const keptDays = 8;

/** Adds to the counts of a day, and drops the oldest. */
export async function enterRefusals(
  transaction: Write,
  day: Temporal.PlainDate,
  refusals: ReadonlyMap<RefusedWay, Refused>,
): Promise<void> {
  for (const [way, { count, newestAt }] of refusals) {
    await addRefusals(transaction, { day, way, count, newestAt });
  }
  await dropRefusals(transaction, { day: day.subtract({ days: keptDays }) });
}

const addRefusals = replacing("refusals", "count");

const dropRefusals = deleting("refusals", { day: "<" });

export const listRefusals = reading((tables, { from }: { from: Temporal.PlainDate }) =>
  tables.selectFrom("refusals").selectAll().where("day", ">=", from).orderBy("day"),
);
