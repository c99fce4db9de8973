import type { Writing } from "../../delivery/outbox.ts";
import { hashToken, type Keys } from "../../platform/crypto/keys.ts";
import type { RowIn } from "../../platform/database/rows.ts";
import {
  finding,
  inserting,
  insertingOnce,
  insertingReserved,
  listing,
  type Read,
  type Write,
} from "../../platform/database/statement.ts";
import { createReference, reasonCodes } from "../state-machine/request.ts";
import type { Submission } from "../state-machine/submission.ts";
import { need, oneOf, parse } from "./request-row.ts";

/** Submissions, one for each submitted form. A request can have any number of submissions. */

export type SubmissionRecord = ReturnType<typeof toSubmission>;

function toSubmission(row: RowIn<"submissions">) {
  const { id, requestId, feedback, receivedAt } = row;
  return parse("submissions", id, () => ({
    id,
    requestId,
    feedback,
    receivedAt,
    reference: need(row, "reference"),
    /** The email address as typed. `undefined` after the erasure. */
    email: row.email || undefined,
    reason: oneOf(reasonCodes, row.reason),
  }));
}

/**
 * Finds a submission by its form key. The database contains only hashes of form keys so that a leak
 * doesn't give access to success panels.
 */
export const findSubmission = (database: Read, formKey: string) =>
  submissionByKey(database, { formKeyHash: hashToken(formKey) });

const submissionByKey = finding("submissions", { formKeyHash: "=" }, toSubmission);

export const findSubmissionByReference = finding("submissions", { reference: "=" }, toSubmission);

/**
 * Lists a request's submissions after the given `id`, oldest first. An `id` of 0 lists all of them.
 */
export const listSubmissions = listing(
  "submissions",
  { requestId: "=", id: ">" },
  ["id"],
  toSubmission,
);

export const listReferences = listing("submissions", { requestId: "=" }, ["id"], "reference");

export async function addSubmission(
  transaction: Write,
  requestId: number,
  submission: Submission & { reference: string },
  now: Temporal.Instant,
): Promise<SubmissionRecord> {
  const stored = { ...submission, requestId, receivedAt: now };
  const formKeyHash = hashToken(submission.formKey);
  return { ...stored, id: await insertSubmission(transaction, { ...stored, formKeyHash }) };
}

/** Adds a submission whose id was reserved (`Write.reserve`). */
export async function addReservedSubmission(
  transaction: Write,
  submission: Submission & SubmissionRecord,
): Promise<void> {
  const formKeyHash = hashToken(submission.formKey);
  await insertReservedSubmission(transaction, { ...submission, formKeyHash });
}

const insertSubmission = inserting("submissions", ({ id }) => id);

const insertReservedSubmission = insertingReserved("submissions");

export async function findFreeReference(database: Read): Promise<string> {
  for (;;) {
    const reference = createReference();
    if (!(await findSubmissionByReference(database, { reference }))) return reference;
  }
}

/**
 * Why a request no longer exists. Keyed hashes of its references are kept so that support can tell
 * an expired request from one that never existed.
 */
export type ErasedRequest = "expired" | "removed";

export async function recordErased(
  { transaction, keys, now: at }: Writing,
  references: readonly string[],
  how: ErasedRequest,
): Promise<void> {
  for (const reference of references) {
    const { hash } = keys.hash("reference", reference);
    await insertErasedReference(transaction, { hash, how, at });
  }
}

const insertErasedReference = insertingOnce("gone_references");

export async function findErased(
  database: Read,
  keys: Keys,
  reference: string,
): Promise<ErasedRequest | undefined> {
  for (const version of keys.versions) {
    const hash = keys.hashWith("reference", reference, version)?.hash;
    const erased = hash && (await findErasedByHash(database, { hash }));
    if (erased) return erased.how === "removed" ? "removed" : "expired";
  }
  return undefined;
}

const findErasedByHash = finding("gone_references", { hash: "=" });
