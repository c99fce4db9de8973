import { sql } from "kysely";
import { matchEmail } from "../../addresses/email-address.ts";
import { type SkippedDay, skippedToText } from "../../calendar/business-days.ts";
import { listPersonal } from "../../database/schema.ts";
import { type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { KeyedHash } from "../../keys/keys.ts";
import type { Completion } from "../completion.ts";
import type { Actor, RefusalReason } from "../life.ts";
import type { ReasonCode } from "../reasons.ts";
import type { Submission } from "../submission.ts";
import type { EndedRequest, Hold, ReceivedRequest } from "./request.ts";

/** Changing the row of a request. What a call may change is decided by its caller. */

export async function addRequest(
  transaction: Write,
  submission: Submission & { reference: string },
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<ReceivedRequest> {
  const { email, reference, reason, language } = submission;
  const row = await transaction.one(insertRequest, {
    email,
    match: matchEmail(email),
    reference,
    reason,
    language,
    now: toText(now),
    expiresAt: toText(expiresAt),
  });
  if (!row) throw new Error("A request was not stored");
  return {
    id: row.id,
    state: "received",
    reference,
    reason,
    language,
    sent: 1,
    email,
    receivedAt: now,
    contact: undefined,
    enteredBy: undefined,
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
      language: string;
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
        language: to.language,
        sent: 1,
        received_at: to.now,
        expires_at: to.expiresAt,
      })
      .returning("id"),
);

/** Another form for an unconfirmed request: the newest names it. */
export async function enterRepeat(
  transaction: Write,
  id: number,
  submission: { reference: string; reason: ReasonCode; language: string },
): Promise<void> {
  const { reference, reason, language } = submission;
  await transaction.run(repeat, { id, reference, reason, language });
}

const repeat = writing(
  (tables, to: { id: number; reference: string; reason: string; language: string }) =>
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
export async function enterContact(
  transaction: Write,
  id: number,
  by: {
    reference: string;
    reason: ReasonCode;
    language: string;
    contact: string;
    contactMatch: string;
    by: string;
    sent: number;
    expiresAt: Temporal.Instant;
  },
): Promise<void> {
  await transaction.run(contact, { ...by, id, expiresAt: toText(by.expiresAt) });
}

const contact = writing(
  (
    tables,
    to: {
      id: number;
      reference: string;
      reason: string;
      language: string;
      contact: string;
      contactMatch: string;
      by: string;
      sent: number;
      expiresAt: string;
    },
  ) =>
    tables
      .updateTable("requests")
      .set({
        reference: to.reference,
        reason: to.reason,
        language: to.language,
        contact: to.contact,
        contact_match: to.contactMatch,
        entered_by: to.by,
        sent: to.sent,
        expires_at: to.expiresAt,
      })
      .where("id", "=", to.id),
);

/** Lets an unconfirmed request wait until then, if it would have gone before. */
export async function enterExpiry(
  transaction: Write,
  id: number,
  expiresAt: Temporal.Instant,
): Promise<void> {
  await transaction.run(moveExpiry, { id, expiresAt: toText(expiresAt) });
}

const moveExpiry = writing((tables, { id, expiresAt }: { id: number; expiresAt: string }) =>
  tables
    .updateTable("requests")
    .set({ expires_at: expiresAt })
    .where("id", "=", id)
    .where("state", "=", "received")
    .where("expires_at", "<", expiresAt),
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
        first_due_on: to.dueOn,
        on_time_by: to.dueOn,
        skipped: to.skipped,
        expires_at: null,
      })
      .where("id", "=", to.id),
);

/** @param owner undefined where an account system began, which is nobody's work */
export async function enterStart(
  transaction: Write,
  id: number,
  at: Temporal.Instant,
  owner: string | undefined,
): Promise<void> {
  await transaction.run(start, { id, at: toText(at), owner: owner ?? null });
}

const start = writing(
  (tables, { id, at, owner }: { id: number; at: string; owner: string | null }) =>
    tables
      .updateTable("requests")
      .set((column) => ({
        state: "in-progress",
        // Going on with what somebody else began does not begin it anew.
        started_at: sql<string>`coalesce(${column.ref("started_at")}, ${at})`,
        owner,
      }))
      .where("id", "=", id),
);

/** @param owner undefined where it is handed back */
export async function enterOwner(
  transaction: Write,
  id: number,
  owner: string | undefined,
): Promise<void> {
  await transaction.run(own, { id, owner: owner ?? null });
}

const own = writing((tables, { id, owner }: { id: number; owner: string | null }) =>
  tables.updateTable("requests").set({ owner }).where("id", "=", id),
);

