import { AsyncLocalStorage } from "node:async_hooks";
import { createClockTrust } from "./clock-trust.ts";
import type { Upkeep } from "./deletion-requests/jobs/retention-jobs.ts";
import type { OutboxWorker, WorkerLog } from "./delivery/worker.ts";
import type { Database, LeaderLease } from "./platform/database/database.ts";
import { readLastSeen, recordProbe, recordSeen } from "./platform/database/last-seen.ts";
import { errorName } from "./platform/database/storage-errors.ts";

export type Timers = {
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type Scheduler = ReturnType<typeof createScheduler>;

/** Interval between checks for messages from other processes, such as commands, in milliseconds. */
const pollEveryMs = 2000;
/**
 * In a rush, forms get their answers before emails are sent: a round waits until no message has
 * been added for this time, in milliseconds.
 */
const quietMs = 20;
/** Maximum time that a round waits because of that, in milliseconds. */
const longestWaitMs = 200;
const upkeepEveryMs = 60_000;
/**
 * Minimum time between two upkeep runs, in milliseconds. An upkeep run slows down everything else.
 */
const soonestUpkeepMs = 5_000;

/**
 * Schedules work in the server's process. Checks the outbox every two seconds or when woken, and
 * runs the upkeep every minute.
 */
export function createScheduler(services: {
  outbox: OutboxWorker;
  upkeep: Upkeep;
  reconcile?: (() => Promise<void>) | undefined;
  security?: { follow(): Promise<void> };
  database: Database;
  /** Lease for work that one server does on behalf of all servers. */
  duty?: LeaderLease;
  clock: () => Temporal.Instant;
  log: WorkerLog;
  loop: Loop;
  /** Reads a monotonic clock, in milliseconds. */
  elapsedMs?: () => number;
}) {
  const { outbox, upkeep, database, clock, log, loop } = services;
  const trust = createClockTrust({
    clock,
    elapsedMs: services.elapsedMs ?? (() => performance.now()),
    lastSeen: () => readLastSeen(database.read),
    log,
  });
  let lastUpkeepMs: number | undefined;
  let isHurried = false;

  async function keepUp(): Promise<void> {
    const trusted = await trust.isTrusted();
    await database.write((transaction) =>
      trusted
        ? recordSeen(transaction, { now: clock() })
        : recordProbe(transaction, { probedAt: clock() }),
    );
    await services.security?.follow();
    if (services.duty && !(await services.duty.take())) return;
    // Reconciles even if the upkeep fails.
    try {
      await upkeep.run({ mayErase: trusted });
    } finally {
      await services.reconcile?.();
    }
  }

  async function runRound(): Promise<void> {
    const nowMs = clock().epochMilliseconds;
    // Uses the absolute difference, because setting back the clock must not delay the upkeep.
    const everyMs = isHurried ? soonestUpkeepMs : upkeepEveryMs;
    if (lastUpkeepMs === undefined || Math.abs(nowMs - lastUpkeepMs) >= everyMs) {
      isHurried = false;
      lastUpkeepMs = nowMs;
      await keepUp().catch((error: unknown) => {
        log.warn({ error: errorName(error) }, "maintenance could not be completed");
      });
    }
    await outbox.fillUp(loop.wake, loop.isRunning).catch((error: unknown) => {
      log.warn({ error: errorName(error) }, "the outbox could not be read");
    });
  }

  return {
    start: () => loop.start(runRound),

    /** Makes the next upkeep run within seconds instead of a minute. */
    hurry(): void {
      isHurried = true;
    },
    isErasingHeld: trust.isHeld,

    /** Stops once the messages that are being sent are finished. */
    async stop(): Promise<void> {
      await loop.stop();
      await outbox.finish();
      // Gives up the lease so that another server can take over right away. Ignores errors, because
      // the database may be unreachable.
      await services.duty?.leave().catch(() => {});
    },

    /** For tests and commands: runs all due work once, with an upkeep run before and after. */
    async runOnce(): Promise<void> {
      await services.security?.follow();
      if ((await services.duty?.take()) === false) return outbox.sendAll();
      await upkeep.run();
      await services.reconcile?.();
      await outbox.sendAll();
      await upkeep.run();
    },
  };
}

type Loop = ReturnType<typeof createLoop>;

/**
 * Creates a loop that repeats a function after a delay, or soon after the loop is woken. The delay
 * starts when the previous run ends.
 */
export function createLoop({
  timers = globalThis,
  elapsedMs = () => performance.now(),
}: {
  timers?: Timers | undefined;
  /** Reads a monotonic clock, in milliseconds. */
  elapsedMs?: (() => number) | undefined;
} = {}) {
  // Work in the loop must not get the id of the request that woke the loop.
  const outside = AsyncLocalStorage.snapshot();
  let run = async () => {};
  let started = false;
  let timer: unknown;
  let round: Promise<void> | undefined;
  let again = false;
  let addedAtMs = Number.NEGATIVE_INFINITY;
  /** Time of the first wake-up since the last round began. */
  let wokenAtMs: number | undefined;

  function begin(): void {
    if (!started) return;
    timers.clearTimeout(timer);
    wokenAtMs = undefined;
    round = outside(run).finally(() => {
      round = undefined;
      if (!started) return;
      if (again) {
        again = false;
        wake();
      } else {
        timer = timers.setTimeout(begin, pollEveryMs);
      }
    });
  }

  function wake(): void {
    if (!started) return;
    if (round) {
      again = true;
      return;
    }
    const nowMs = elapsedMs();
    wokenAtMs ??= nowMs;
    const waitMs = Math.min(addedAtMs + quietMs, wokenAtMs + longestWaitMs) - nowMs;
    if (waitMs <= 0) {
      begin();
    } else {
      timers.clearTimeout(timer);
      timer = timers.setTimeout(begin, waitMs);
    }
  }

  return {
    start(work: () => Promise<void>): void {
      run = work;
      started = true;
      begin();
    },
    wake,
    /** Wakes the loop because a message was added. */
    messageAdded(): void {
      addedAtMs = elapsedMs();
      wake();
    },
    isRunning: () => started,
    /** Stops the loop and waits for the current run. */
    async stop(): Promise<void> {
      started = false;
      timers.clearTimeout(timer);
      await round;
    },
  };
}
