import type { Database } from "./database.ts";
import { reading, writing } from "./statement.ts";

/** Statements on a table without foreign keys, for tests that can use any table. */

export const countOf = reading(
  (tables, { month }: { month: string }) =>
    tables.selectFrom("tallies").select("count").where("month", "=", month),
  ([row]) => row,
);
export const insert = writing((tables, { month }: { month: string }) =>
  tables.insertInto("tallies").values({ month, name: "n", count: 0 }),
);
export const setCount = writing((tables, { month, count }: { month: string; count: number }) =>
  tables.updateTable("tallies").set({ count }).where("month", "=", month),
);

export const addOne = (database: Database, month: string) =>
  database.write(async (transaction) => {
    const row = await countOf(transaction, { month });
    await setCount(transaction, { month, count: (row?.count ?? 0) + 1 });
  });

export const failed = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
