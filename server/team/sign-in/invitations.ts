import { randomBytes } from "node:crypto";
import { enqueueTeamMail } from "../../deletion-requests/mails/mails.ts";
import { createToken, hashToken, isToken, type Keys } from "../../platform/crypto/keys.ts";
import { toText } from "../../platform/database/rows.ts";
import {
  deleting,
  inserting,
  type Read,
  reading,
  updating,
  type Write,
} from "../../platform/database/statement.ts";
import { paths } from "../../platform/http/paths.ts";
import { refused } from "./passkeys.ts";

/**
 * Single-use secrets for enrolling a passkey. Links expire. Recovery codes are for operators who
 * lose their phones. Ten recovery codes are shown once and don't expire. The database contains only
 * hashes of the secrets. A code has 80 random bits, so its hash needs no salt.
 */

/**
 * Lifetime of each kind of link, in minutes. A "device" link lets a signed-in operator add a
 * passkey on another device.
 */
const minutesOf = { invitation: 24 * 60, device: 15 };

type LinkPurpose = keyof typeof minutesOf;
type InvitationPurpose = LinkPurpose | "recovery";

/** Creates a link and emails it to the operator. Revokes the operator's earlier unused links. */
export async function mailInvitation(
  {
    services: { keys, publicUrl },
    transaction,
    now: at,
  }: { services: { keys: Keys; publicUrl: string }; transaction: Write; now: Temporal.Instant },
  to: { id: number; name: string },
  purpose: LinkPurpose,
  /**
   * Name of the operator who sends the invitation. `undefined` if the invitation comes from the
   * command line or if its recipient requested it.
   */
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
  await enqueueTeamMail({ transaction, keys, now: at }, { ...message, validUntil: toText(until) });
  return { link, until };
}

/** Replaces the operator's remaining recovery codes with ten new ones. */
export async function createRecoveryCodes(transaction: Write, operatorId: number) {
  await dropUnused(transaction, { operatorId, purpose: "recovery" });
  const codes = Array.from({ length: 10 }, createCode);
  const row = { operatorId, purpose: "recovery" };
  for (const code of codes) await insertInvitation(transaction, { ...row, hash: hashCode(code) });
  return codes;
}

/** Generates a code in Crockford's base32 alphabet, in which no letter looks like a digit. */
function createCode(): string {
  const signs = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = [...randomBytes(16)].map((byte) => signs[byte % 32]).join("");
  return letters.match(/.{4}/g)?.join("-") ?? "";
}

/**
 * Hashes a recovery code as typed. Accepts uppercase letters, spaces, missing hyphens, O for 0, and
 * I or L for 1.
 */
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

/** Deletes all of an operator's links and codes, including used ones. */
export const deleteInvitationsOf = deleting("operator_invitations", { operatorId: "=" });

const insertInvitation = inserting("operator_invitations");

/**
 * Finds an unused secret that hasn't expired, or returns why the secret doesn't work.
 * @param secret a link's token or a recovery code
 */
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

/** Lists the unused secrets for a purpose. Only links have an expiry time (`until`). */
export const listUnused = reading((tables, { purpose }: { purpose: InvitationPurpose }) =>
  tables
    .selectFrom("operator_invitations")
    .select(["operator_id", "expires_at as until"])
    .where("purpose", "=", purpose)
    .where("used_at", "is", null),
);

/** Marks a secret as used. Returns 0 if it was already used. */
export const spendInvitation = updating("operator_invitations", ["usedAt"], {
  id: "=",
  usedAt: "is null",
});
