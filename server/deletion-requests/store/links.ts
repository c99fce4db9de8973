import { toHour } from "../../database/rows.ts";
import {
  inserting,
  type Read,
  reading,
  updating,
  type Write,
  writing,
} from "../../database/statement.ts";
import { createToken, hashToken, isToken, type Keys } from "../../keys/keys.ts";
import { linkHours, linkMailsPerDay, mailboxMailsPerDay } from "../../terms.ts";
import { countForms, formsSince } from "./network-forms.ts";

/**
 * The links in mails, and the visits that they open. A link carries a token that works for days and must not stay in
 * an address bar, a history or a log. Its first request is answered with a redirect to a visit: the token's hash,
 * sealed under a key that only the server has, worthless after half an hour. So a page needs no cookie and no script, opening
 * a link writes nothing, and in a copy that was put back a visit opens its own link or none.
 */
export type LinkRecord = NonNullable<Awaited<ReturnType<typeof findLink>>>;

export type VisitMode = "confirm" | "status" | "used" | "expired";

/** It confirms the form with the id `submissionId`, or shows how the request stands. */
export type NewLink = {
  requestId: number;
  submissionId?: number | undefined;
  /** What the limit counts, if it does. */
  mailbox?: string | undefined;
  /** Whether its page can stop a request that waits for approval. */
  stops?: boolean | undefined;
};

export function linkValidUntil(sentAt: Temporal.Instant): Temporal.Instant {
  return sentAt.add({ hours: linkHours });
}

/** Makes a link and returns its token. Nothing else makes one. */
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

/** Lets a confirmation link live until then. */
export const renewLink = updating("tokens", ["expiresAt"], { hash: "=" });

/** A network that a form came from, by its keyed hash, and how many times the share of a single client it has. */
export type NetworkShare = { network: string; share: number };

/** Who asks for a mail, and for whom. */
type Asked = { requestId: number; mailbox: string; networks: readonly NetworkShare[] };

/**
 * Decides whether one more mail goes to an address because of a form. Two rules, either is enough:
 * each network has mails of its own for a mailbox, which no other network can use up; and the first mail of a day to an
 * exact address goes, until the mailbox has had `mailboxMailsPerDay`. So variants of an address (dots, notes behind a
 * plus) neither silence its owner nor flood the mailbox. A link stays valid for longer than the count looks back.
 */
export async function mayMail(
  database: Read,
  keys: Keys,
  { requestId, mailbox, networks }: Asked,
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

/** Counts a mail for the networks that caused it. Writes the same rows of a mail that was held back. */
export async function countMail(
  transaction: Write,
  keys: Keys,
  { mailbox, networks, isHeldBack }: Omit<Asked, "requestId"> & { isHeldBack: boolean },
  now: Temporal.Instant,
): Promise<void> {
  const forms = isHeldBack ? 0 : 1;
  for (const { network } of networks) {
    await countForms(transaction, { network: nameOfPair(keys, mailbox, network), forms, now });
  }
}

/** Names a mailbox and a network together, so that the count tells nothing about either. */
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

/** What a visit names a link by; of what is no token, the hash of none. */
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
      /** Of the notice to the mailbox that is said to be closed. */
      stops: row.purpose === "stop",
      isUsed: row.usedAt !== undefined,
      /** Of the form whose mail carries it; undefined for the links of a confirmed request. */
      submissionReference: row.reference ?? undefined,
    },
);

/** A request that was confirmed, by whomever, uses up all links that confirm it. */
export const spendConfirmTokens = updating("tokens", ["usedAt"], {
  requestId: "=",
  purpose: ["=", "confirm"],
  usedAt: "is null",
});

/** Gives back the links that an approval used up, once it is undone. */
export const reviveConfirmTokens = writing(
  (tables, { requestId, spentAt }: { requestId: number; spentAt: Temporal.Instant }) =>
    tables
      .updateTable("tokens")
      .set({ used_at: null })
      .where("request_id", "=", requestId)
      .where("purpose", "=", "confirm")
      .where("used_at", "=", spentAt),
);

/** The links of a request that has ended open its status page until then; those of one that goes on without an end. */
export const closeLinks = updating("tokens", ["closesAt"], { requestId: "=" });

/** A link that shows how a request stands has no such end. */
export function hasExpired({ confirms, expiresAt }: LinkRecord, now: Temporal.Instant): boolean {
  return confirms && (!expiresAt || Temporal.Instant.compare(expiresAt, now) <= 0);
}

/** @param until half an hour after the link was opened, whatever is done in between */
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
  // Sealed by this server, so it is what it wrote.
  const [linkHash, mode, until] = JSON.parse(text) as [string, VisitMode, number];
  if (now.epochMilliseconds >= until) return { kind: "visit-expired" as const };
  return { linkHash, mode, until: Temporal.Instant.fromEpochMilliseconds(until) };
}
