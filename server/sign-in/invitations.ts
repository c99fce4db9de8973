import { sql } from "kysely";
import {
  type At,
  inserting,
  type Read,
  reading,
  type Write,
  writing,
} from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";
import type { AddressedMessage } from "../deletion-requests/telling/messages.ts";
import { paths } from "../http/paths.ts";
import type { Keys } from "../keys/keys.ts";
import { createToken, hashToken, isToken } from "../keys/tokens.ts";
import { addMessage } from "../outbox/outbox.ts";
import { refused } from "./door-problem.ts";

/** Links with which somebody of the team enrols a passkey: once, and not for long. The store has only their hashes. */

/** "device" adds one more passkey, for somebody who is in on another device. */
export type InvitationPurpose = "invitation" | "recovery" | "device";

/** How long each kind of link is good for. */
const minutesOf: Record<InvitationPurpose, number> = {
  invitation: 24 * 60,
  recovery: 15,
  device: 15,
};

/** @returns the token of the link; those that somebody had before and did not use open nothing any more */
export async function createInvitation(
  transaction: Write,
  invitation: { operatorId: number; purpose: InvitationPurpose; at: Temporal.Instant },
): Promise<{ token: string; until: Temporal.Instant }> {
  const { operatorId, purpose, at } = invitation;
  const token = createToken();
  const until = at.add({ minutes: minutesOf[purpose] });
  await dropUnused(transaction, { operatorId });
  await insertInvitation(transaction, {
    ...{ operator_id: operatorId, purpose, hash: hashToken(token) },
    ...{ created_at: at, expires_at: until },
  });
  return { token, until };
}

/** Such a link, which is mailed to whoever it is for, too. */
export async function mailInvitation(
  { keys, publicUrl }: { keys: Keys; publicUrl: string },
  transaction: Write,
  to: { id: number; name: string },
  purpose: InvitationPurpose,
  at: Temporal.Instant,
): Promise<{ link: string; until: Temporal.Instant }> {
  const invitation = { operatorId: to.id, purpose, at };
  const { token, until } = await createInvitation(transaction, invitation);
  const link = `${publicUrl}${paths.operatorEnrol}#${token}`;
  await addMessage<AddressedMessage>(transaction, keys, at, {
    channel: "operators",
    ownerId: null,
    message: {
      ...{ kind: "operator-invitation", name: to.name, link },
      validUntil: toText(until),
      to: to.id,
    },
  });
  return { link, until };
}

const dropUnused = writing((tables, { operatorId }: { operatorId: number }) =>
  tables
    .deleteFrom("operator_invitations")
    .where("operator_id", "=", operatorId)
    .where("used_at", "is", null),
);

const insertInvitation = inserting("operator_invitations", [
  "operator_id",
  "purpose",
  "hash",
  "created_at",
  "expires_at",
]);

export async function findInvitation(database: Read, token: unknown, now: Temporal.Instant) {
  const row = isToken(token) && (await invitationByHash(database, { hash: hashToken(token) }));
  if (!row) return refused("invitation-unknown");
  if (row.used_at !== null) return refused("invitation-used");
  if (Temporal.Instant.compare(toInstant(row.expires_at), now) <= 0) {
    return refused("invitation-expired");
  }
  const { id, operator_id: operatorId, name } = row;
  const purpose = row.purpose as InvitationPurpose;
  // Who came before everybody got one at random.
  const userHandle = row.user_handle ?? Buffer.from(`operator ${operatorId}`).toString("base64url");
  return { kind: "open", id, operatorId, name, userHandle, purpose } as const;
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

/** Until when the link of each who has not used it opens something, by who it is for. */
export const listOpenInvitations = reading(
  (tables) =>
    tables
      .selectFrom("operator_invitations")
      .select(["operator_id", "expires_at"])
      .where("used_at", "is", null)
      .where("purpose", "=", sql.lit("invitation")),
  (rows) => new Map(rows.map((row) => [row.operator_id, toInstant(row.expires_at)])),
);

/** Changes nothing when somebody was faster. */
export const spendInvitation = writing((tables, { id, at }: { id: number; at: At }) =>
  tables
    .updateTable("operator_invitations")
    .set({ used_at: at })
    .where("id", "=", id)
    .where("used_at", "is", null),
);
