import { createClockTrust } from "./clock-trust.ts";
import type { Database, Duty } from "./database/database.ts";
import { enterProbe, enterSeen, readLastSeen } from "./database/last-seen.ts";
import { nameOfError } from "./database/trouble.ts";
import type { Upkeep } from "./deletion-requests/keeping/retention-jobs.ts";
import type { OutboxWorker, WorkerLog } from "./outbox/worker.ts";

/**
 * What happens by the clock, inside the server's process: the outbox is looked after every two seconds or when it is
 * woken, the upkeep runs every minute. Neither knows of the other.
 */
type Timers = {
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type Scheduler = ReturnType<typeof createScheduler>;

/** How soon messages from another process, such as the command line, are noticed. */
const lookEveryMs = 2000;
const upkeepEveryMs = 60_000;
/** However much there is to do: an upkeep that comes after another costs everybody else something. */
const soonestUpkeepMs = 5_000;

export function createScheduler(services: {
  outbox: OutboxWorker;
  upkeep: Upkeep;
  /** What is owed between us and the account system. */
  reconcile?: (() => Promise<void>) | undefined;
  /** What is to be written into the log of what everybody did. */
  security?: { follow(): Promise<void> };
  database: Database;
  /** What is done by one instance for all of them. */
  duty?: Duty;
  clock: () => Temporal.Instant;
  log: WorkerLog;
  loop: Loop;
  /** Milliseconds that only ever pass, whatever happens to the clock. */
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
        ? enterSeen(transaction, { now: clock() })
        : enterProbe(transaction, { probedAt: clock() }),
    );
    await services.security?.follow();
    if (services.duty && !(await services.duty.take())) return;
    // The second is tried whatever becomes of the first.
    try {
      await upkeep.run(trusted);
    } finally {
      await services.reconcile?.();
    }
  }

  async function runRound(): Promise<void> {
    const nowMs = clock().epochMilliseconds;
    // A clock that was set back must not delay the upkeep.
    const everyMs = isHurried ? soonestUpkeepMs : upkeepEveryMs;
    if (lastUpkeepMs === undefined || Math.abs(nowMs - lastUpkeepMs) >= everyMs) {
      isHurried = false;
      lastUpkeepMs = nowMs;
      await keepUp().catch((error: unknown) => {
        log.warn({ error: nameOfError(error) }, "the upkeep could not be done whole");
      });
    }
    await outbox.fillUp(loop.wake, loop.goesOn).catch((error: unknown) => {
      log.warn({ error: nameOfError(error) }, "the outbox could not be read");
    });
  }

  return {
    start: () => loop.start(runRound),

    /** The upkeep has something to do, and is not to wait for its minute. */
    hurry(): void {
      isHurried = true;
    },
    isErasingHeld: trust.isHeld,

    /** Takes nothing new and waits for what is being sent. */
    async stop(): Promise<void> {
      await loop.stop();
      await outbox.finish();
      // Another instance need not wait; this one may have lost the database.
      await services.duty?.leave().catch(() => {});
    },

    /** Everything that is due now, once, with the upkeep before and after. For tests and commands. */
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

export type Loop = ReturnType<typeof createLoop>;

/** Does the same again and again, each time when the last is over: after a while, or as soon as it is woken. */
export function createLoop(timers: Timers = globalThis) {
  let run = async () => {};
  let started = false;
  let timer: unknown;
  let round: Promise<void> | undefined;
  let again = false;

  function wake(): void {
    if (!started) return;
    if (round) {
      again = true;
      return;
    }
    timers.clearTimeout(timer);
    round = run().finally(() => {
      round = undefined;
      if (!started) return;
      if (again) {
        again = false;
        wake();
      } else {
        timer = timers.setTimeout(wake, lookEveryMs);
      }
    });
  }

  return {
    start(work: () => Promise<void>): void {
      run = work;
      started = true;
      wake();
    },
    /** Looks at once instead of soon. */
    wake,
    goesOn: () => started,
    /** Waits for the one that is under way. */
    async stop(): Promise<void> {
      started = false;
      timers.clearTimeout(timer);
      await round;
    },
  };
}
