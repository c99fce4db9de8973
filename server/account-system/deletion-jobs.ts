import { randomBytes } from "node:crypto";
import { findLastRestore } from "../platform/database/restore-hold.ts";
import type { RowIn } from "../platform/database/rows.ts";
import {
  counting,
  deleting,
  finding,
  inserting,
  listing,
  type Read,
  reading,
  replacing,
  storing,
  updating,
  type Write,
} from "../platform/database/statement.ts";

/**
 * Repository for the account system's deletion jobs (table `hand_overs`) and for the state of our
 * connection to the account system.
 */

const jobStates = [
  /** Handed over to the account system, which hasn't answered yet. */
  "asked",
  "started",
  "blocked",
  "failed",
  /**
   * The account system deleted the account despite an operator's hold, so an operator must check
   * the request.
   */
  "deleted-held",
  /** The account system reported that the account is deleted. */
  "done",
  /** The job ended in another way: the request was cancelled, refused or carried out by hand. */
  "closed",
] as const;

export type JobState = (typeof jobStates)[number];

/** A deletion job. server/platform/database/schema.ts documents the columns. */
export type DeletionJob = ReturnType<typeof toJob>;

function toJob(row: RowIn<"hand_overs">) {
  const state = jobStates.find((known) => known === row.state);
  if (!state) throw new Error(`Row ${row.id} of hand_overs has no known state`);
  return { ...row, state };
}

const store = storing("hand_overs");

/** Stores changes to a job that was read in the same transaction. Returns the changed job. */
export async function changeJob(
  transaction: Write,
  job: DeletionJob,
  change: Partial<DeletionJob>,
): Promise<DeletionJob> {
  const changed = { ...job, ...change };
  await store(transaction, changed);
  return changed;
}

export function addJob(
  transaction: Write,
  of: { requestId: number; test: boolean; now: Temporal.Instant },
): Promise<DeletionJob> {
  const publicId = `del_${randomBytes(15).toString("base64url")}`;
  return insertJob(transaction, {
    requestId: of.requestId,
    publicId,
    test: of.test,
    state: "asked",
    askedAt: of.now,
    waitingSince: of.now,
  });
}

/** Checks whether an id has the format of our job ids. */
export const isOwnName = (publicId: string): boolean => /^del_[\w-]{20}$/.test(publicId);

const insertJob = inserting("hand_overs", toJob);

export const findJob = finding("hand_overs", { publicId: "=" }, toJob);

/** Finds a request's newest job. */
export const findJobOf = finding("hand_overs", { requestId: "=" }, toJob, "id");

/**
 * Checks whether a backup was restored after the last message about a job. If so, later messages
 * may be missing.
 */
export async function isDoubted(database: Read, job: DeletionJob): Promise<boolean> {
  const restore = await findLastRestore(database);
  if (!restore || job.test) return false;
  const isBefore = (at: Temporal.Instant | undefined) =>
    at === undefined || Temporal.Instant.compare(at, restore.at) <= 0;
  return isBefore(job.askedAt) && isBefore(job.answeredAt);
}

const rechecked = { state: ["=", "done"], recheckedAt: "is not null" } as const;

/** Lists unanswered rechecks that were last sent before an instant. */
export const listRechecked = listing(
  "hand_overs",
  { ...rechecked, askedAt: "<=" },
  ["askedAt"],
  toJob,
);

export const countRechecked = counting("hand_overs", rechecked);

/** Lists jobs that are due to be handed over again, after a failure or after a restore. */
export const listForRetry = listing("hand_overs", { againAt: "<=" }, ["againAt"], toJob);

/** Lists jobs that have been unanswered since `waitingSince` or earlier, oldest first. */
export const listWaiting = listing(
  "hand_overs",
  { waitingSince: "<=", test: ["=", 0] },
  ["waitingSince"],
  toJob,
);

// Calls from the account system

/** Records that a call was accepted so that a repeated call is recognized. */
export const recordCall = inserting("account_calls");

export const wasReceived = finding("account_calls", { callId: "=" }, () => true);

// Jobs that the account system mentioned but that aren't in this database

export const recordUnknownJob = replacing("unknown_jobs");

export const listUnknownJobs = listing("unknown_jobs", {}, ["at", "desc"]);

/**
 * Deletes an unknown job once an operator has found its requester or learned that there is none.
 * Returns the number of deleted rows.
 */
export const deleteUnknownJob = deleting("unknown_jobs", { publicId: "=" });

// State of the connection

/** Reads the table's only row. */
export const findStanding = reading(
  (tables) => tables.selectFrom("account_system").selectAll(),
  ([row]) => row as RowIn<"account_system">,
);

/** Records when sending stopped. `undefined` resumes sending. */
export const recordStop = updating("account_system", ["stoppedAt"], {});

export const recordLastCall = updating("account_system", ["answeredAt"], {});

export const recordReconciliation = updating("account_system", ["reconciledOn"], {});
