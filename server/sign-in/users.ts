import { reading } from "../database/statement.ts";

/** What passkeys call somebody of the team: random, and names nobody. */
export const findUser = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables.selectFrom("operators").select("user_handle").where("id", "=", operatorId),
  ([row]) => (row?.user_handle ? { handle: row.user_handle } : undefined),
);
