import { randomBytes } from "node:crypto";
import { findLastRestore } from "../database/restore-hold.ts";
import type { RowIn } from "../database/rows.ts";
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
} from "../database/statement.ts";

/** The deletion jobs of the account system, as the table `hand_overs` has them, and what is known of it as a whole. */

const jobStates = [
  /** Told of, and not answered yet. */
  "asked",
  /** Its start was accepted: the account system is at work. */
  "started",
  "blocked",
  "failed",
  /** Deleted, as the account system said, although an operator keeps it waiting: a person has to look. */
  "deleted-held",
  /** Deleted, as the account system said. */
  "done",
  /** Over in another way: cancelled, refused, or done by hand. */
  "closed",
] as const;

export type JobState = (typeof jobStates)[number];

/** What the columns mean, server/database/schema.ts says. */
export type DeletionJob = ReturnType<typeof toJob>;

function toJob(row: RowIn<"hand_overs">) {
  const state = jobStates.find((known) => known === row.state);
  if (!state) throw new Error(`Row ${row.id} of hand_overs has no known state`);
  return { ...row, state };
}

const store = storing("hand_overs");

/** Stores what became of it, the inverse of reading it in the same transaction. Returns it as it is then. */
export async function changeJob(
  transaction: Write,
  job: DeletionJob,
  change: Partial<DeletionJob>,
): Promise<DeletionJob> {
  const changed = { ...job, ...change };
  await store(transaction, changed);
  return changed;
}

/** A new one, with a name of its own for both systems. */
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

/** Whether a site like this one made the name of a job. */
export const isOwnName = (publicId: string): boolean => /^del_[\w-]{20}$/.test(publicId);

const insertJob = inserting("hand_overs", toJob);

export const findJob = finding("hand_overs", { publicId: "=" }, toJob);

/** The newest of a request. */
export const findJobOf = finding("hand_overs", { requestId: "=" }, toJob, "id");

/** Whether a copy was put back since anything was heard or asked of it: what became of it meanwhile is not known here. */
export async function isDoubted(database: Read, job: DeletionJob): Promise<boolean> {
  const restore = await findLastRestore(database);
  if (!restore || job.test) return false;
  const isBefore = (at: Temporal.Instant | undefined) =>
    at === undefined || Temporal.Instant.compare(at, restore.at) <= 0;
  return isBefore(job.askedAt) && isBefore(job.answeredAt);
}

const rechecked = { state: ["=", "done"], recheckedAt: "is not null" } as const;

/** Those that were asked about after accounts were restored, last before an instant, and have not answered. */
export const listRechecked = listing(
  "hand_overs",
  { ...rechecked, askedAt: "<=" },
  ["askedAt"],
  toJob,
);

/** How many were asked about after accounts were restored, and wait for their answer. */
export const countRechecked = counting("hand_overs", rechecked);

/** Those that failed and are to be told of once more by an instant. */
export const listAgain = listing("hand_overs", { againAt: "<=" }, ["againAt"], toJob);

/** Those whose answer has been waited for since an instant or longer, the longest first. */
export const listWaiting = listing(
  "hand_overs",
  { waitingSince: "<=", test: ["=", 0] },
  ["waitingSince"],
  toJob,
);

// Calls

/** A call that was accepted: the same one is not heard again. */
export const enterCall = inserting("account_calls");

export const wasHeard = finding("account_calls", { callId: "=" }, () => true);

// Jobs that the account system named and this store does not know

export const enterUnknownJob = replacing("unknown_jobs");

/** The newest first. */
export const listUnknownJobs = listing("unknown_jobs", {}, ["at", "desc"]);

/** An operator has found its person, or there is none. Returns how many were on the list. */
export const dropUnknownJob = deleting("unknown_jobs", { publicId: "=" });

// The account system as a whole

/** The one row that there is. */
export const findStanding = reading(
  (tables) => tables.selectFrom("account_system").selectAll(),
  ([row]) => row as RowIn<"account_system">,
);

/** Nothing is sent to it from then on; without an instant it goes on. */
export const enterStop = updating("account_system", ["stoppedAt"], {});

/** A call of it was accepted. */
export const enterHeard = updating("account_system", ["answeredAt"], {});

export const enterReconciled = updating("account_system", ["reconciledOn"], {});
