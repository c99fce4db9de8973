import { type At, type Read, reading, type Write, writing } from "../../database/statement.ts";
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
    await insertGone(transaction, { hash, how, at });
  }
}

const insertGone = writing((tables, to: { hash: string; how: Gone; at: At }) =>
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
    const how = hash && (await goneByHash(database, { hash }));
    if (how) return how === "removed" ? "removed" : "expired";
  }
  return undefined;
}

const goneByHash = reading(
  (tables, { hash }: { hash: string }) =>
    tables.selectFrom("gone_references").select("how").where("hash", "=", hash),
  ([row]) => row?.how,
);

export const dropGone = writing((tables, { before }: { before: At }) =>
  tables.deleteFrom("gone_references").where("at", "<=", before),
);
