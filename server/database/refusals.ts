import { type Read, reading, type Write, writing } from "./statement.ts";
import { toInstant, toText } from "./time.ts";

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
    const to = { day: day.toString(), way, count, newestAt: toText(newestAt) };
    await transaction.run(addRefusals, to);
  }
  await transaction.run(dropRefusals, { before: day.subtract({ days: keptDays }).toString() });
}

const addRefusals = writing(
  (tables, to: { day: string; way: string; count: number; newestAt: string }) =>
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

const dropRefusals = writing((tables, { before }: { before: string }) =>
  tables.deleteFrom("refusals").where("day", "<", before),
);

export async function listRefusals(
  database: Read,
  from: Temporal.PlainDate,
): Promise<(Refused & { day: Temporal.PlainDate; way: string })[]> {
  const rows = await database.all(refusalsFrom, { from: from.toString() });
  return rows.map(({ day, way, count, newest_at }) => ({
    day: Temporal.PlainDate.from(day),
    way,
    count,
    newestAt: toInstant(newest_at),
  }));
}

const refusalsFrom = reading((tables, { from }: { from: string }) =>
  tables.selectFrom("refusals").selectAll().where("day", ">=", from).orderBy("day"),
);
