import type { Change } from "../../deletion-requests/commands/apply-act.ts";
import { listCompletions } from "../../deletion-requests/ledger/entries.ts";
import { recordAct, writeAbout } from "../../deletion-requests/repository/audit-log.ts";
import { findRequestById } from "../../deletion-requests/repository/requests.ts";
import {
  graceUntil,
  holdOf,
  isEnded,
  isWorking,
  type StoredRequest,
  type WorkingRequest,
} from "../../deletion-requests/state-machine/request.ts";
import type { RequestEvent } from "../../deletion-requests/state-machine/state-machine.ts";
import { replaceUnsent, retryMessages, type Writing } from "../../delivery/outbox.ts";
import type { Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Write } from "../../platform/database/statement.ts";
import {
  addJob,
  changeJob,
  type DeletionJob,
  findJobOf,
  isDoubted,
  recordStop,
} from "../deletion-jobs.ts";
import {
  type AccountEvent,
  accountChannel,
  findGraceOf,
  isInHand,
  isOnHold,
  queueEvent,
} from "./events.ts";

/**
 * Queues events for the account system, each in the transaction of the change that it reports.
 * Changes by the account system itself queue no events (`recordAct`).
 */

/** Checks whether the account system can still answer a job. */
export function isOpen(job: DeletionJob | undefined): job is DeletionJob {
  return job !== undefined && job.state !== "closed" && job.state !== "done";
}

/**
 * Stops waiting for an answer, because the request has ended, or an operator has put it on hold or
 * is working on it.
 */
export function stopSending(
  transaction: Write,
  job: DeletionJob,
  state: "blocked" | "closed",
): Promise<DeletionJob> {
  return changeJob(transaction, job, {
    state,
    againAt: undefined,
    waitingSince: undefined,
  });
}

/** Hours between checks whether a request may be handed over after a restore. */
const graceCheckHours = 1;

/**
 * Hands a request over to the account system, or repeats the handover, unless an operator has put
 * the request on hold or is working on it. After a restore, first asks for the job's state, because
 * the request may have been cancelled since the backup. Then gives the requester time to cancel.
 * @returns the changed job
 */
export async function announce(
  writing: Writing,
  job: DeletionJob,
  request: WorkingRequest,
): Promise<DeletionJob> {
  const { transaction, now } = writing;
  if (isInHand(request, job) || isOnHold(request)) {
    return stopSending(transaction, job, "blocked");
  }
  // After an approval, delays the event so that the owner of the old mailbox has time to cancel.
  const untouched = graceUntil(request);
  const isUntouched = untouched && Temporal.Instant.compare(untouched, now) > 0;
  const from = isUntouched ? untouched : now;
  const owe = (kind: AccountEvent["kind"]) =>
    queueEvent(writing, job, { kind, reference: request.reference }, from);
  const waitingSince = isUntouched ? from : (job.waitingSince ?? now);
  if (await isDoubted(transaction, job)) {
    await owe("account.deletion.standing");
    const changes = { standingAt: now, againAt: undefined, waitingSince };
    return changeJob(transaction, job, changes);
  }
  const grace = await findGraceOf(transaction, request, job, now);
  if (grace) {
    const soon = now.add({ hours: graceCheckHours });
    const { until = soon } = grace;
    const againAt = Temporal.Instant.compare(until, soon) < 0 ? until : soon;
    return changeJob(transaction, job, { againAt, waitingSince: undefined });
  }
  const wasStarted = job.state === "started";
  await owe(wasStarted ? "account.deletion.reminder" : "account.deletion.requested");
  // A started job stays started after another handover.
  const state = job.begunAt ? "started" : "asked";
  const changes = { state, askedAt: now, againAt: undefined, waitingSince } as const;
  return changeJob(transaction, job, changes);
}

/**
 * Asks the account system whether a deleted account is still gone, because a restored backup may
 * have brought it back.
 */
export async function requestRecheck(
  writing: Writing,
  job: DeletionJob,
  reference: string,
): Promise<void> {
  const { transaction, now } = writing;
  const { recheckedAt = now, waitingSince = now } = job;
  await changeJob(transaction, job, { recheckedAt, askedAt: now, waitingSince });
  await queueEvent(writing, job, { kind: "account.deletion.recheck", reference });
}

/**
 * Closes the job of a request whose approval was undone. Sends a cancellation only if the account
 * system may already know the request.
 */
