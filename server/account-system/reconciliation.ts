import { enqueueTeamMail, namedInMail } from "../deletion-requests/mails/mails.ts";
import type { TroubledDelivery } from "../deletion-requests/mails/team-mails.ts";
import { batchSize, changeBatch } from "../deletion-requests/repository/erasing.ts";
import { listWorking } from "../deletion-requests/repository/request-lists.ts";
import { findRequestById } from "../deletion-requests/repository/requests.ts";
import {
  isWorking,
  type StoredRequest,
  type WorkingRequest,
} from "../deletion-requests/state-machine/request.ts";
import type { DeliveryProblem } from "../delivery/delivery-problem.ts";
import { type Failure, type OutboxItem, type Writing, wasAdded } from "../delivery/outbox.ts";
import { type Calendar, countDaysLeft, dateAt } from "../platform/calendar/business-days.ts";
import type { Keys } from "../platform/crypto/keys.ts";
import type { Database } from "../platform/database/database.ts";
import { findLastRestore, findUnconfirmedRestore } from "../platform/database/restore-hold.ts";
import { toHour, toText } from "../platform/database/rows.ts";
import type { Read, Write } from "../platform/database/statement.ts";
import {
  addJob,
  changeJob,
  type DeletionJob,
  findJobOf,
  findStanding,
  isDoubted,
  type JobState,
  listForRetry,
  listRechecked,
  listWaiting,
  recordReconciliation,
} from "./deletion-jobs.ts";
import { isInHand, isOnHold, queueEvent } from "./outbound/events.ts";
import { announce, isOpen, recall, requestRecheck, stopSending } from "./outbound/queue-events.ts";

/**
 * Nightly reconciliation with the account system. It hands over confirmed requests that the account
 * system doesn't have, repeats unanswered events, and alerts operators before a due date is at
 * risk. Running it twice is safe.
 */

/** Hour in the campus's time zone from which the nightly reconciliation is due. */
const nightHour = 2;
/** Hours after which an unanswered event is repeated. */
const silentHours = 20;
/** Minutes of silence after which we report the account system as down. */
const silentMinutes = 60;
const remindBusinessDays = 2;
/**
 * Operators are alerted this many business days before a due date, one business day before we
 * remind the account system.
 */
const alertBusinessDays = 3;

type ReconciliationServices = {
  database: Database;
  keys: Keys;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  mode: "dry-run" | "live";
  onOutbox?: () => void;
};

/** Creates the reconciliation job, which runs about every minute. */
export function createReconciliation(services: ReconciliationServices): () => Promise<void> {
  const { database, calendar, clock } = services;
  /** Id of the newest restore at this server's last reconciliation. */
  let reconciledRestore: number | undefined;

  return async () => {
    // After a restore, nothing is sent until an operator confirms the restore.
    if (await findUnconfirmedRestore(database.read)) return;
    const now = clock();
    await tryAgain(services, now);
    await alertToSilence(services, now);
    // Reconciles each night, after a restore, and at server startup, because the connection may be
    // new.
    const restore = (await findLastRestore(database.read))?.id ?? 0;
    const local = now.toZonedDateTimeISO(calendar.timeZone);
    const { reconciledOn } = await findStanding(database.read);
    const isNight = !reconciledOn?.equals(local.toPlainDate()) && local.hour >= nightHour;
    if (isNight || restore !== reconciledRestore) await reconcile(services, now);
    reconciledRestore = restore;
    services.onOutbox?.();
  };
}

/**
 * Hands over failed jobs again if the account system asked for a retry, and jobs whose requesters
 * had time to cancel after a restore.
 */
async function tryAgain(
  { database, keys }: ReconciliationServices,
  now: Temporal.Instant,
): Promise<void> {
  const due = { againAt: now, limit: batchSize };
  // Usually, no job is due. This check needs no write lock.
  if ((await listForRetry(database.read, due)).length === 0) return;
  await database.write(async (transaction) => {
    for (const job of await listForRetry(transaction, due)) {
      const request = await findRequestById(transaction, { id: job.requestId });
      if (request && isWorking(request)) await announce({ transaction, keys, now }, job, request);
      else await stopSending(transaction, job, "closed");
    }
  });
}

