import { createHash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { matchEmail } from "../addresses/email-address.ts";
import { type SkippedDay, skippedFromText, skippedToText } from "../calendar/business-days.ts";
import type { RequestEventsTable, RequestsTable, SubmissionsTable } from "../database/schema.ts";
import { type Read, reading, type Write, writing } from "../database/statement.ts";
import { toInstant, toText } from "../database/time.ts";
import type { KeyedHash } from "../keys/keys.ts";
import { type Actor, actors, type RefusalReason, refusalReasons } from "./life.ts";
import { type ReasonCode, reasonCodes } from "./reasons.ts";
import { createReference } from "./reference.ts";
import type { Submission } from "./submission.ts";

/**
 * The SQL of requests, submissions and their trail. What a call may change is decided by its caller. What comes out of
 * a row is parsed, not believed: a request is in one of its states and has what that state has.
 */

type Received = {
  id: number;
  /** The one that was confirmed, until then the newest. */
  reference: string;
  /** Why, as that submission says. */
  reason: ReasonCode;
  /** How many forms belong to it. */
  sent: number;
  receivedAt: Temporal.Instant;
};

type Confirmed = Received & {
  confirmedAt: Temporal.Instant;
  /** The campus's date of the confirmation. */
  confirmedOn: Temporal.PlainDate;
  dueOn: Temporal.PlainDate;
  skipped: SkippedDay[];
};

type Ended = Confirmed & {
  /** Undefined once erased. */
  email: string | undefined;
  /** Undefined where nobody took it up. */
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant;
  erasedAt: Temporal.Instant | undefined;
};

export type ReceivedRequest = Received & {
  state: "received";
  email: string;
  /** When it goes, if nobody confirms it. */
  expiresAt: Temporal.Instant;
};

/** Confirmed, with a promised date that is still to be kept. */
export type WorkingRequest = Confirmed & { email: string } & (
    | { state: "confirmed" }
    | { state: "in-progress"; startedAt: Temporal.Instant }
  );

export type EndedRequest = Ended &
  ({ state: "completed" | "cancelled" } | { state: "refused"; refusalReason: RefusalReason });

export type ConfirmedRequest = WorkingRequest | EndedRequest;
export type StoredRequest = ReceivedRequest | ConfirmedRequest;

export function isWorking(request: StoredRequest): request is WorkingRequest {
  return request.state === "confirmed" || request.state === "in-progress";
}

export function isEnded(request: StoredRequest): request is EndedRequest {
  return "endedAt" in request;
}

/** One sent form. */
export type SubmissionRecord = {
  id: number;
  requestId: number;
  reference: string;
  /** As typed. Undefined once erased, like the feedback. */
  email: string | undefined;
  reason: ReasonCode;
  feedback: string;
  receivedAt: Temporal.Instant;
};

export type EventRecord = {
  at: Temporal.Instant;
  actor: Actor;
  name: string;
  type: string;
  fromState: string;
  toState: string;
  code: string;
  note: string;
  dueFrom: Temporal.PlainDate | undefined;
  dueTo: Temporal.PlainDate | undefined;
};

// Finding

/** Any of its references finds a request. */
export async function findRequest(
  database: Read,
  reference: string,
): Promise<StoredRequest | undefined> {
  const row = await database.one(requestByReference, { reference });
  return row && toRequest(row);
}

const requestByReference = reading((tables, { reference }: { reference: string }) =>
  tables
    .selectFrom("requests")
    .innerJoin("submissions", "submissions.request_id", "requests.id")
    .selectAll("requests")
    .where("submissions.reference", "=", reference),
);

export async function findRequestById(
  database: Read,
  id: number,
): Promise<StoredRequest | undefined> {
  const row = await database.one(requestById, { id });
  return row && toRequest(row);
}

const requestById = reading((tables, { id }: { id: number }) =>
  tables.selectFrom("requests").selectAll().where("id", "=", id),
);

/** The open request of an address. */
export async function findOpenRequest(
  database: Read,
  email: string,
): Promise<ReceivedRequest | WorkingRequest | undefined> {
  const row = await database.one(openRequestOf, { match: matchEmail(email) });
  const request = row && toRequest(row);
  return request && isEnded(request) ? undefined : request;
}

// SQLite uses a partial index only where the query says its condition in so many words.
const openRequestOf = reading((tables, { match }: { match: string }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("email_match", "=", match)
    .where("state", "in", [sql.lit("received"), sql.lit("confirmed"), sql.lit("in-progress")]),
);

/** The ended requests of an address, by the hash that stays of it; newest first. */
export async function findEndedRequests(
  database: Read,
  hash: KeyedHash,
  limit: number,
): Promise<StoredRequest[]> {
  const rows = await database.all(requestsByHash, { ...hash, limit });
  return rows.map(toRequest);
}

const requestsByHash = reading(
  (tables, { hash, version, limit }: { hash: string; version: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("address_hash", "=", hash)
      .where("address_hash_version", "=", version)
      .orderBy("id", "desc")
      .limit(limit),
);

/** The address that mails of a request go to; undefined once erased. */
export async function findAddress(database: Read, id: number): Promise<string | undefined> {
  return (await database.one(addressOf, { id }))?.email || undefined;
}

const addressOf = reading((tables, { id }: { id: number }) =>
  tables.selectFrom("requests").select("email").where("id", "=", id),
);

// Lists, in pages: each begins behind the last row of the one before

/** Confirmed ones, due soonest first. */
export async function listWorking(
  database: Read,
  limit: number,
  after?: { dueOn: Temporal.PlainDate; id: number },
): Promise<WorkingRequest[]> {
  const rows = await database.all(workingAfter, {
    dueOn: after?.dueOn.toString() ?? "",
    id: after?.id ?? 0,
    limit,
  });
  return rows.map(toRequest).filter(isWorking);
}

const workingAfter = reading(
  (tables, { dueOn, id, limit }: { dueOn: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
      .where(
        (where) => sql<boolean>`(${where.ref("due_on")}, ${where.ref("id")}) > (${dueOn}, ${id})`,
      )
      .orderBy("due_on")
      .orderBy("id")
      .limit(limit),
);

/** Unconfirmed ones, the soonest to expire first. */
export async function listReceived(
  database: Read,
  limit: number,
  after?: { expiresAt: Temporal.Instant; id: number },
): Promise<ReceivedRequest[]> {
  const rows = await database.all(receivedAfter, {
    expiresAt: after ? toText(after.expiresAt) : "",
    id: after?.id ?? 0,
    limit,
  });
  return rows.map(toRequest).filter((request) => request.state === "received");
}

const receivedAfter = reading(
  (tables, { expiresAt, id, limit }: { expiresAt: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "=", sql.lit("received"))
      .where(
        (where) =>
          sql<boolean>`(${where.ref("expires_at")}, ${where.ref("id")}) > (${expiresAt}, ${id})`,
      )
      .orderBy("expires_at")
      .orderBy("id")
      .limit(limit),
);

/** Ended ones, newest end first. */
export async function listEnded(
  database: Read,
  limit: number,
  after?: { endedAt: Temporal.Instant; id: number },
): Promise<EndedRequest[]> {
  const rows = await database.all(endedAfter, {
    endedAt: after ? toText(after.endedAt) : "9",
    id: after?.id ?? 0,
    limit,
  });
  return rows.map(toRequest).filter(isEnded);
}

const endedAfter = reading(
  (tables, { endedAt, id, limit }: { endedAt: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("ended_at", "is not", null)
      .where(
        (where) =>
          sql<boolean>`(${where.ref("ended_at")}, ${where.ref("id")}) < (${endedAt}, ${id})`,
      )
      .orderBy("ended_at", "desc")
      .orderBy("id", "desc")
      .limit(limit),
);

/** Every request, oldest first. */
export async function listById(
  database: Read,
  limit: number,
  after: number,
): Promise<StoredRequest[]> {
  return (await database.all(requestsAfter, { after, limit })).map(toRequest);
}

const requestsAfter = reading((tables, { after, limit }: { after: number; limit: number }) =>
  tables.selectFrom("requests").selectAll().where("id", ">", after).orderBy("id").limit(limit),
);

// What time demands

/** Unconfirmed ones whose time is over. */
export async function listExpired(
  database: Read,
  at: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  return idsOf(await database.all(expiredBy, { at: toText(at), limit }));
}

const expiredBy = reading((tables, { at, limit }: { at: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("state", "=", sql.lit("received"))
    .where("expires_at", "<=", at)
    .orderBy("expires_at")
    .limit(limit),
);

/** Ended ones that still hold an address though their person was told of the end, or `latest` has passed since. */
export async function listErasable(
  database: Read,
  latest: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const told = idsOf(await database.all(toldUnerased, { limit }));
  const late = idsOf(await database.all(endedUnerased, { latest: toText(latest), limit }));
  return [...new Set([...told, ...late])];
}

const toldUnerased = reading((tables, { limit }: { limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("told_at", "is not", null)
    .where("erased_at", "is", null)
    .orderBy("told_at")
    .limit(limit),
);

const endedUnerased = reading((tables, { latest, limit }: { latest: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("ended_at", "is not", null)
    .where("erased_at", "is", null)
    .where("ended_at", "<=", latest)
    .orderBy("ended_at")
    .limit(limit),
);

/** Erased ones that ended before an instant. */
export async function listForgettable(
  database: Read,
  before: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  return idsOf(await database.all(erasedBefore, { before: toText(before), limit }));
}

const erasedBefore = reading((tables, { before, limit }: { before: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("ended_at", "is not", null)
    .where("ended_at", "<=", before)
    .where("erased_at", "is not", null)
    .orderBy("ended_at")
    .limit(limit),
);

/** Confirmed ones that are due on a date or before it, and whose operators were not warned of that yet. */
export async function listUnwarned(
  database: Read,
  until: Temporal.PlainDate,
  limit: number,
): Promise<WorkingRequest[]> {
  const rows = await database.all(unwarned, { until: until.toString(), limit });
  return rows.map(toRequest).filter(isWorking);
}

const unwarned = reading((tables, { until, limit }: { until: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("warned_at", "is", null)
    .where("due_on", "<=", until)
    .orderBy("due_on")
    .limit(limit),
);

export async function enterWarning(
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await transaction.run(warned, { id, now: toText(now) });
}

const warned = writing((tables, { id, now }: { id: number; now: string }) =>
  tables.updateTable("requests").set({ warned_at: now }).where("id", "=", id),
);

// Counting what is open

export async function countReceived(database: Read): Promise<number> {
  return Number((await database.one(receivedCount))?.count ?? 0);
}

const receivedCount = reading((tables) =>
  tables
    .selectFrom("requests")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("state", "=", sql.lit("received")),
);

/** Confirmed ones that are still to be done. */
export async function countWorking(database: Read): Promise<number> {
  return Number((await database.one(workingCount))?.count ?? 0);
}

const workingCount = reading((tables) =>
  tables
    .selectFrom("requests")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")]),
);

export async function countOverdue(database: Read, today: Temporal.PlainDate): Promise<number> {
  return Number((await database.one(overdueCount, { today: today.toString() }))?.count ?? 0);
}

const overdueCount = reading((tables, { today }: { today: string }) =>
  tables
    .selectFrom("requests")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
    .where("due_on", "<", today),
);

/** Confirmed ones that are still to be done, by how long ago they were confirmed. */
export async function countByAge(
  database: Read,
  now: Temporal.Instant,
): Promise<{ upTo3: number; upTo7: number; upTo14: number; older: number }> {
  // After four days less a moment somebody has waited for three whole days.
  const ago = (days: number) => toText(now.subtract({ hours: (days + 1) * 24 }));
  const row = await database.one(workingByAge, {
    three: ago(3),
    seven: ago(7),
    fourteen: ago(14),
  });
  const [all, past3, past7, past14] = [row?.every, row?.past3, row?.past7, row?.past14].map(
    (count) => Number(count ?? 0),
  ) as [number, number, number, number];
  return { upTo3: all - past3, upTo7: past3 - past7, upTo14: past7 - past14, older: past14 };
}

const workingByAge = reading(
  (tables, { three, seven, fourteen }: { three: string; seven: string; fourteen: string }) =>
    tables
      .selectFrom("requests")
      .select((select) => {
        const before = (at: string) =>
          select.fn.sum<number>(select.case().when("confirmed_at", "<=", at).then(1).else(0).end());
        return [
          select.fn.countAll<number>().as("every"),
          before(three).as("past3"),
          before(seven).as("past7"),
          before(fourteen).as("past14"),
        ];
      })
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")]),
);

// Forms

/** The form key itself is not kept: whoever reads the database cannot open a panel with it. */
export function hashFormKey(formKey: string): string {
  return createHash("sha256").update(formKey).digest("base64url");
}

export async function findSubmission(
  database: Read,
  formKey: string,
): Promise<SubmissionRecord | undefined> {
  const row = await database.one(submissionByKey, { hash: hashFormKey(formKey) });
  return row && toSubmission(row);
}

const submissionByKey = reading((tables, { hash }: { hash: string }) =>
  tables.selectFrom("submissions").selectAll().where("form_key_hash", "=", hash),
);

export async function findSubmissionByReference(
  database: Read,
  reference: string,
): Promise<SubmissionRecord | undefined> {
  const row = await database.one(submissionByReference, { reference });
  return row && toSubmission(row);
}

const submissionByReference = reading((tables, { reference }: { reference: string }) =>
  tables.selectFrom("submissions").selectAll().where("reference", "=", reference),
);

/** The forms of a request, oldest first, from the one after `after`. */
export async function listSubmissions(
  database: Read,
  requestId: number,
  limit: number,
  after = 0,
): Promise<SubmissionRecord[]> {
  const rows = await database.all(submissionsOf, { requestId, after, limit });
  return rows.map(toSubmission);
}

const submissionsOf = reading(
  (tables, { requestId, after, limit }: { requestId: number; after: number; limit: number }) =>
    tables
      .selectFrom("submissions")
      .selectAll()
      .where("request_id", "=", requestId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit),
);

export async function listReferences(
  database: Read,
  requestId: number,
  limit: number,
): Promise<string[]> {
  const rows = await database.all(referencesOf, { requestId, limit });
  return rows.map((row) => row.reference);
}

const referencesOf = reading((tables, { requestId, limit }: { requestId: number; limit: number }) =>
  tables
    .selectFrom("submissions")
    .select("reference")
    .where("request_id", "=", requestId)
    .orderBy("id")
    .limit(limit),
);

export async function addSubmission(
  transaction: Write,
  requestId: number,
  submission: Submission & { reference: string },
  now: Temporal.Instant,
): Promise<SubmissionRecord> {
  const { reference, email, reason, feedback } = submission;
  const row = await transaction.one(insertSubmission, {
    requestId,
    reference,
    formKeyHash: hashFormKey(submission.formKey),
    email,
    reason,
    feedback,
    now: toText(now),
  });
  if (!row) throw new Error("A submission was not stored");
  return { id: row.id, requestId, reference, email, reason, feedback, receivedAt: now };
}

const insertSubmission = writing(
  (
    tables,
    to: {
      requestId: number;
      reference: string;
      formKeyHash: string;
      email: string;
      reason: string;
      feedback: string;
      now: string;
    },
  ) =>
    tables
      .insertInto("submissions")
      .values({
        request_id: to.requestId,
        reference: to.reference,
        form_key_hash: to.formKeyHash,
        email: to.email,
        reason: to.reason,
        feedback: to.feedback,
        received_at: to.now,
      })
      .returning("id"),
);

/** A reference that no submission has. */
export async function findFreeReference(database: Read): Promise<string> {
  for (;;) {
    const reference = createReference();
    if (!(await database.one(referenceTaken, { reference }))) return reference;
  }
}

const referenceTaken = reading((tables, { reference }: { reference: string }) =>
  tables.selectFrom("submissions").select("id").where("reference", "=", reference),
);

// Changing

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

// The trail

export async function addEvent(
  transaction: Write,
  requestId: number,
  event: EventRecord,
): Promise<void> {
  await transaction.run(insertEvent, {
    requestId,
    at: toText(event.at),
    actor: event.actor,
    name: event.name,
    type: event.type,
    fromState: event.fromState,
    toState: event.toState,
    code: event.code,
    note: event.note,
    dueFrom: event.dueFrom?.toString() ?? null,
    dueTo: event.dueTo?.toString() ?? null,
  });
}

const insertEvent = writing(
  (
    tables,
    to: {
      requestId: number;
      at: string;
      actor: string;
      name: string;
      type: string;
      fromState: string;
      toState: string;
      code: string;
      note: string;
      dueFrom: string | null;
      dueTo: string | null;
    },
  ) =>
    tables.insertInto("request_events").values({
      request_id: to.requestId,
      at: to.at,
      actor: to.actor,
      name: to.name,
      type: to.type,
      from_state: to.fromState,
      to_state: to.toState,
      code: to.code,
      note: to.note,
      due_from: to.dueFrom,
      due_to: to.dueTo,
    }),
);

/** Enters an act that changes no state. */
export async function addNote(
  transaction: Write,
  request: { id: number; state: string },
  by: { actor: Actor; name?: string },
  type: string,
  at: Temporal.Instant,
): Promise<void> {
  await addEvent(transaction, request.id, {
    at,
    actor: by.actor,
    name: by.name ?? "",
    type,
    fromState: request.state,
    toState: request.state,
    code: "",
    note: "",
    dueFrom: undefined,
    dueTo: undefined,
  });
}

/** Oldest first. */
export async function listEvents(
  database: Read,
  requestId: number,
  limit: number,
): Promise<EventRecord[]> {
  const rows = await database.all(eventsOf, { requestId, limit });
  return rows.map(toEvent);
}

const eventsOf = reading((tables, { requestId, limit }: { requestId: number; limit: number }) =>
  tables
    .selectFrom("request_events")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id")
    .limit(limit),
);

// Rows

/** Throws where a row has not what its state must have: nothing is guessed and no date invented. */
export function toRequest(row: Selectable<RequestsTable>): StoredRequest {
  return parse("requests", row.id, () => {
    const common: Received = {
      id: row.id,
      reference: text(row.reference),
      reason: oneOf(reasonCodes, row.reason),
      sent: row.sent,
      receivedAt: toInstant(row.received_at),
    };
    if (row.state === "received") {
      const { state } = row;
      return { ...common, state, email: text(row.email), expiresAt: needInstant(row.expires_at) };
    }
    const confirmed: Confirmed = {
      ...common,
      confirmedAt: needInstant(row.confirmed_at),
      confirmedOn: needDate(row.confirmed_on),
      dueOn: needDate(row.due_on),
      skipped: skippedFromText(row.skipped ?? "[]"),
    };
    const { state } = row;
    if (state === "confirmed") return { ...confirmed, state, email: text(row.email) };
    if (state === "in-progress") {
      const startedAt = needInstant(row.started_at);
      return { ...confirmed, state, email: text(row.email), startedAt };
    }
    const ended: Ended = {
      ...confirmed,
      email: row.email || undefined,
      startedAt: toInstant(row.started_at),
      endedAt: needInstant(row.ended_at),
      erasedAt: toInstant(row.erased_at),
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusal_reason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}

function toSubmission(row: Selectable<SubmissionsTable>): SubmissionRecord {
  return parse("submissions", row.id, () => ({
    id: row.id,
    requestId: row.request_id,
    reference: text(row.reference),
    email: row.email || undefined,
    reason: oneOf(reasonCodes, row.reason),
    feedback: row.feedback,
    receivedAt: toInstant(row.received_at),
  }));
}

function toEvent(row: Selectable<RequestEventsTable>): EventRecord {
  return parse("request_events", row.id, () => ({
    at: toInstant(row.at),
    actor: oneOf(actors, row.actor),
    name: row.name,
    type: row.type,
    fromState: row.from_state,
    toState: row.to_state,
    code: row.code,
    note: row.note,
    dueFrom: toDate(row.due_from),
    dueTo: toDate(row.due_to),
  }));
}

/** Says which row it was; the row itself may name a person. */
function parse<T>(table: string, id: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new Error(`Row ${id} of ${table} cannot be understood: ${reason}`);
  }
}

function text(value: string | null): string {
  if (!value) throw new Error("a text is missing");
  return value;
}

function oneOf<T extends string>(known: readonly T[], value: string | null): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error("a code is not known");
  return found;
}

function needInstant(value: string | null): Temporal.Instant {
  const instant = toInstant(value);
  if (!instant) throw new Error("an instant is missing");
  return instant;
}

function needDate(value: string | null): Temporal.PlainDate {
  const date = toDate(value);
  if (!date) throw new Error("a date is missing");
  return date;
}

function toDate(value: string | null): Temporal.PlainDate | undefined {
  return value === null ? undefined : Temporal.PlainDate.from(value);
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}
