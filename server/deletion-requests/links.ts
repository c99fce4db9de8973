import type { Read, Write } from "../database/database.ts";
import { toInstant, toText } from "../database/time.ts";
import type { Keys } from "../keys/keys.ts";
import { createToken, hashToken, isToken } from "../keys/tokens.ts";

/**
 * The links in mails, and the visits that they open. A link carries a token that works for days and must not stay in
 * an address bar, a history or a log. Its first request is answered with a redirect to a visit: the token's row
 * number, sealed under a key that only the server has, worthless after half an hour. So a page needs no cookie and no
 * script, and opening a link writes nothing.
 */
export type LinkRecord = {
  id: number;
  requestId: number;
  submissionReference: string | undefined;
  purpose: "confirm" | "status";
  expiresAt: Temporal.Instant | undefined;
  used: boolean;
};

export type VisitMode = "confirm" | "status" | "used" | "expired";

export type Visit =
  | { kind: "open"; tokenId: number; mode: VisitMode }
  | { kind: "visit-expired" }
  | { kind: "unknown" };

export const confirmHours = 48;
export const visitMinutes = 30;

/** Mails that strangers can cause by typing an address, in 24 hours. */
const askedMailsPerDay = 3;

type AskedBy = "person" | "operator" | "system";

export function linkValidUntil(sentAt: Temporal.Instant): Temporal.Instant {
  return sentAt.add({ hours: confirmHours });
}

export async function addConfirmToken(
  transaction: Write,
  requestId: number,
  submissionId: number,
  askedBy: AskedBy,
  now: Temporal.Instant,
): Promise<string> {
  return addToken(transaction, {
    request_id: requestId,
    submission_id: submissionId,
    purpose: "confirm",
    asked_by: askedBy,
    created_at: toText(now),
    expires_at: toText(linkValidUntil(now)),
  });
}

export async function addStatusToken(
  transaction: Write,
  requestId: number,
  askedBy: AskedBy,
  now: Temporal.Instant,
): Promise<string> {
  return addToken(transaction, {
    request_id: requestId,
    submission_id: null,
    purpose: "status",
    asked_by: askedBy,
    created_at: toText(now),
    expires_at: null,
  });
}

async function addToken(
  transaction: Write,
  row: {
    request_id: number;
    submission_id: number | null;
    purpose: string;
    asked_by: AskedBy;
    created_at: string;
    expires_at: string | null;
  },
): Promise<string> {
  const token = createToken();
  await transaction
    .insertInto("tokens")
    .values({ ...row, hash: hashToken(token), used_at: null })
    .execute();
  return token;
}

/**
 * Whether one more mail may go to this mailbox because somebody typed its address. The first link stays valid for
 * longer than the count looks back, so that a person is never left without a working one.
 */
export async function mayMailAgain(
  database: Read,
  emailMatch: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const { count } = await database
    .selectFrom("tokens")
    .innerJoin("requests", "requests.id", "tokens.request_id")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .where("requests.email_match", "=", emailMatch)
    .where("tokens.asked_by", "=", "person")
    .where("tokens.created_at", ">", toText(now.subtract({ hours: 24 })))
    .executeTakeFirstOrThrow();
  return Number(count) < askedMailsPerDay;
}

export async function findLinkByToken(
  database: Read,
  token: unknown,
): Promise<LinkRecord | undefined> {
  return isToken(token) ? findLink(database, { hash: hashToken(token) }) : undefined;
}

export async function findLinkById(database: Read, id: number): Promise<LinkRecord | undefined> {
  return findLink(database, { id });
}

async function findLink(
  database: Read,
  by: { hash: string } | { id: number },
): Promise<LinkRecord | undefined> {
  const row = await database
    .selectFrom("tokens")
    .leftJoin("submissions", "submissions.id", "tokens.submission_id")
    .select([
      "tokens.id",
      "tokens.request_id",
      "tokens.purpose",
      "tokens.expires_at",
      "tokens.used_at",
      "submissions.reference",
    ])
    .$if("hash" in by, (query) => query.where("tokens.hash", "=", "hash" in by ? by.hash : ""))
    .$if("id" in by, (query) => query.where("tokens.id", "=", "id" in by ? by.id : 0))
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      requestId: row.request_id,
      submissionReference: row.reference ?? undefined,
      purpose: row.purpose as LinkRecord["purpose"],
      expiresAt: toInstant(row.expires_at),
      used: row.used_at !== null,
    }
  );
}

/** Confirming with one link uses up all of them. */
export async function spendConfirmTokens(
  transaction: Write,
  requestId: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction
    .updateTable("tokens")
    .set({ used_at: toText(now) })
    .where("request_id", "=", requestId)
    .where("purpose", "=", "confirm")
    .where("used_at", "is", null)
    .execute();
}

export function hasExpired(link: LinkRecord, now: Temporal.Instant): boolean {
  return link.expiresAt !== undefined && Temporal.Instant.compare(link.expiresAt, now) <= 0;
}

export function sealVisit(
  keys: Keys,
  tokenId: number,
  mode: VisitMode,
  now: Temporal.Instant,
): string {
  const until = now.add({ minutes: visitMinutes }).epochMilliseconds;
  return keys.seal("visit", JSON.stringify([tokenId, mode, until]));
}

export function readVisit(keys: Keys, visit: unknown, now: Temporal.Instant): Visit {
  const text = typeof visit === "string" ? keys.unseal("visit", visit) : undefined;
  if (text === undefined) return { kind: "unknown" };
  const [tokenId, mode, until] = JSON.parse(text) as [number, VisitMode, number];
  return now.epochMilliseconds < until
    ? { kind: "open", tokenId, mode }
    : { kind: "visit-expired" };
}