async function withdraw(writing: Writing, job: DeletionJob, before: StoredRequest): Promise<void> {
  const { transaction, now } = writing;
  await stopSending(transaction, job, "closed");
  const untouched = isWorking(before) ? graceUntil(before) : undefined;
  const isPastGrace = untouched && Temporal.Instant.compare(now, untouched) >= 0;
  if (!isPastGrace) return replaceUnsent(transaction, accountChannel, job.requestId, now);
  await queueCancellation(writing, job, before);
}

function queueCancellation(
  writing: Writing,
  job: DeletionJob,
  { reference }: StoredRequest,
): Promise<void> {
  const event = { kind: "account.deletion.cancelled", because: "cancelled", reference } as const;
  return queueEvent(writing, job, event);
}

/**
 * Cancels an open live job during a dry run, in which no account may be deleted. Leaves the job
 * alone if the account system has begun or, after a restore, may have begun to delete the account.
 * @returns whether the job is cancelled
 */
export async function recall(
  writing: Writing,
  job: DeletionJob | undefined,
  request: StoredRequest,
): Promise<boolean> {
  const { transaction } = writing;
  if (!isOpen(job) || job.test) return false;
  if (job.begunAt || (await isDoubted(transaction, job))) return false;
  await stopSending(transaction, job, "closed");
  await queueCancellation(writing, job, request);
  return true;
}

type Reaction =
  | "hand-over"
  /** Withdraw the request, because its approval was undone. */
  | "withdraw"
  /** Report that the request has ended. */
  | "close"
  /** Report that an operator has put the request on hold. */
  | "hold"
  /** Stop waiting for an answer, because an operator is working on the request. */
  | "stop";

type React<Event> = (
  change: Change,
  job: DeletionJob | undefined,
  event: Event,
) => Reaction | undefined;

/** Reactions to events. Submissions, questions and extensions cause no reaction. */
const reactions: {
  [Type in RequestEvent["type"]]?: React<Extract<RequestEvent, { type: Type }>>;
} = {
  confirm: () => "hand-over",
  approve: () => "hand-over",
  reopen: handOverReopened,
  cancel: () => "close",
  refuse: () => "close",
  complete: (change, job, { isFinal }) => (isFinal ? "close" : stopIfTaken(change, job)),
  take: stopIfTaken,
  tick: stopIfTaken,
  "hand-back": (change, job) => (isHandedBack(change, job) ? "hand-over" : undefined),
  hold: holdIfOperator,
  release: () => "hand-over",
  undo(change, job, { code }) {
    const { before, after } = change;
    if (code === "approve") return "withdraw";
    if (isEnded(before)) return handOverReopened(change);
    if (code === "release") return holdIfOperator(change);
    if (code === "hold") return holdOf(after) ? undefined : "hand-over";
    return isHandedBack(change, job) ? "hand-over" : undefined;
  },
};

function handOverReopened({ before, after }: Change): Reaction | undefined {
  // If the account system refused the request because it hadn't found the account, leaves the
  // reopened request to the operator. The nightly reconciliation hands the request over again.
  const wasTheirs = before.state === "refused" && before.endedBy === "system";
  return isWorking(after) && !wasTheirs ? "hand-over" : undefined;
}

function stopIfTaken({ before, after }: Change, job: DeletionJob | undefined) {
  const isInHandOf = (request: StoredRequest) => isWorking(request) && isInHand(request, job);
  return isInHandOf(after) && !isInHandOf(before) ? "stop" : undefined;
}

function isHandedBack({ before, after }: Change, job: DeletionJob | undefined): boolean {
  return isWorking(before) && isInHand(before, job) && isWorking(after) && !isInHand(after, job);
}

function holdIfOperator({ before, after }: Change): Reaction | undefined {
  const isHeldNow = isWorking(after) && isOnHold(after);
  return isHeldNow && !(isWorking(before) && isOnHold(before)) ? "hold" : undefined;
}

function react(change: Change, job: DeletionJob | undefined): Reaction | undefined {
  const found = change.happened.map((event) => {
    const reaction = reactions[event.type] as React<RequestEvent> | undefined;
    return reaction?.(change, job, event);
  });
  return found.find((reaction) => reaction);
}

/** Checks whether a request stays with the operators although it no longer has an owner. */
function staysByHand({ before, after, happened }: Change, job: DeletionJob | undefined): boolean {
  if (after.state !== "in-progress") return false;
  const isUndone = happened.some(({ type }) => type === "undo");
  // The cancellation was reported right away, so the reopening is reported right away, too.
  if (isUndone && job?.state === "closed") return false;
  return !isHandedBack({ before, after, happened }, job) || job?.state === "done";
}

