import { sql } from "kysely";
import { matchEmail } from "../../addresses/email-address.ts";
import { listPersonal } from "../../database/schema.ts";
import {
  deleting,
  inserting,
  pick,
  updating,
  type Write,
  writing,
} from "../../database/statement.ts";
import type { KeyedHash } from "../../keys/keys.ts";
import {
  type ConfirmedRequest,
  isEnded,
  type ReasonCode,
  type ReceivedRequest,
} from "../life/request.ts";
import type { Submission } from "../life/submission.ts";
import { lifeColumns, toRequest } from "./request-row.ts";

/** Changing the row of a request. What a call may change is decided by its caller. */

export async function addRequest(
  transaction: Write,
  submission: Submission & { reference: string },
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<ReceivedRequest> {
  const { email, reference, reason, language } = submission;
  const stored = await insertRequest(transaction, {
    ...{ state: "received", email, emailMatch: matchEmail(email), reference, reason, language },
    ...{ sent: 1, receivedAt: now, expiresAt },
  });
  if (stored.state !== "received") throw new Error("A request was not stored");
  return stored;
}

const insertRequest = inserting("requests", toRequest);

/** Another form for an unconfirmed request: the newest names it. */
export const enterRepeat = writing(
  (tables, to: { id: number; reference: string; reason: ReasonCode; language: string }) =>
    tables
      .updateTable("requests")
      .set((column) => ({
        reference: to.reference,
        reason: to.reason,
        language: to.language,
        sent: column("sent", "+", 1),
      }))
      .where("id", "=", to.id),
);

/** An operator enters it for somebody whose mailbox is closed: mails go to the contact from now on. */
export const enterContact = updating("requests", [
  ...(["reference", "reason", "language", "contact", "contactMatch"] as const),
  ...(["enteredBy", "sent", "expiresAt"] as const),
]);

/** Lets an unconfirmed request wait until then, if it would have gone before. */
export const enterExpiry = writing(
  (tables, { id, expiresAt }: { id: number; expiresAt: Temporal.Instant }) =>
    tables
      .updateTable("requests")
      .set({ expires_at: expiresAt })
      .where("id", "=", id)
      .where("state", "=", "received")
      .where("expires_at", "<", expiresAt),
);

/** Another form for a request that is confirmed already. */
export const enterLateRepeat = writing((tables, { id }: { id: number }) =>
  tables
    .updateTable("requests")
    .set((column) => ({ sent: column("sent", "+", 1) }))
    .where("id", "=", id),
);

/**
 * Stores what a confirmed request has become; its row was read in the same transaction.
 * @param hash of its address, which the row keeps once it has ended
 */
export async function saveLife(
  transaction: Write,
  request: ConfirmedRequest,
  hash: KeyedHash,
): Promise<void> {
  const kept = isEnded(request) ? hash : undefined;
  const row = Object.entries(lifeColumns).map(([name, toValue]) => [name, toValue(request)]);
  const values = { ...Object.fromEntries(row), hash: kept?.hash, version: kept?.version };
  await save(transaction, { ...values, id: request.id });
}

type Saved = { id: number; dueOn: Temporal.PlainDate; hash: string | null; version: number | null };

const save = writing((tables, to: Saved) => {
  // Of another date the operators are warned anew, and its person is told anew where it passes.
  const unlessPromised = (column: "warned_at" | "told_late_at") =>
    sql<Temporal.Instant>`case when ended_at is null and due_on = ${to.dueOn} then ${sql.ref(column)} end`;
  return tables
    .updateTable("requests")
    .set({
      ...(pick(Object.keys(lifeColumns), to) as object),
      expires_at: null,
      warned_at: unlessPromised("warned_at"),
      told_late_at: unlessPromised("told_late_at"),
      told_at: null,
      address_hash: to.hash,
      address_hash_version: to.version,
    })
    .where("id", "=", to.id);
});

/** Whose work it is, whatever else becomes of it. */
export const enterOwner = updating("requests", ["owner"]);

// Marks of what was said, and of time that was given back: nothing that the life of a request goes by.

/** A mail server took the news of the end. */
export const enterTold = updating("requests", ["toldAt"]);

/** Its person was told that the promised day has passed. */
export const enterToldLate = updating("requests", ["toldLateAt"]);

/** The team was told that its date is near. */
export const enterWarning = updating("requests", ["warnedAt"]);

/** A copy was put back: an unconfirmed request waits for so much longer, whatever it waited for before. */
export const moveExpiry = updating("requests", ["expiresAt"]);

const enterErasure = updating("requests", ["erasedAt"]);

/** Removes a request with everything that belongs to it. */
export const removeRequest = deleting("requests", { id: "=" });

/** Erases what names or describes a person, in every table, by the marks of its columns. */
export async function eraseRequest(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  for (const erase of erasures) await erase(transaction, { id });
  await enterErasure(transaction, { id, erasedAt: now });
}

const erasures = listPersonal().map(({ table, owner, erased }) =>
  writing((tables, { id }: { id: number }) =>
    tables
      .updateTable(table as "submissions")
      .set(erased)
      .where(owner as "request_id", "=", id),
  ),
);
