import { sql } from "kysely";
import { type At, type Read, reading } from "../../database/statement.ts";

/** Counting what is open. */

export const countReceived = reading(
  (tables) =>
    tables
      .selectFrom("requests")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("state", "=", sql.lit("received")),
  ([row]) => Number(row?.count),
);

/** Confirmed ones that are still to be done, by how long ago they were confirmed. */
export async function countByAge(
  database: Read,
  now: Temporal.Instant,
): Promise<{ upTo3: number; upTo7: number; upTo14: number; older: number }> {
  // After four days less a moment somebody has waited for three whole days.
  const ago = (days: number) => now.subtract({ hours: (days + 1) * 24 });
  const [row] = await workingByAge(database, {
    three: ago(3),
    seven: ago(7),
    fourteen: ago(14),
  });
  const [all, past3, past7, past14] = [row?.every, row?.past3, row?.past7, row?.past14].map(
    (count) => Number(count ?? 0),
  ) as [number, number, number, number];
  return { upTo3: all - past3, upTo7: past3 - past7, upTo14: past7 - past14, older: past14 };
}

const workingByAge = reading(
  (tables, { three, seven, fourteen }: { three: At; seven: At; fourteen: At }) =>
    tables
      .selectFrom("requests")
      .select((select) => {
        const before = (at: At) =>
          select.fn.sum<number>(select.case().when("confirmed_at", "<=", at).then(1).else(0).end());
        return [
          select.fn.countAll<number>().as("every"),
          before(three).as("past3"),
          before(seven).as("past7"),
          before(fourteen).as("past14"),
        ];
      })
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")]),
);
