import { createHash } from "node:crypto";
import type { Selectable } from "kysely";
import type { Read, Write } from "../database/database.ts";
import type { SubmissionsTable } from "../database/schema.ts";
import { matchEmail } from "./email-address.ts";
import { createReference } from "./reference.ts";
import type { Submission } from "./submission.ts";

/** The SQL of the deletion requests. What a call may change is decided by its caller. */

export type SubmissionRecord = {
  reference: string;
  email: string;
  reason: string;
  feedback: string;
  receivedAt: Temporal.Instant;
};

export type RequestRecord = {
  id: number;
  state: string;
  email: string;
  receivedAt: Temporal.Instant;
  /** Oldest first; never empty. */
  submissions: SubmissionRecord[];
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

/** Adds a submission to the open request of its address, or to a new one. */
export async function addSubmission(
  transaction: Write,
  submission: Submission,
  now: Temporal.Instant,
): Promise<SubmissionRecord> {
  const open = await transaction
    .selectFrom("requests")
    .select("id")
    .where("email_match", "=", matchEmail(submission.email))
    .where("state", "in", openStates)
    .executeTakeFirst();
  const request =
    open ??
    (await transaction
      .insertInto("requests")
      .values({
        state: "received",
        email: submission.email,
        email_match: matchEmail(submission.email),
        received_at: toText(now),
      })
      .returning("id")
      .executeTakeFirstOrThrow());
  for (;;) {
    const row = await transaction
      .insertInto("submissions")
      .values({
        request_id: request.id,
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

const openStates = ["received", "confirmed", "in-progress"];

/** Oldest first. */
export async function listRequests(database: Read): Promise<RequestRecord[]> {
  const requests = await database
    .selectFrom("requests")
    .selectAll()
    .orderBy("received_at")
    .orderBy("id")
    .execute();
  const submissions = await database.selectFrom("submissions").selectAll().orderBy("id").execute();
  const byRequest = Map.groupBy(submissions, (row) => row.request_id);
  return requests.map((row) => ({
    id: row.id,
    state: row.state,
    email: row.email,
    receivedAt: Temporal.Instant.from(row.received_at),
    submissions: (byRequest.get(row.id) ?? []).map(toSubmission),
  }));
}

/** Any of its references finds a request. */
export async function findRequest(
  database: Read,
  reference: string,
): Promise<RequestRecord | undefined> {
  const row = await database
    .selectFrom("requests")
    .selectAll()
    .where("id", "=", (select) =>
      select.selectFrom("submissions").select("request_id").where("reference", "=", reference),
    )
    .executeTakeFirst();
  if (!row) return undefined;
  const submissions = await database
    .selectFrom("submissions")
    .selectAll()
    .where("request_id", "=", row.id)
    .orderBy("id")
    .execute();
  return {
    id: row.id,
    state: row.state,
    email: row.email,
    receivedAt: Temporal.Instant.from(row.received_at),
    submissions: submissions.map(toSubmission),
  };
}

/** Removes a request with all its submissions. */
export async function removeRequest(transaction: Write, id: number): Promise<void> {
  await transaction.deleteFrom("requests").where("id", "=", id).execute();
}

export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

function toSubmission(row: Selectable<SubmissionsTable>): SubmissionRecord {
  return {
    reference: row.reference,
    email: row.email,
    reason: row.reason,
    feedback: row.feedback,
    receivedAt: Temporal.Instant.from(row.received_at),
  };
}
