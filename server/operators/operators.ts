import { type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";

/** The people of the team who may act, by the names that stand in trails. Nadia and nadia are one. */
export type Operator = {
  id: number;
  name: string;
  addedAt: Temporal.Instant;
  /** Undefined while they are with the team. */
  leftAt: Temporal.Instant | undefined;
};

const longestName = 40;

/** A name as it is kept: one line, letters first. Undefined for what cannot be one. */
export function parseOperatorName(typed: string): string | undefined {
  const name = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  return name.length <= longestName && /^\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u.test(name)
    ? name
    : undefined;
}

export function matchOperatorName(name: string): string {
  return name.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
}

/** Somebody who is with the team, however the name was typed. */
export async function findOperator(database: Read, typed: string): Promise<Operator | undefined> {
  const row = await database.one(operatorByName, { match: matchOperatorName(typed) });
  return row && { id: row.id, name: row.name, addedAt: toInstant(row.added_at), leftAt: undefined };
}

const operatorByName = reading((tables, { match }: { match: string }) =>
  tables
    .selectFrom("operators")
    .selectAll()
    .where("name_match", "=", match)
    .where("left_at", "is", null),
);

/** Everybody who ever was, in the order of coming. */
export async function listOperators(database: Read): Promise<Operator[]> {
  const rows = await database.all(allOperators);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    addedAt: toInstant(row.added_at),
    leftAt: toInstant(row.left_at),
  }));
}

const allOperators = reading((tables) => tables.selectFrom("operators").selectAll().orderBy("id"));

/** @returns false when somebody of that name is with the team already */
export async function addOperator(
  transaction: Write,
  name: string,
  at: Temporal.Instant,
): Promise<boolean> {
  const match = matchOperatorName(name);
  if (await transaction.one(operatorByName, { match })) return false;
  await transaction.run(insertOperator, { name, match, at: toText(at) });
  return true;
}

const insertOperator = writing(
  (tables, { name, match, at }: { name: string; match: string; at: string }) =>
    tables.insertInto("operators").values({ name, name_match: match, added_at: at, left_at: null }),
);

/** They may act no longer; what they did stays under their name. */
export async function endOperator(
  transaction: Write,
  name: string,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(leave, { match: matchOperatorName(name), at: toText(at) });
}

const leave = writing((tables, { match, at }: { match: string; at: string }) =>
  tables
    .updateTable("operators")
    .set({ left_at: at })
    .where("name_match", "=", match)
    .where("left_at", "is", null),
);
