import { type At, type Day, reading, type Write, writing } from "./statement.ts";
import { toInstant } from "./time.ts";

/**
 * How often somebody was refused on a day, and when last: no word of whom. Kept for as long as a row of Health looks back,
 * and a day more.
 */
export const refusedWays = ["sign-in", "signature"] as const;

export type RefusedWay = (typeof refusedWays)[number];

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
  await dropRefusals(transaction, { before: day.subtract({ days: keptDays }) });
}

const addRefusals = writing(
  (tables, to: { day: Day; way: RefusedWay; count: number; newestAt: At }) =>
    tables
      .insertInto("refusals")
      .values({ day: to.day, way: to.way, count: to.count, newest_at: to.newestAt })
      .onConflict((conflict) =>
        conflict.columns(["day", "way"]).doUpdateSet((column) => ({
          count: column("refusals.count", "+", to.count),
          newest_at: to.newestAt,
        })),
      ),
);

const dropRefusals = writing((tables, { before }: { before: Day }) =>
  tables.deleteFrom("refusals").where("day", "<", before),
);

export const listRefusals = reading(
  (tables, { from }: { from: Day }) =>
    tables.selectFrom("refusals").selectAll().where("day", ">=", from).orderBy("day"),
  (rows) =>
    rows.map(({ day, way, count, newest_at }) => ({
      day: Temporal.PlainDate.from(day),
      way,
      count,
      newestAt: toInstant(newest_at),
    })),
);