/**
 * Promises another date; its operators are warned of it anew, and its person is told anew where it passes.
 * @param inTime whether the date before had not passed, so that this one counts instead
 */
export async function enterDueDate(
  transaction: Write,
  id: number,
  due: { date: Temporal.PlainDate; skipped: readonly SkippedDay[]; inTime: boolean },
): Promise<void> {
  const skipped = skippedToText(due.skipped);
  const dueOn = due.date.toString();
  await transaction.run(moveDueDate, { id, dueOn, skipped, onTimeBy: due.inTime ? dueOn : null });
}

const moveDueDate = writing(
  (tables, to: { id: number; dueOn: string; skipped: string; onTimeBy: string | null }) =>
    tables
      .updateTable("requests")
      .set((column) => ({
        due_on: to.dueOn,
        skipped: to.skipped,
        warned_at: null,
        told_late_at: null,
        on_time_by: sql<string>`coalesce(${to.onTimeBy}, ${column.ref("on_time_by")})`,
      }))
      .where("id", "=", to.id),
);

/** @param hold undefined where it is lifted */
export async function enterHold(
  transaction: Write,
  id: number,
  hold: Hold | undefined,
): Promise<void> {
  await transaction.run(keepWaiting, {
    id,
    reason: hold?.reason ?? null,
    until: hold?.until.toString() ?? null,
    by: hold?.by ?? null,
  });
}

const keepWaiting = writing(
  (tables, to: { id: number; reason: string | null; until: string | null; by: string | null }) =>
    tables
      .updateTable("requests")
      .set({ held_reason: to.reason, held_until: to.until, held_by: to.by })
      .where("id", "=", to.id),
);

/** @param done undefined where it is taken back */
export async function enterDone(
  transaction: Write,
  id: number,
  done: { at: Temporal.Instant; completion: Completion } | undefined,
): Promise<void> {
  await transaction.run(callDone, {
    id,
    at: done ? toText(done.at) : null,
    completion: done ? JSON.stringify(done.completion) : null,
  });
}

const callDone = writing(
  (tables, to: { id: number; at: string | null; completion: string | null }) =>
    tables
      .updateTable("requests")
      .set({ done_at: to.at, completion: to.completion })
      .where("id", "=", to.id),
);

/** An ended request goes back into the queue, as if it had not ended. */
export async function enterReopening(transaction: Write, id: number): Promise<void> {
  await transaction.run(reopen, { id });
}

const reopen = writing((tables, { id }: { id: number }) =>
  tables
    .updateTable("requests")
    .set({
      state: "confirmed",
      started_at: null,
      owner: null,
      ended_at: null,
      ended_by: null,
      done_at: null,
      completion: null,
      told_at: null,
      warned_at: null,
      told_late_at: null,
      refusal_reason: null,
      address_hash: null,
      address_hash_version: null,
    })
    .where("id", "=", id),
);

export async function enterEnd(
  transaction: Write,
  id: number,
  end: {
    state: EndedRequest["state"];
    at: Temporal.Instant;
    by: Actor;
    refusalReason: RefusalReason | undefined;
    completion: Completion | undefined;
    hash: KeyedHash;
  },
): Promise<void> {
  await transaction.run(endRequest, {
    id,
    state: end.state,
    at: toText(end.at),
    by: end.by,
    refusalReason: end.refusalReason ?? null,
    completion: end.completion === undefined ? null : JSON.stringify(end.completion),
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
      by: string;
      refusalReason: string | null;
      completion: string | null;
      hash: string;
      version: number;
    },
  ) =>
    tables
      .updateTable("requests")
      .set({
        state: to.state,
        ended_at: to.at,
        ended_by: to.by,
        done_at: null,
        held_reason: null,
        held_until: null,
        held_by: null,
        refusal_reason: to.refusalReason,
        completion: to.completion,
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

/** Erases what names or describes a person, in every table, by the marks of its columns. */
export async function eraseRequest(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  for (const erase of erasures) await transaction.run(erase, { id });
  await transaction.run(enterErasure, { id, now: toText(now) });
}

const erasures = listPersonal().map(({ table, owner, erased }) =>
  writing((tables, { id }: { id: number }) =>
    tables
      .updateTable(table as "submissions")
      .set(erased)
      .where(owner as "request_id", "=", id),
  ),
);

const enterErasure = writing((tables, { id, now }: { id: number; now: string }) =>
  tables.updateTable("requests").set({ erased_at: now }).where("id", "=", id),
);
