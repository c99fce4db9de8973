import type { Database } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { listCompletions } from "../deletion-requests/ledger/entries.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
  untouchedUntil,
  type WorkingRequest,
  waitOf,
} from "../deletion-requests/life/request.ts";
import { enterAct, writeAbout } from "../deletion-requests/store/audit-log.ts";
import { findRequestById } from "../deletion-requests/store/requests.ts";
import { type Change, didHappen } from "../deletion-requests/working/apply-act.ts";
import type { Keys } from "../keys/keys.ts";
import { replaceUnsent, retryMessages } from "../outbox/outbox.ts";
import {
  addJob,
  changeJob,
  type DeletionJob,
  enterStop,
  findJobOf,
  isDoubted,
} from "./deletion-jobs.ts";
import {
  type AccountEvent,
  accountChannel,
  findGraceOf,
  isInHand,
  isKeptWaiting,
  oweEvent,
} from "./events.ts";

/**
 * Tells the account system what becomes of requests: each event is written in the transaction of the change it tells of,
 * whoever made the change. What is the account system's own doing is not told to it.
 */

/** Whether what was handed over goes on: an answer may still come. */
export function isOpen(job: DeletionJob | undefined): job is DeletionJob {
  return job !== undefined && job.state !== "closed" && job.state !== "done";
}