/** Repeats unanswered rechecks, except during a dry run, because a recheck may delete an account. */
async function requestRechecks(
  { database, keys, mode }: ReconciliationServices,
  now: Temporal.Instant,
): Promise<TroubledDelivery[]> {
  if (mode === "dry-run") return [];
  const silent = { askedAt: now.subtract({ hours: silentHours }), limit: batchSize };
  const troubles: TroubledDelivery[] = [];
  for (;;) {
    const repeated = await database.write(async (transaction) =>
      Array.fromAsync(await listRechecked(transaction, silent), async (job) => {
        const request = await findRequestById(transaction, { id: job.requestId });
        const reference = request?.reference ?? "";
        await requestRecheck({ transaction, keys, now }, job, reference);
        return { reference, kind: "account.deletion.recheck", problem: "no answer" };
      }),
    );
    // The next query no longer lists the rechecks that were just repeated.
    if (repeated.length === 0) return troubles;
    troubles.push(...repeated);
  }
}

/**
 * Finds the job that has waited longest for an answer, if the account system has been silent for
 * too long.
 */
export async function findSilence(database: Read, now: Temporal.Instant) {
  const waitingSince = now.subtract({ minutes: silentMinutes });
  const [job] = await listWaiting(database, { waitingSince, limit: 1 });
  return job?.waitingSince && { ...job, since: job.waitingSince };
}

/** Alerts operators after an hour of silence, at most once for each longest-waiting job. */
async function alertToSilence(
  { database, keys }: ReconciliationServices,
  now: Temporal.Instant,
): Promise<void> {
  const waiting = await findSilence(database.read, now);
  if (!waiting) return;
  const once = `silent:${waiting.publicId}:${toText(waiting.since)}`;
  if (await wasAdded(database.read, { once: `account-system:${once}` })) return;
  await database.write(async (transaction) => {
    const request = await findRequestById(transaction, { id: waiting.requestId });
    if (!request) return;
    const { reference } = request;
    const kind = isWorking(request) ? "account.deletion.requested" : "account.deletion.recheck";
    const troubled = [{ reference, kind, problem: "no answer" }];
    await notifyOperators({ transaction, keys, now }, troubled, 1, once);
  });
}

async function reconcile(services: ReconciliationServices, now: Temporal.Instant): Promise<void> {
  const { database, keys, calendar } = services;
  const today = dateAt(calendar, now);
  const atRisk = await requestRechecks(services, now);
  let count = atRisk.length;
  atRisk.splice(namedInMail);
  const problems: unknown[] = [];
  for (let after: WorkingRequest | undefined; ; ) {
    const requests = await listWorking(database.read, batchSize, after, (problem) =>
      problems.push(problem),
    );
    after = requests.at(-1);
    if (!after) break;
    const found = new Map<number, TroubledDelivery>();
    const ids = requests.map(({ id }) => id);
    const failed = await changeBatch(database.write, ids, async (request, transaction) => {
      const trouble = await reconcileRequest(services, transaction, request, now);
      if (trouble) found.set(request.id, trouble);
    });
    problems.push(...failed);
    count += found.size;
    atRisk.push(...[...found.values()].slice(0, namedInMail - atRisk.length));
  }
  await database.write(async (transaction) => {
    if (count > 0)
      await notifyOperators({ transaction, keys, now }, atRisk, count, `at-risk:${today}`);
    await recordReconciliation(transaction, { reconciledOn: today });
  });
  if (problems.length > 0) throw problems[0];
}

