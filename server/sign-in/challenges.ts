import { type At, type Write, writing } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { hashToken } from "../keys/tokens.ts";

/**
 * What a passkey signs: sealed by this server, for one purpose and a while. Nothing is stored when one is made, so
 * nobody can fill the store by asking; what was answered is kept until it would have expired, so none is answered twice.
 */

const validMinutes = 30;

export type Challenge = { hash: string; until: Temporal.Instant };

export function makeChallenge(keys: Keys, purpose: string, now: Temporal.Instant): string {
  const until = toText(now.add({ minutes: validMinutes }));
  return keys.seal("challenge", JSON.stringify({ purpose, until }));
}

/** Undefined for what this server did not make, made for something else, or too long ago. */
export function openChallenge(
  keys: Keys,
  challenge: string,
  purpose: string,
  now: Temporal.Instant,
): Challenge | undefined {
  const text = keys.unseal("challenge", challenge);
  if (text === undefined) return undefined;
  const sealed = JSON.parse(text) as { purpose: string; until: string };
  const until = Temporal.Instant.from(sealed.until);
  if (sealed.purpose !== purpose || Temporal.Instant.compare(until, now) <= 0) return undefined;
  return { hash: hashToken(challenge), until };
}

/** @returns false when it was answered before */
export async function spendChallenge(
  transaction: Write,
  { hash, until }: Challenge,
  now: Temporal.Instant,
): Promise<boolean> {
  await dropExpired(transaction, { now });
  return (await spend(transaction, { hash, until })) > 0;
}

const dropExpired = writing((tables, { now }: { now: At }) =>
  tables.deleteFrom("operator_challenges").where("expires_at", "<=", now),
);

const spend = writing((tables, { hash, until }: { hash: string; until: At }) =>
  tables
    .insertInto("operator_challenges")
    .values({ hash, expires_at: until })
    .onConflict((conflict) => conflict.doNothing()),
);