/** @param mode in a dry run, new jobs are flagged as tests */
export function createEventQueue(mode: "dry-run" | "live", keys: Keys) {
  return {
    isCarriedOut: mode === "live",
    /** Queues events about changes that a requester, an operator or the clock caused. */
    async onEvents(
      { transaction, now }: { transaction: Write; now: Temporal.Instant },
      change: Change,
    ): Promise<void> {
      const { before, after, happened } = change;
      if (!happened.some(({ type }) => reactions[type])) return;
      const known = await findJobOf(transaction, { requestId: after.id });
      const reaction = react(change, known);
      if (reaction === "hand-over") {
        if (!isWorking(after) || (!isOpen(known) && staysByHand(change, known))) return;
        const writing = { transaction, keys, now };
        const test = mode === "dry-run";
        const isRecalled = test && (await recall(writing, known, after));
        const job =
          isOpen(known) && !isRecalled
            ? known
            : await addJob(transaction, { requestId: after.id, test, now });
        await announce(writing, job, after);
        return;
      }
      if (!reaction || !isOpen(known)) return;
      if (reaction === "withdraw") return withdraw({ transaction, keys, now }, known, before);
      await stopSending(transaction, known, reaction === "close" ? "closed" : "blocked");
      if (reaction === "stop") return;
      await queueEvent({ transaction, keys, now }, known, describe(after));
    },

    /**
     * Hands over a request again despite earlier answers, because an operator has checked it.
     * Returns the reason if the request can't be handed over.
     */
    async handOverAgain(transaction: Write, request: StoredRequest, now: Temporal.Instant) {
      const job = await findJobOf(transaction, { requestId: request.id });
      if (!isWorking(request) || !isOpen(job)) return "not-handed-over";
      if (isOnHold(request)) return "held";
      if (await findGraceOf(transaction, request, job, now)) return "after-restore";
      if (isInHand(request, job)) return request.done ? "already-done" : "already-taken";
      await announce({ transaction, keys, now }, { ...job, askedAt: now }, request);
      return undefined;
    },
  };
}

/** Describes the event for a request that has ended or that an operator has put on hold. */
function describe(after: StoredRequest): Omit<AccountEvent, "id"> {
  const { reference } = after;
  if (!isEnded(after)) return { kind: "account.deletion.held", reference };
  const because = after.state === "completed" ? "done-by-hand" : after.state;
  return { kind: "account.deletion.cancelled", because, reference };
}

// Operators' commands

type QueueServices = { database: Database; keys: Keys; clock: () => Temporal.Instant };

/**
 * Asks the account system to recheck every deletion that it performed, because a restored backup
 * may have brought accounts back. Also repeats earlier rechecks. Doesn't cover deletions by hand or
 * without an account id, because we have only a keyed hash of the email address. Use `npm run store
 * -- ledger check` for those deletions.
 * @param options.isLive whether the account system can be asked; if not, operators must recheck
 * every deletion
 */
export async function beginRecheck(
  { database, keys, clock }: QueueServices,
  { isLive, name }: { isLive: boolean; name: string },
): Promise<{ requested: number; byHand: number }> {
  const now = clock();
  let requested = 0;
  let byHand = 0;
  for await (const requestId of listCompletions(database.read)) {
    const isRequested = await database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id: requestId });
      const job = request && (await findJobOf(transaction, { requestId }));
      // Whether the account system deleted the account and reported the account's id.
      const isTheirs = job?.state === "done" && job.accountId !== undefined;
      if (!request || !isLive || !isTheirs || job.test) return false;
      await requestRecheck({ transaction, keys, now }, job, request.reference);
      return true;
    });
    if (isRequested) requested++;
    else byHand++;
  }
  const about = writeAbout("account-recheck", {
    count: requested,
    way: isLive ? "live" : "by-hand",
  });
  await database.write((transaction) =>
    recordAct(transaction, { at: now, name, act: "account-recheck", about }),
  );
  return { requested, byHand };
}

/**
 * Resumes sending after a 410 response, and retries all failed events right away. Returns the
 * number of retried events.
 */
export async function resume({ database, clock }: QueueServices, name: string): Promise<number> {
  const now = clock();
  return database.write(async (transaction) => {
    await recordStop(transaction, { stoppedAt: undefined });
    await recordAct(transaction, { at: now, name, act: "account-resume", about: "" });
    return (await retryMessages(transaction, [accountChannel], now)).length;
  });
}
