import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import { matchEmail } from "../addresses/email-address.ts";
import { type SkippedDay, skippedFromText } from "../calendar/business-days.ts";
import type { Read, Write } from "../database/database.ts";
import type { RequestEventsTable, RequestsTable, SubmissionsTable } from "../database/schema.ts";
import { toInstant, toText } from "../database/time.ts";
import { type Actor, openStates, type RefusalReason, type State } from "./life.ts";
import { createReference } from "./reference.ts";
import type { Submission } from "./submission.ts";

/** The SQL of requests, submissions and their trail. What a call may change is decided by its caller. */

export type SubmissionRecord = {
  id: number;
  requestId: number;
  reference: string;
  /** Empty once erased, like the feedback. */
  email: string;
  reason: string;
  feedback: string;
  receivedAt: Temporal.Instant;
};

export type RequestRecord = {
  id: number;
  state: State;
  /** The one that was confirmed, until then the newest. */
  reference: string;
  /** Empty once erased. */
  email: string;
  receivedAt: Temporal.Instant;
  expiresAt: Temporal.Instant | undefined;
  confirmedAt: Temporal.Instant | undefined;
  confirmedOn: Temporal.PlainDate | undefined;
  dueOn: Temporal.PlainDate | undefined;
  skipped: SkippedDay[];
  startedAt: Temporal.Instant | undefined;
  endedAt: Temporal.Instant | undefined;
  refusalReason: RefusalReason | undefined;
  erasedAt: Temporal.Instant | undefined;
  /** Oldest first; never empty. */
  submissions: SubmissionRecord[];
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

/** The form key itself is not kept: whoever reads the database cannot open a panel with it. */
export function hashFormKey(formKey: string): string {
  return createHash("sha256").update(formKey).digest("base64url");
}

export async function findSubmission(
  database: Read,
  formKey: string,
): Promise<SubmissionRecord | undefined> {
  const row = await database
    .selectFrom("submissions")
    .selectAll()
    .where("form_key_hash", "=", hashFormKey(formKey))
    .executeTakeFirst();
  return row && toSubmission(row);
}

/** The open request of an address. */
export async function findOpenRequest(
  database: Read,
  email: string,
): Promise<RequestRecord | undefined> {
  const row = await database
    .selectFrom("requests")
    .selectAll()
    .where("email_match", "=", matchEmail(email))
    .where("state", "in", openStates)
    .executeTakeFirst();
  return row && toRequest(row, await submissionsOf(database, row.id));
}

export async function addRequest(
  transaction: Write,
  email: string,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<number> {
  const row = await transaction
    .insertInto("requests")
    .values({
      state: "received",
      email,
      email_match: matchEmail(email),
      received_at: toText(now),
      expires_at: toText(expiresAt),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function addSubmission(
  transaction: Write,
  requestId: number,
  submission: Submission,
  now: Temporal.Instant,
): Promise<SubmissionRecord> {
  for (;;) {
    const row = await transaction
      .insertInto("submissions")
      .values({
        request_id: requestId,
        reference: createReference(),
        form_key_hash: hashFormKey(submission.formKey),
        email: submission.email,
        reason: submission.reason,
        feedback: submission.feedback,
        received_at: toText(now),
      })
      .onConflict((conflict) => conflict.column("reference").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return toSubmission(row);
  }
}

/** Oldest first. */
export async function listRequests(
  database: Read,
  states?: readonly State[],
): Promise<RequestRecord[]> {
  const requests = await database
    .selectFrom("requests")
    .selectAll()
    .$if(states !== undefined, (query) => query.where("state", "in", states ?? []))
    .orderBy("id")
    .execute();
  const submissions = await database
    .selectFrom("submissions")
    .innerJoin("requests", "requests.id", "submissions.request_id")
    .selectAll("submissions")
    .$if(states !== undefined, (query) => query.where("requests.state", "in", states ?? []))
    .orderBy("submissions.id")
    .execute();
  const byRequest = Map.groupBy(submissions, (row) => row.request_id);
  return requests.map((row) => toRequest(row, byRequest.get(row.id) ?? []));
}

/** Any of its references finds a request. */
export async function findRequest(
  database: Read,
  reference: string,
): Promise<RequestRecord | undefined> {
  const submission = await database
    .selectFrom("submissions")
    .select("request_id")
    .where("reference", "=", reference)
    .executeTakeFirst();
  return submission && findRequestById(database, submission.request_id);
}

export async function findRequestById(
  database: Read,
  id: number,
): Promise<RequestRecord | undefined> {
  const row = await database
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toRequest(row, await submissionsOf(database, id));
}

export async function updateRequest(
  transaction: Write,
  id: number,
  change: Partial<Omit<RequestsTable, "id">>,
): Promise<void> {
  await transaction.updateTable("requests").set(change).where("id", "=", id).execute();
}

/** Removes a request with everything that belongs to it. */
export async function removeRequest(transaction: Write, id: number): Promise<void> {
  await transaction.deleteFrom("requests").where("id", "=", id).execute();
}

/** Erases what names a person from everything that belongs to a request: what was typed, notes, and unsent mails. */
export async function eraseTypedWords(transaction: Write, requestId: number): Promise<void> {
  await transaction
    .updateTable("submissions")
    .set({ email: "", feedback: "" })
    .where("request_id", "=", requestId)
    .execute();
  await transaction
    .updateTable("request_events")
    .set({ note: "" })
    .where("request_id", "=", requestId)
    .execute();
  await transaction.deleteFrom("outbox").where("request_id", "=", requestId).execute();
}

export async function addEvent(
  transaction: Write,
  requestId: number,
  event: EventRecord,
): Promise<void> {
  await transaction
    .insertInto("request_events")
    .values({
      request_id: requestId,
      at: toText(event.at),
      actor: event.actor,
      name: event.name,
      type: event.type,
      from_state: event.fromState,
      to_state: event.toState,
      code: event.code,
      note: event.note,
      due_from: event.dueFrom?.toString() ?? null,
      due_to: event.dueTo?.toString() ?? null,
    })
    .execute();
}

/** Enters an act that changes no state. */
export async function addOperatorNote(
  transaction: Write,
  request: RequestRecord,
  type: string,
  name: string,
  at: Temporal.Instant,
): Promise<void> {
  await addEvent(transaction, request.id, {
    at,
    actor: "operator",
    name,
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
export async function listEvents(database: Read, requestId: number): Promise<EventRecord[]> {
  const rows = await database
    .selectFrom("request_events")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id")
    .execute();
  return rows.map(toEvent);
}

async function submissionsOf(
  database: Read,
  requestId: number,
): Promise<Selectable<SubmissionsTable>[]> {
  return database
    .selectFrom("submissions")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id")
    .execute();
}

function toRequest(
  row: Selectable<RequestsTable>,
  submissions: readonly Selectable<SubmissionsTable>[],
): RequestRecord {
  return {
    id: row.id,
    state: row.state as State,
    reference: row.reference ?? submissions.at(-1)?.reference ?? "",
    email: row.email,
    receivedAt: toInstant(row.received_at),
    expiresAt: toInstant(row.expires_at),
    confirmedAt: toInstant(row.confirmed_at),
    confirmedOn: toDate(row.confirmed_on),
    dueOn: toDate(row.due_on),
    skipped: skippedFromText(row.skipped ?? "[]"),
    startedAt: toInstant(row.started_at),
    endedAt: toInstant(row.ended_at),
    refusalReason: (row.refusal_reason ?? undefined) as RefusalReason | undefined,
    erasedAt: toInstant(row.erased_at),
    submissions: submissions.map(toSubmission),
  };
}

function toSubmission(row: Selectable<SubmissionsTable>): SubmissionRecord {
  return {
    id: row.id,
    requestId: row.request_id,
    reference: row.reference,
    email: row.email,
    reason: row.reason,
    feedback: row.feedback,
    receivedAt: toInstant(row.received_at),
  };
}

function toEvent(row: Selectable<RequestEventsTable>): EventRecord {
  return {
    at: toInstant(row.at),
    actor: row.actor as Actor,
    name: row.name,
    type: row.type,
    fromState: row.from_state,
    toState: row.to_state,
    code: row.code,
    note: row.note,
    dueFrom: toDate(row.due_from),
    dueTo: toDate(row.due_to),
  };
}

function toDate(text: string | null): Temporal.PlainDate | undefined {
  return text === null ? undefined : Temporal.PlainDate.from(text);
}
