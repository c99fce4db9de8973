import { type At, type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant } from "../database/time.ts";
import { createToken, hashToken, isToken } from "../keys/tokens.ts";

/**
 * The private address at which an operator's calendar program reads due dates. Such a program cannot sign in, so the
 * address itself is the secret: only its hash is stored, a new one ends the one before, and it can be ended at any time.
 */

/** Makes a new address for an operator; the one before leads nowhere from now on. @returns its token, told only once */
export async function makeCalendarFeed(
  transaction: Write,
  operatorId: number,
  at: Temporal.Instant,
): Promise<string> {
  const token = createToken();
  await enterFeed(transaction, { operatorId, hash: hashToken(token), at });
  return token;
}

const enterFeed = writing(
  (tables, { operatorId, hash, at }: { operatorId: number; hash: string; at: At }) =>
    tables
      .insertInto("calendar_feeds")
      .values({ operator_id: operatorId, token_hash: hash, made_at: at })
      .onConflict((conflict) =>
        conflict.column("operator_id").doUpdateSet({ token_hash: hash, made_at: at }),
      ),
);

/** Changes nothing when there was none. */
export const endCalendarFeed = writing((tables, { operatorId }: { operatorId: number }) =>
  tables.deleteFrom("calendar_feeds").where("operator_id", "=", operatorId),
);

/** Since when an operator has one. */
export const findCalendarFeed = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables.selectFrom("calendar_feeds").select("made_at").where("operator_id", "=", operatorId),
  ([row]) => toInstant(row?.made_at ?? null),
);

/** Whose address it is. Undefined for one that was ended, never was, or whose operator has left. */
export async function findFeedOwner(
  database: Read,
  token: unknown,
): Promise<{ id: number; name: string } | undefined> {
  return isToken(token) ? ownerOfFeed(database, { hash: hashToken(token) }) : undefined;
}

const ownerOfFeed = reading(
  (tables, { hash }: { hash: string }) =>
    tables
      .selectFrom("calendar_feeds")
      .innerJoin("operators", "operators.id", "calendar_feeds.operator_id")
      .select(["operators.id", "operators.name"])
      .where("calendar_feeds.token_hash", "=", hash)
      .where("operators.left_at", "is", null),
  ([owner]) => owner,
);
