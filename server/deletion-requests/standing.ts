import { sql } from "kysely";
import { type Read, reading } from "../database/statement.ts";

/** What every page and mail of operators says first: how much is open, and whether each promised date still holds. */
export type Standing = {
  open: number;
  /** How many of them were promised for a day that has passed. */
  late: number;
  /** The first date that was promised, passed or to come; undefined where nothing is open. */
  first: Temporal.PlainDate | undefined;
};

/** Confirmed ones that nobody has called done. */
export async function readStanding(database: Read, today: Temporal.PlainDate): Promise<Standing> {
  const row = await database.one(standing, { today: today.toString() });
  return {
    open: Number(row?.open ?? 0),
    late: Number(row?.late ?? 0),
    first: row?.first ? Temporal.PlainDate.from(row.first) : undefined,
  };
}

const standing = reading((tables, { today }: { today: string }) =>
  tables
    .selectFrom("requests")
    .select((select) => [
      select.fn.countAll<number>().as("open"),
      select.fn
        .sum<number>(select.case().when("due_on", "<", today).then(1).else(0).end())
        .as("late"),
      select.fn.min<string | null>("due_on").as("first"),
    ])
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("done_at", "is", null),
);