/** Reconciles one request. Returns a problem that operators must know about, if there is one. */
async function reconcileRequest(
  services: ReconciliationServices,
  transaction: Write,
  request: StoredRequest,
  now: Temporal.Instant,
): Promise<TroubledDelivery | undefined> {
  const { keys, calendar } = services;
  if (!isWorking(request) || isOnHold(request)) return undefined;
  const job = await handOver(services, transaction, request, now);
  if (!job || job.test || isInHand(request, job)) return undefined;
  const { reference, dueOn } = request;
  const daysLeft = countDaysLeft(calendar, dateAt(calendar, now), dueOn);
  const isReminded = job.remindedFor?.equals(dueOn);
  const isDue = job.state === "asked" && daysLeft <= remindBusinessDays && !isReminded;
  if (isDue && !(await isDoubted(transaction, job))) {
    const kind = "account.deletion.reminder";
    await queueEvent({ transaction, keys, now }, job, { kind, reference });
    await changeJob(transaction, job, { remindedFor: dueOn });
  }
  const problem = problems[job.state];
  if (!problem || daysLeft > alertBusinessDays) return undefined;
  return { reference, kind: "account.deletion.requested", problem, dueOn: dueOn.toString() };
}

/**
 * Returns a request's job. Sends the job again if it was unanswered for a night, and creates a job
 * if none is open. During a dry run, replaces a live job that hasn't begun by a test. Returns
 * undefined if an operator is doing the work by hand.
 */
async function handOver(
  { keys, mode }: ReconciliationServices,
  transaction: Write,
  request: WorkingRequest,
  now: Temporal.Instant,
): Promise<DeletionJob | undefined> {
  const isTrial = mode === "dry-run";
  const known = await findJobOf(transaction, { requestId: request.id });
  const writing = { transaction, keys, now };
  const isRecalled = isTrial && (await recall(writing, known, request));
  // Creates a new job if the known job was a dry run or has been recalled, or was closed before its
  // request was reopened.
  if (isOpen(known) && !isRecalled && (isTrial || !known.test)) {
    const isDue = await isSilent(transaction, known, now);
    return isDue ? announce(writing, known, request) : known;
  }
  if (request.state === "in-progress") return undefined;
  // If the request was confirmed before the restore, the lost server may already have handed it
  // over. Backdating the job makes `announce` ask for its state first.
  const restore = await findLastRestore(transaction);
  const isOld = restore && Temporal.Instant.compare(request.confirmedAt, restore.at) <= 0;
  const isOver = known !== undefined && !isOpen(known);
  const since = isOld && !isOver ? request.confirmedAt : now;
  const made = await addJob(transaction, { requestId: request.id, test: isTrial, now: since });
  return announce(writing, made, request);
}

/**
 * Checks whether a job has been unanswered or unfinished for too long, or is in doubt after a
 * restore.
 */
async function isSilent(
  transaction: Write,
  job: DeletionJob,
  now: Temporal.Instant,
): Promise<boolean> {
  const { state, askedAt, standingAt } = job;
  const since = now.subtract({ hours: silentHours });
  const isLongAgo = (at: Temporal.Instant) => Temporal.Instant.compare(at, since) <= 0;
  if (state === "deleted-held" || (standingAt && !isLongAgo(standingAt))) return false;
  const isWaitedFor = state === "asked" || state === "started";
  return (isWaitedFor && isLongAgo(askedAt)) || isDoubted(transaction, job);
}

/** Problems to report about jobs that are still open, by state. */
const problems: Partial<Record<JobState, DeliveryProblem>> = {
  asked: "no answer",
  started: "begun and not finished",
  blocked: "blocked",
  failed: "failed",
};

/** Alerts operators to an event that can't be sent without their help, at most once an hour. */
export function alertToStuckEvent(
  { transaction, keys, now }: Writing,
  { reference, kind }: OutboxItem,
  { problem }: Failure,
): Promise<void> {
  const troubled = [{ reference, kind, problem }];
  return notifyOperators({ transaction, keys, now }, troubled, 1, `stuck:${toHour(now)}`);
}

/** @param once idempotency key: at most one email is sent per key */
export function notifyOperators(
  { transaction, keys, now }: Writing,
  troubled: TroubledDelivery[],
  count: number,
  once: string,
): Promise<void> {
  const message = { kind: "operator-account-system", troubled, troubledCount: count } as const;
  return enqueueTeamMail({ transaction, keys, now }, message, { once: `account-system:${once}` });
}
