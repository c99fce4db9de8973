import { linkHours, linkMailsPerDay, mailboxMailsPerDay } from "../../periods.ts";
import { createToken, hashToken, isToken, type Keys } from "../../platform/crypto/keys.ts";
import {
  inserting,
  reading,
  updating,
  type Write,
  writing,
} from "../../platform/database/statement.ts";
import { formsSince } from "./network-forms.ts";
import { openNames } from "./requests.ts";

/**
 * Links in emails, and the visit sessions that they open. A link's token is valid for days, so it
 * must not remain in an address bar, a browser history or a log. Opening a link therefore redirects
 * to the URL of a visit session. That URL contains the token's hash, encrypted with a server key
 * and valid for half an hour. A visit session needs no cookie, script or database row. It
 * identifies the link by the token's hash, because a restored database may reuse row ids.
 */
export type LinkRecord = NonNullable<Awaited<ReturnType<typeof findLink>>>;

export type VisitMode = "confirm" | "status" | "used" | "expired";

/**
 * A link to create. A link with a `submissionId` confirms that submission. Any other link opens the
 * status page.
 */
export type NewLink = {
  requestId: number;
  submissionId?: number | undefined;
  /** The mailbox whose daily limit counts the link. `undefined` if no limit applies. */
  mailbox?: string | undefined;
  /** Whether the link's page can stop a request that awaits approval. */
  stops?: boolean | undefined;
};

export function linkValidUntil(sentAt: Temporal.Instant): Temporal.Instant {
  return sentAt.add({ hours: linkHours });
}

/**
 * Creates a link and returns its token.
 * @param token a new token, if the caller needs it earlier
 */
export async function addLink(
  transaction: Write,
  { stops, ...link }: NewLink,
  now: Temporal.Instant,
  token = createToken(),
): Promise<string> {
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

export const renewLink = updating("tokens", ["expiresAt"], { hash: "=" });

/**
 * A network that a form came from, as a keyed hash. `share` is the network's limit, as a multiple
 * of a single client's.
 */
export type NetworkShare = { network: string; share: number };

/**
 * An email that a form would cause. @property match the request's email address, normalized by
 * `matchEmail`
 */
type LinkRequest = { match: string; mailbox: string; networks: readonly NetworkShare[] };

/**
 * Checks whether a form may cause another email to an email address. Either of two rules allows the
 * email. First, each network has a separate limit per mailbox. Second, the day's first email to an
 * exact address is allowed until the mailbox has reached `mailboxMailsPerDay`. Variants of an
 * address (dots, plus tags) can therefore neither lock out the mailbox's owner nor flood the
 * mailbox. After a refused email, an earlier link still works, because links are valid for longer
 * than the 24 hours that the limits cover.
 */
export async function canMail(
  transaction: Write,
  keys: Keys,
  { match, mailbox, networks }: LinkRequest,
  now: Temporal.Instant,
): Promise<boolean> {
  const since = now.subtract({ hours: 24 });
  const names = networks.map(({ network }) => nameOfPair(keys, mailbox, network));
  const [{ mails, own }, caused] = await transaction.together([
    () => mailsRequestedSince(transaction, { mailbox, match, since }),
    () => formsSince(transaction, names, since),
  ]);
  const hasOwn = networks.every(
    ({ share }, index) => (caused[index] ?? 0) < linkMailsPerDay * share,
  );
  return hasOwn || (own === 0 && mails < mailboxMailsPerDay);
}

/**
 * Lists the counters to update for an email's networks. An email that is held back writes the same
 * rows.
 */
export function countsOfMail(
  keys: Keys,
  { mailbox, networks, isHeldBack }: Omit<LinkRequest, "match"> & { isHeldBack: boolean },
) {
  const forms = isHeldBack ? 0 : 1;
  return networks.map(({ network }) => ({ network: nameOfPair(keys, mailbox, network), forms }));
}

/** Hashes a mailbox and a network together so that the counts reveal neither. */
const nameOfPair = (keys: Keys, mailbox: string, network: string) =>
  keys.hash("network", `${mailbox} ${network}`).hash;

const mailsRequestedSince = reading(
  (
    tables,
    { mailbox, match, since }: { mailbox: string; match: string; since: Temporal.Instant },
  ) =>
    tables
      .selectFrom("tokens")
      .select((select) => [
        select.fn.countAll<number>().as("mails"),
        select.fn
          .sum<number>(
            select
              .case()
              .when(
                "request_id",
                "in",
                select
                  .selectFrom("requests")
                  .select("requests.id")
                  .where("requests.email_match", "=", match)
                  .where("requests.state", "in", openNames),
              )
              .then(1)
              .else(0)
              .end(),
          )
          .as("own"),
      ])
      .where("mailbox", "=", mailbox)
      .where("created_at", ">", since),
  ([row]) => ({ mails: Number(row?.mails), own: Number(row?.own ?? 0) }),
);

/** Returns a token's hash for a visit session, or an empty string if the token is malformed. */
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
      /**
       * Whether this link can stop the request, because it is in the notice to the closed mailbox.
       */
      stops: row.purpose === "stop",
      isUsed: row.usedAt !== undefined,
      /** Reference of the submission that the link confirms. `undefined` for any other link. */
      submissionReference: row.reference ?? undefined,
    },
);

/**
 * Marks a request's remaining confirmation links as used. Called when the request is confirmed by
 * any means or ends unconfirmed.
 */
export const spendConfirmTokens = updating("tokens", ["usedAt"], {
  requestId: "=",
  purpose: ["=", "confirm"],
  usedAt: "is null",
});

/**
 * Reactivates the links that an act had marked as used, after the act was undone.
 * @param spentAt time of the act
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

/** Sets when an ended request's links stop working, or clears that time for a reopened request. */
export const closeLinks = updating("tokens", ["closesAt"], { requestId: "=" });

/** Checks whether a confirmation link has expired. Status links have no such expiry. */
export function hasExpired({ confirms, expiresAt }: LinkRecord, now: Temporal.Instant): boolean {
  return confirms && (!expiresAt || Temporal.Instant.compare(expiresAt, now) <= 0);
}

/**
 * Encrypts a visit session into a token.
 * @param until half an hour after the link was opened; pressing buttons doesn't extend it
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
  // Sealed by this server, so the cast is safe.
  const [linkHash, mode, until] = JSON.parse(text) as [string, VisitMode, number];
  if (now.epochMilliseconds >= until) return { kind: "visit-expired" as const };
  return { linkHash, mode, until: Temporal.Instant.fromEpochMilliseconds(until) };
}
