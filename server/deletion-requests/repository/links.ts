import { linkHours, linkMailsPerDay, mailboxMailsPerDay } from "../../periods.ts";
import { createToken, hashToken, isToken, type Keys } from "../../platform/crypto/keys.ts";
import { toHour } from "../../platform/database/rows.ts";
import {
  inserting,
  type Read,
  reading,
  updating,
  type Write,
  writing,
} from "../../platform/database/statement.ts";
import { countForms, formsSince } from "./network-forms.ts";

/**
 * Links in emails, and the visits that they open. A link's token works for days, so it must not
 * stay in an address bar, a browser history or a log. Its first request redirects to a visit: the
 * token's hash, sealed with a server key and valid for half an hour. Pages therefore need neither
 * cookies nor scripts, opening a link writes nothing, and after a restore a visit opens either its
 * own link or none.
 */
export type LinkRecord = NonNullable<Awaited<ReturnType<typeof findLink>>>;

export type VisitMode = "confirm" | "status" | "used" | "expired";

/**
 * A link to create. With `submissionId`, it confirms that submission; without it, it shows the
 * status.
 */
export type NewLink = {
  requestId: number;
  submissionId?: number | undefined;
  /** Mailbox whose rate limit counts the link; undefined if the link isn't limited. */
  mailbox?: string | undefined;
  /** Whether the link's page can stop a request that waits for approval. */
  stops?: boolean | undefined;
};

export function linkValidUntil(sentAt: Temporal.Instant): Temporal.Instant {
  return sentAt.add({ hours: linkHours });
}

/** Creates a link and returns its token. */
export async function addLink(
  transaction: Write,
  { stops, ...link }: NewLink,
  now: Temporal.Instant,
): Promise<string> {
  const token = createToken();
  const confirms = link.submissionId !== undefined;
  await insertToken(transaction, {
    ...link,
    askedBy: "",
    purpose: confirms ? "confirm" : stops ? "stop" : "status",
    hash: hashToken(token),
    createdAt: now,
    expiresAt: confirms ? linkValidUntil(now) : undefined,
  });
  return token;
}

const insertToken = inserting("tokens");

/** Extends the validity of a confirmation link. */
export const renewLink = updating("tokens", ["expiresAt"], { hash: "=" });

/**
 * The network that a form came from, as a keyed hash, and its share as a multiple of a single
 * client's.
 */
export type NetworkShare = { network: string; share: number };

/** An email that a form asks for. */
type LinkRequest = { requestId: number; mailbox: string; networks: readonly NetworkShare[] };

/**
 * Decides whether a form may send another email to an email address. Either of two rules is enough.
 * First, each network has its own limit per mailbox, which no other network can use up. Second, the
 * day's first email to an exact address is sent until the mailbox has had `mailboxMailsPerDay`. So
 * variants of an address (dots, plus tags) neither block its owner nor flood the mailbox. A link
 * stays valid for longer than the period that counts.
 */
export async function canMail(
  database: Read,
  keys: Keys,
  { requestId, mailbox, networks }: LinkRequest,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = now.subtract({ hours: 24 });
  const { mails, own } = await mailsAskedSince(database, { mailbox, requestId, since });
  let hasOwn = true;
  for (const { network, share } of networks) {
    const name = nameOfPair(keys, mailbox, network);
    const caused = await formsSince(database, { network: name, since: toHour(since) });
    hasOwn &&= caused < linkMailsPerDay * share;
  }
  return hasOwn || (own === 0 && mails < mailboxMailsPerDay);
}

