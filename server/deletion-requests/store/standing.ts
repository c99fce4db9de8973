import { sql } from "kysely";
import { type Day, reading } from "../../database/statement.ts";
import { workingNames } from "./states.ts";

/** What every page and mail of operators says first: how much is open, and whether each promised date still holds. */
export type Standing = {
  open: number;
  /** How many of them were promised for a day that has passed. */
  late: number;
  /** The first date that was promised, passed or to come; undefined where nothing is open. */
  first: Temporal.PlainDate | undefined;
};

/** Confirmed ones that nobody has called done. */
export const readStanding = reading(
  (tables, { today }: { today: Day }) =>
    tables
      .selectFrom("requests")
      .select((select) => [
        select.fn.countAll<number>().as("open"),
        select.fn
          .sum<number>(select.case().when("due_on", "<", today).then(1).else(0).end())
          .as("late"),
        select.fn.min<string | null>("due_on").as("first"),
      ])
      .where("state", "in", workingNames)
      .where("done_at", "is", null),
  ([row]): Standing => ({
    open: Number(row?.open),
    late: Number(row?.late ?? 0),
    first: row?.first ? Temporal.PlainDate.from(row.first) : undefined,
  }),
);

/** How many requests wait for their confirmation. */
export const countReceived = reading(
  (tables) =>
    tables
      .selectFrom("requests")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("state", "=", sql.lit("received")),
  ([row]) => Number(row?.count),
);
