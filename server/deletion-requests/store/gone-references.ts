import { type Read, reading, type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";

/**
 * References of requests of which nothing is left, as keyed hashes: whoever calls with one is told that it expired, and
 * not that it never was.
 */
export type Gone = "expired" | "removed";

export async function enterGone(
  transaction: Write,
  keys: Keys,
  references: readonly string[],
  how: Gone,
  at: Temporal.Instant,
): Promise<void> {
  for (const reference of references) {
    const { hash } = keys.hash("reference", reference);
    await transaction.run(insertGone, { hash, how, at: toText(at) });
  }
}

const insertGone = writing((tables, to: { hash: string; how: string; at: string }) =>
  tables
    .insertInto("gone_references")
    .values({ hash: to.hash, how: to.how, at: to.at })
    .onConflict((conflict) => conflict.column("hash").doNothing()),
);

export async function findGone(
  database: Read,
  keys: Keys,
  reference: string,
): Promise<Gone | undefined> {
  for (const version of keys.versions) {
    const hash = keys.hashWith("reference", reference, version)?.hash;
    const row = hash && (await database.one(goneByHash, { hash }));
    if (row) return row.how === "removed" ? "removed" : "expired";
  }
  return undefined;
}

const goneByHash = reading((tables, { hash }: { hash: string }) =>
  tables.selectFrom("gone_references").select("how").where("hash", "=", hash),
);

export async function dropGone(transaction: Write, before: Temporal.Instant): Promise<void> {
  await transaction.run(drop, { before: toText(before) });
}

const drop = writing((tables, { before }: { before: string }) =>
  tables.deleteFrom("gone_references").where("at", "<=", before),
);