/** Counts an email for its networks. An email that is held back writes the same rows. */
export async function countMail(
  transaction: Write,
  keys: Keys,
  { mailbox, networks, isHeldBack }: Omit<LinkRequest, "requestId"> & { isHeldBack: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const forms = isHeldBack ? 0 : 1;
  for (const { network } of networks) {
    await countForms(transaction, { network: nameOfPair(keys, mailbox, network), forms, now });
  }
}

/** Hashes a mailbox and a network together, so that the counts reveal neither. */
const nameOfPair = (keys: Keys, mailbox: string, network: string) =>
  keys.hash("network", `${mailbox} ${network}`).hash;

const mailsAskedSince = reading(
  (
    tables,
    { mailbox, requestId, since }: { mailbox: string; requestId: number; since: Temporal.Instant },
  ) =>
    tables
      .selectFrom("tokens")
      .select((select) => [
        select.fn.countAll<number>().as("mails"),
        select.fn
          .sum<number>(select.case().when("request_id", "=", requestId).then(1).else(0).end())
          .as("own"),
      ])
      .where("mailbox", "=", mailbox)
      .where("created_at", ">", since),
  ([row]) => ({ mails: Number(row?.mails), own: Number(row?.own ?? 0) }),
);

/** Returns the hash for a visit to carry; empty if the token is invalid. */
export function linkHashOf(token: unknown): string {
  return isToken(token) ? hashToken(token) : "";
}

export const findLink = reading(
  (tables, { hash }: { hash: string }) =>
    tables
      .selectFrom("tokens")
      .leftJoin("submissions", "submissions.id", "tokens.submission_id")
      .select(["tokens.id", "tokens.request_id", "tokens.purpose", "tokens.expires_at"])
      .select(["tokens.used_at", "submissions.reference"])
      .where("tokens.hash", "=", hash),
  ([row]) =>
    row && {
      requestId: row.requestId,
      expiresAt: row.expiresAt,
      confirms: row.purpose === "confirm",
      /** Whether this is the link in the notice to the mailbox that was reported closed. */
      stops: row.purpose === "stop",
      isUsed: row.usedAt !== undefined,
      /** Submission whose email has this link; undefined for links of a confirmed request. */
      submissionReference: row.reference ?? undefined,
    },
);

/** Marks all confirmation links of a request as used once it is confirmed in any way. */
export const spendConfirmTokens = updating("tokens", ["usedAt"], {
  requestId: "=",
  purpose: ["=", "confirm"],
  usedAt: "is null",
});

/**
 * Makes links usable again that an approval had marked as used, because the approval was undone.
 */
export const reviveConfirmTokens = writing(
  (tables, { requestId, spentAt }: { requestId: number; spentAt: Temporal.Instant }) =>
    tables
      .updateTable("tokens")
      .set({ used_at: null })
      .where("request_id", "=", requestId)
      .where("purpose", "=", "confirm")
      .where("used_at", "=", spentAt),
);

/**
 * Sets when the status links of an ended request stop working; cleared if the request is reopened.
 */
export const closeLinks = updating("tokens", ["closesAt"], { requestId: "=" });

/** Checks whether a confirmation link has expired; status links never expire this way. */
export function hasExpired({ confirms, expiresAt }: LinkRecord, now: Temporal.Instant): boolean {
  return confirms && (!expiresAt || Temporal.Instant.compare(expiresAt, now) <= 0);
}

/**
 * Seals a visit into a token.
 * @param until half an hour after the link was opened; acts don't extend it
 */
export function sealVisit(
  keys: Keys,
  linkHash: string,
  mode: VisitMode,
  until: Temporal.Instant,
): string {
  return keys.seal("visit to link", JSON.stringify([linkHash, mode, until.epochMilliseconds]));
}

export function readVisit(keys: Keys, visit: unknown, now: Temporal.Instant) {
  const text = typeof visit === "string" ? keys.unseal("visit to link", visit) : undefined;
  if (text === undefined) return { kind: "unknown" as const };
  // The seal proves that this server wrote the text.
  const [linkHash, mode, until] = JSON.parse(text) as [string, VisitMode, number];
  if (now.epochMilliseconds >= until) return { kind: "visit-expired" as const };
  return { linkHash, mode, until: Temporal.Instant.fromEpochMilliseconds(until) };
}
