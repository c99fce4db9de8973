import { randomBytes } from "node:crypto";
import { toText } from "../database/rows.ts";
import {
  deleting,
  inserting,
  type Read,
  reading,
  updating,
  type Write,
} from "../database/statement.ts";
import { enqueueTeamMail } from "../deletion-requests/telling/mails.ts";
import { paths } from "../http/paths.ts";
import { createToken, hashToken, isToken, type Keys } from "../keys/keys.ts";
import { refused } from "./passkeys.ts";

/**
 * What lets somebody of the team enrol a passkey, once: a link for a while, or after a lost phone one of ten codes, which are
 * shown once and stay good. The store has only their hashes; a code has 80 random bits, so that a plain one tells nothing.
 */

/** How many minutes each kind of link is good for. "device" adds one more passkey, for somebody who is in on another. */
const minutesOf = { invitation: 24 * 60, device: 15 };

type LinkPurpose = keyof typeof minutesOf;
export type InvitationPurpose = LinkPurpose | "recovery";

/**
 * A link, which is mailed to whoever it is for, too. Those that somebody had before and did not use open nothing any more.
 */
export async function mailInvitation(
  { keys, publicUrl }: { keys: Keys; publicUrl: string },
  transaction: Write,
  to: { id: number; name: string },
  purpose: LinkPurpose,
  at: Temporal.Instant,
  /** The operator who invites; undefined where a machine's account or the reader does. */
  by?: string,
): Promise<{ link: string; until: Temporal.Instant }> {
  const token = createToken();
  const until = at.add({ minutes: minutesOf[purpose] });
  for (const before of Object.keys(minutesOf)) {
    await dropUnused(transaction, { operatorId: to.id, purpose: before });
  }
  const row = { operatorId: to.id, purpose, hash: hashToken(token), expiresAt: until };
  await insertInvitation(transaction, row);
  const link = `${publicUrl}${paths.operatorEnrol}#${token}`;
  const message = {
    kind: "operator-invitation",
    name: to.name,
    link,
    to: to.id,
    ...(by !== undefined && { by }),
  } as const;
  await enqueueTeamMail(transaction, keys, { ...message, validUntil: toText(until) }, at);
  return { link, until };
}

/** New codes in place of those that somebody had left. */
export async function createRecoveryCodes(transaction: Write, operatorId: number) {
  await dropUnused(transaction, { operatorId, purpose: "recovery" });
  const codes = Array.from({ length: 10 }, createCode);
  const row = { operatorId, purpose: "recovery" };
  for (const code of codes) await insertInvitation(transaction, { ...row, hash: hashCode(code) });
  return codes;
}

/** Crockford's signs: no letter looks like a digit. */
function createCode(): string {
  const signs = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = [...randomBytes(16)].map((byte) => signs[byte % 32]).join("");
  return letters.match(/.{4}/g)?.join("-") ?? "";
}

/** Reads a code however it was typed: in capitals, with spaces or without hyphens, an O for a 0. */
function hashCode(typed: string): string {
  const plain = typed
    .toLowerCase()
    .replace(/[\s-]/g, "")
    .replaceAll("o", "0")
    .replace(/[il]/g, "1");
  return hashToken(`recovery ${plain}`);
}

const dropUnused = deleting("operator_invitations", {
  operatorId: "=",
  purpose: "=",
  usedAt: "is null",
});

/** All links and codes of somebody, used or not. */
export const dropInvitationsOf = deleting("operator_invitations", { operatorId: "=" });

const insertInvitation = inserting("operator_invitations");

/** @param secret a link's token or a code */
export async function findInvitation(database: Read, secret: unknown, now: Temporal.Instant) {
  const hash = isToken(secret) ? hashToken(secret) : hashCode(String(secret));
  const row = await invitationByHash(database, { hash });
  if (!row) return refused("invitation-unknown");
  if (row.usedAt) return refused("invitation-used");
  if (row.expiresAt && Temporal.Instant.compare(row.expiresAt, now) <= 0) {
    return refused("invitation-expired");
  }
  return { ...row, kind: "open", purpose: row.purpose as InvitationPurpose } as const;
}

const invitationByHash = reading(
  (tables, { hash }: { hash: string }) =>
    tables
      .selectFrom("operator_invitations")
      .innerJoin("operators", "operators.id", "operator_invitations.operator_id")
      .selectAll("operator_invitations")
      .select(["name", "user_handle"])
      .where("hash", "=", hash)
      .where("left_at", "is", null),
  ([invitation]) => invitation,
);

/** What of a kind nobody has used: whose it is, and until when a link opens something. */
export const listUnused = reading((tables, { purpose }: { purpose: InvitationPurpose }) =>
  tables
    .selectFrom("operator_invitations")
    .select(["operator_id", "expires_at as until"])
    .where("purpose", "=", purpose)
    .where("used_at", "is", null),
);

/** Changes nothing when somebody was faster. */
export const spendInvitation = updating("operator_invitations", ["usedAt"], {
  id: "=",
  usedAt: "is null",
});
