import { sql } from "kysely";
import { reading } from "../../database/statement.ts";

/** How many requests wait for their confirmation. */
export const countReceived = reading(
  (tables) =>
    tables
      .selectFrom("requests")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("state", "=", sql.lit("received")),
  ([row]) => Number(row?.count),
);