/** Nothing is asked, and no answer waited for: an operator keeps it waiting or has it in hand, or it is over. */
export function stopAsking(
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

/** How often we look whether a request may be handed over after a restore. */
const graceLookHours = 1;

/**
 * Asks for a request, or once more, unless an operator keeps it waiting or has it in hand. After a copy was put back it
 * is first asked what is known of it: it may have been cancelled since. Then it waits until its person had time to cancel.
 * @returns the job as it is then
 */
export async function announce(
  transaction: Write,
  keys: Keys,
  job: DeletionJob,
  request: WorkingRequest,
  now: Temporal.Instant,
): Promise<DeletionJob> {
  if (isInHand(request, job) || isKeptWaiting(request)) {
    return stopAsking(transaction, job, "blocked");
  }
  // After an approval the old mailbox's reader can still cancel: nothing is handed over before.
  const untouched = untouchedUntil(request);
  const isUntouched = untouched && Temporal.Instant.compare(untouched, now) > 0;
  const from = isUntouched ? untouched : now;
  const owe = (kind: AccountEvent["kind"]) =>
    oweEvent(transaction, keys, job, request.reference, { kind }, now, from);
  const waitingSince = isUntouched ? from : (job.waitingSince ?? now);
  if (await isDoubted(transaction, job)) {
    await owe("account.deletion.standing");
    const asked = { standingAt: now, againAt: undefined, waitingSince };
    return changeJob(transaction, job, asked);
  }
  const grace = await findGraceOf(transaction, request, job, now);
  if (grace) {
    const soon = now.add({ hours: graceLookHours });
    const { until = soon } = grace;
    const againAt = Temporal.Instant.compare(until, soon) < 0 ? until : soon;
    return changeJob(transaction, job, { againAt, waitingSince: undefined });
  }
  const wasBegun = job.state === "started";
  await owe(wasBegun ? "account.deletion.reminder" : "account.deletion.requested");
  // What was begun stays begun.
  const state = job.begunAt ? "started" : "asked";
  const asked = { state, askedAt: now, againAt: undefined, waitingSince } as const;
  return changeJob(transaction, job, asked);
}

/** Asks about an account that was deleted and may have come back. */
export async function askWhetherGone(
  transaction: Write,
  keys: Keys,
  job: DeletionJob,
  reference: string,
  now: Temporal.Instant,
): Promise<void> {
  const { recheckedAt = now, waitingSince = now } = job;
  await changeJob(transaction, job, { recheckedAt, askedAt: now, waitingSince });
  await oweEvent(transaction, keys, job, reference, { kind: "account.deletion.recheck" }, now);
}

/** After an approval was undone: the account system hears of it only if it may have heard of the request. */
async function withdraw(
  transaction: Write,
  keys: Keys,
  job: DeletionJob,
  before: StoredRequest,
  now: Temporal.Instant,
): Promise<void> {
  await stopAsking(transaction, job, "closed");
  const untouched = isWorking(before) ? untouchedUntil(before) : undefined;
  const wasTold = untouched && Temporal.Instant.compare(now, untouched) >= 0;
  if (!wasTold) return replaceUnsent(transaction, accountChannel, job.requestId, now);
  const event = { kind: "account.deletion.cancelled", because: "cancelled" } as const;
  await oweEvent(transaction, keys, job, before.reference, event, now);
}

/** @param mode whether what is handed over now is a trial */
export function createAsking(mode: "dry-run" | "live", keys: Keys) {
  return {
    isCarriedOut: mode === "live",
    async onChange(
      transaction: Write,
      change: Change<StoredRequest>,
      now: Temporal.Instant,
    ): Promise<void> {
      const { before, after, by } = change;
      if (by.isAccountSystem) return;
      const known = await findJobOf(transaction, { requestId: after.id });
      const tell = (event: Pick<AccountEvent, "kind" | "because">) =>
        known && oweEvent(transaction, keys, known, after.reference, event, now);

      if (after.state === "received") {
        if (!isOpen(known)) return;
        return withdraw(transaction, keys, known, before, now);
      }
      if (isEnded(after)) {
        if (!isOpen(known)) return;
        await stopAsking(transaction, known, "closed");
        const because = after.state === "completed" ? "done-by-hand" : after.state;
        return tell({ kind: "account.deletion.cancelled", because });
      }
      // What the account system did not find, and an operator takes back, is the team's until the night.
      if (before.state === "refused" && before.endedBy === "system") return;
      const isHandedBack = isWorking(before) && isInHand(before, known) && !isInHand(after, known);
      const isUndone = didHappen("undo", change);
      const isFreed =
        didHappen("release", change) || (isUndone && waitOf(before) && !waitOf(after));
      if (!isWorking(before) || isHandedBack || isFreed) {
        // It was told right away that this is over, and is told as soon that it is not.
        const isAskedAnew = isUndone && known?.state === "closed";
        // By hand: an operator is at work on it already, or it was called done and was not.
        const isByHand =
          after.state === "in-progress" &&
          !isAskedAnew &&
          (!isHandedBack || known?.state === "done");
        if (!isOpen(known) && isByHand) return;
        const job = isOpen(known)
          ? known
          : await addJob(transaction, { requestId: after.id, test: mode === "dry-run", now });
        await announce(transaction, keys, job, after, now);
        return;
      }
      if (!isOpen(known)) return;
      const isTaken = isInHand(after, known) && !isInHand(before, known);
      const isHeldNow = isKeptWaiting(after) && !isKeptWaiting(before);
      if (isTaken || isHeldNow) await stopAsking(transaction, known, "blocked");
      if (isHeldNow) await tell({ kind: "account.deletion.held" });
    },

    /** Asks for it whatever was said of it before, because somebody has looked; or says why it cannot be asked for. */
    async askAgain(transaction: Write, request: StoredRequest, now: Temporal.Instant) {
      const job = await findJobOf(transaction, { requestId: request.id });
      if (!isWorking(request) || !isOpen(job)) return "not-handed-over";
      if (isKeptWaiting(request)) return "held";
      if (await findGraceOf(transaction, request, job, now)) return "after-restore";
      if (isInHand(request, job)) return request.done ? "already-done" : "already-taken";
      await announce(transaction, keys, { ...job, askedAt: now }, request, now);
      return undefined;
    },
  };
}

// What an operator asks for

type Services = { database: Database; keys: Keys; clock: () => Temporal.Instant };

/**
 * After accounts were restored from a backup, every deletion that the ledger still knows is asked about, so that what
 * came back goes again: what the account system deleted itself, by its own ids. What a person deleted nobody knows but by
 * the keyed hash of an address, as what the account system deleted without saying what it calls the account: those are
 * looked for with `npm run store -- ledger check`. Everything is asked about anew, whatever an earlier recheck found.
 * @param isLive whether the account system can be asked; if not, everything is for a person
 */
export async function beginRecheck(
  { database, keys, clock }: Services,
  isLive: boolean,
  name: string,
): Promise<{ asked: number; byHand: number }> {
  const now = clock();
  let asked = 0;
  let byHand = 0;
  for await (const requestId of listCompletions(database.read)) {
    const isAsked = await database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id: requestId });
      const job = request && (await findJobOf(transaction, { requestId }));
      // It deleted that itself, and has a name by which it can be asked about it.
      const isTheirs = job?.state === "done" && job.accountId !== undefined;
      if (!request || !isLive || !isTheirs || job.test) return false;
      await askWhetherGone(transaction, keys, job, request.reference, now);
      return true;
    });
    if (isAsked) asked++;
    else byHand++;
  }
  const about = writeAbout("account-recheck", { count: asked, way: isLive ? "live" : "by-hand" });
  await database.write((transaction) =>
    enterAct(transaction, { at: now, name, act: "account-recheck", about }),
  );
  return { asked, byHand };
}

/** Sends on after the account system had said that it is gone, and what waits for a person. Returns how many. */
export async function resume({ database, clock }: Services, name: string): Promise<number> {
  const now = clock();
  return database.write(async (transaction) => {
    await enterStop(transaction, { stoppedAt: undefined });
    await enterAct(transaction, { at: now, name, act: "account-resume", about: "" });
    return (await retryMessages(transaction, [accountChannel], now)).length;
  });
}
