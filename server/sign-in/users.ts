import { type Read, reading } from "../database/statement.ts";

/** What passkeys call somebody of the team: random, and names nobody. */
export async function findUser(
  database: Read,
  operatorId: number,
): Promise<{ handle: string } | undefined> {
  const row = await database.one(handleOf, { operatorId });
  return row?.user_handle ? { handle: row.user_handle } : undefined;
}

const handleOf = reading((tables, { operatorId }: { operatorId: number }) =>
  tables.selectFrom("operators").select("user_handle").where("id", "=", operatorId),
);
