import { matchEmail } from "../../addresses/email-address.ts";
import { type SkippedDay, skippedToText } from "../../calendar/business-days.ts";
import { type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { KeyedHash } from "../../keys/keys.ts";
import type { RefusalReason } from "../life.ts";
import type { ReasonCode } from "../reasons.ts";
import type { Submission } from "../submission.ts";
import type { EndedRequest, ReceivedRequest } from "./request.ts";

/** Changing the row of a request. What a call may change is decided by its caller. */

export async function addRequest(
  transaction: Write,
  submission: Submission & { reference: string },
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<ReceivedRequest> {
  const { email, reference, reason } = submission;
  const row = await transaction.one(insertRequest, {
    email,
    match: matchEmail(email),
    reference,
    reason,
    now: toText(now),
    expiresAt: toText(expiresAt),
  });
  if (!row) throw new Error("A request was not stored");
  return {
    id: row.id,
    state: "received",
    reference,
    reason,
    sent: 1,
    email,
    receivedAt: now,
    expiresAt,
  };
}

const insertRequest = writing(
  (
    tables,
    to: {
      email: string;
      match: string;
      reference: string;
      reason: string;
      now: string;
      expiresAt: string;
    },
  ) =>
    tables
      .insertInto("requests")
      .values({
        state: "received",
        email: to.email,
        email_match: to.match,
        reference: to.reference,
        reason: to.reason,
        sent: 1,
        received_at: to.now,
        expires_at: to.expiresAt,
      })
      .returning("id"),
);

/** Another form for an unconfirmed request: the newest names it, and it stays longer. */
export async function enterRepeat(
  transaction: Write,
  id: number,
  submission: { reference: string; reason: ReasonCode },
  expiresAt: Temporal.Instant,
): Promise<void> {
  const { reference, reason } = submission;
  await transaction.run(repeat, { id, reference, reason, expiresAt: toText(expiresAt) });
}

const repeat = writing(
  (tables, to: { id: number; reference: string; reason: string; expiresAt: string }) =>
    tables
      .updateTable("requests")
      .set((column) => ({
        reference: to.reference,
        reason: to.reason,
        sent: column("sent", "+", 1),
        expires_at: to.expiresAt,
      }))
      .where("id", "=", to.id),
);

/** Another form for a request that is confirmed already. */
export async function enterLateRepeat(transaction: Write, id: number): Promise<void> {
  await transaction.run(lateRepeat, { id });
}

const lateRepeat = writing((tables, { id }: { id: number }) =>
  tables
    .updateTable("requests")
    .set((column) => ({ sent: column("sent", "+", 1) }))
    .where("id", "=", id),
);

export async function enterConfirmation(
  transaction: Write,
  id: number,
  by: {
    reference: string;
    reason: ReasonCode;
    at: Temporal.Instant;
    on: Temporal.PlainDate;
    due: { date: Temporal.PlainDate; skipped: readonly SkippedDay[] };
  },
): Promise<void> {
  await transaction.run(confirm, {
    id,
    reference: by.reference,
    reason: by.reason,
    at: toText(by.at),
    on: by.on.toString(),
    dueOn: by.due.date.toString(),
    skipped: skippedToText(by.due.skipped),
  });
}

const confirm = writing(
  (
    tables,
    to: {
      id: number;
      reference: string;
      reason: string;
      at: string;
      on: string;
      dueOn: string;
      skipped: string;
    },
  ) =>
    tables
      .updateTable("requests")
      .set({
        state: "confirmed",
        reference: to.reference,
        reason: to.reason,
        confirmed_at: to.at,
        confirmed_on: to.on,
        due_on: to.dueOn,
        skipped: to.skipped,
        expires_at: null,
      })
      .where("id", "=", to.id),
);

export async function enterStart(
  transaction: Write,
  id: number,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(start, { id, at: toText(at) });
}

const start = writing((tables, { id, at }: { id: number; at: string }) =>
  tables.updateTable("requests").set({ state: "in-progress", started_at: at }).where("id", "=", id),
);

/** Promises another date; its operators are warned of it anew. */
export async function enterDueDate(
  transaction: Write,
  id: number,
  due: { date: Temporal.PlainDate; skipped: readonly SkippedDay[] },
): Promise<void> {
  const skipped = skippedToText(due.skipped);
  await transaction.run(moveDueDate, { id, dueOn: due.date.toString(), skipped });
}

const moveDueDate = writing((tables, to: { id: number; dueOn: string; skipped: string }) =>
  tables
    .updateTable("requests")
    .set({ due_on: to.dueOn, skipped: to.skipped, warned_at: null })
    .where("id", "=", to.id),
);

export async function enterEnd(
  transaction: Write,
  id: number,
  end: {
    state: EndedRequest["state"];
    at: Temporal.Instant;
    refusalReason: RefusalReason | undefined;
    hash: KeyedHash;
  },
): Promise<void> {
  await transaction.run(endRequest, {
    id,
    state: end.state,
    at: toText(end.at),
    refusalReason: end.refusalReason ?? null,
    hash: end.hash.hash,
    version: end.hash.version,
  });
}

const endRequest = writing(
  (
    tables,
    to: {
      id: number;
      state: string;
      at: string;
      refusalReason: string | null;
      hash: string;
      version: number;
    },
  ) =>
    tables
      .updateTable("requests")
      .set({
        state: to.state,
        ended_at: to.at,
        refusal_reason: to.refusalReason,
        address_hash: to.hash,
        address_hash_version: to.version,
      })
      .where("id", "=", to.id),
);

/** A mail server took the news of the end. */
export async function enterTold(
  transaction: Write,
  id: number,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(told, { id, at: toText(at) });
}

const told = writing((tables, { id, at }: { id: number; at: string }) =>
  tables.updateTable("requests").set({ told_at: at }).where("id", "=", id),
);

/** Removes a request with everything that belongs to it. */
export async function removeRequest(transaction: Write, id: number): Promise<void> {
  await transaction.run(remove, { id });
}

const remove = writing((tables, { id }: { id: number }) =>
  tables.deleteFrom("requests").where("id", "=", id),
);

/** Erases what names or describes a person; reference, dates, outcome, codes and the keyed hash stay. */
export async function eraseRequest(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(eraseAddress, { id, now: toText(now) });
  await transaction.run(eraseForms, { id });
  await transaction.run(eraseNotes, { id });
}

const eraseAddress = writing((tables, { id, now }: { id: number; now: string }) =>
  tables
    .updateTable("requests")
    .set({ email: "", email_match: "", erased_at: now })
    .where("id", "=", id),
);

const eraseForms = writing((tables, { id }: { id: number }) =>
  tables.updateTable("submissions").set({ email: "", feedback: "" }).where("request_id", "=", id),
);

const eraseNotes = writing((tables, { id }: { id: number }) =>
  tables.updateTable("request_events").set({ note: "" }).where("request_id", "=", id),
);
