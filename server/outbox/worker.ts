import { type Database, isStorageProblem } from "../database/database.ts";
import type { MailWriter } from "../deletion-requests/mail-writer.ts";
import { findRequestById } from "../deletion-requests/store.ts";
import { toTroubled, type Upkeep } from "../deletion-requests/upkeep.ts";
import type { Keys } from "../keys/keys.ts";
import type { Mailer } from "../mail/mailer.ts";
import {
  addMessage,
  claimMessages,
  dropMessage,
  failMessage,
  findNextDue,
  listTroubled,
  type OutboxItem,
  settleMessage,
} from "./outbox.ts";

/**
 * Sends what is in the outbox and runs the upkeep, inside the server's process. Several messages are under way at
 * once, so that a slow one does not hold the others; other processes may add to the outbox at any time.
 */
export type Timers = {
  setTimeout(run: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
};

export type WorkerLog = {
  warn(facts: Record<string, unknown>, message: string): void;
  info(facts: Record<string, unknown>, message: string): void;
};

const atOnce = 5;
/** How soon messages from another process, such as the command line, are noticed. */
const lookEveryMs = 2000;
const upkeepEveryMs = 60_000;
/** A clock that left the passing time by more than this has been set, or the machine slept. */
const jumpMs = 60 * 60_000;
/** How long a clock that jumped must run on before anything is erased by it. */
const trustAfterMs = 60 * 60_000;

export function createWorker(services: {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  upkeep: Upkeep;
  writeMail: MailWriter;
  mailer: Mailer;
  operatorAddress: string;
  log: WorkerLog;
  timers?: Timers;
  /** Milliseconds that only ever pass, whatever happens to the clock. */
  elapsedMs?: () => number;
  /** 0 to 1, for the jitter. */
  random?: () => number;
}) {
  const { database, keys, clock, log, mailer } = services;
  const random = services.random ?? Math.random;
  const elapsedMs = services.elapsedMs ?? (() => performance.now());
  const timers: Timers = services.timers ?? {
    setTimeout: (run, delayMs) => setTimeout(run, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  };
  const underWay = new Set<Promise<void>>();
  let started = false;
  let timer: unknown;
  let round: Promise<void> | undefined;
  let again = false;
  let lastUpkeepMs: number | undefined;
  let clockAhead = clock().epochMilliseconds - elapsedMs();
  let trustedFrom = 0;

  async function addressOf(item: OutboxItem): Promise<string | undefined> {
    if (item.recipient === "operators") return services.operatorAddress;
    const request =
      item.requestId === null ? undefined : await findRequestById(database.kysely, item.requestId);
    return request?.email || undefined;
  }

  async function attempt(item: OutboxItem): Promise<void> {
    const to = await addressOf(item);
    // Erased or removed since it was claimed: there is nobody left to tell.
    if (!to) return dropMessage(database, item.id);
    if (!item.message) return fail(item, { problem: "key is missing", permanent: true });
    const result = await mailer.send({
      ...services.writeMail(item.message),
      to,
      messageKey: item.messageKey,
      date: item.createdAt,
      label: [toFileTime(item.createdAt), item.kind, item.reference].filter(Boolean).join(" "),
    });
    if (result.kind === "failed") return fail(item, result);
    await database.write((transaction) =>
      settleMessage(transaction, item.id, result.kind, clock()),
    );
    log.info({ kind: item.kind, reference: item.reference, result: result.kind }, "mail");
  }

  async function fail(
    item: OutboxItem,
    failure: { problem: string; permanent: boolean },
  ): Promise<void> {
    const now = clock();
    const { problem, permanent } = failure;
    await database.write(async (transaction) => {
      const state = await failMessage(transaction, item, failure, now, random());
      const { kind, reference } = item;
      log.warn({ kind, reference, problem, permanent, state }, "mail failed");
      // A mistyped address is nothing that an operator could repair; the digest counts it.
      const mistyped = kind === "confirm" && permanent;
      if (state !== "needs-person" || item.recipient === "operators" || mistyped) return;
      const hour = now.toString({ smallestUnit: "minute" }).slice(0, 13);
      await addMessage(transaction, keys, now, {
        requestId: null,
        once: `trouble:${hour}`,
        message: {
          kind: "operator-trouble",
          troubled: (await listTroubled(transaction)).map(toTroubled),
        },
      });
    });
  }

  /** One bad item must not stop the others: whatever it throws counts as a failed attempt. */
  async function attemptSafely(item: OutboxItem): Promise<void> {
    try {
      await attempt(item);
    } catch (error) {
      log.warn(
        { kind: item.kind, reference: item.reference, error: nameOf(error) },
        "mail could not be prepared or entered",
      );
      // A store that cannot be written keeps the lease; the message is tried again after it.
      if (isStorageProblem(error)) return;
      await fail(item, { problem: "could not be written", permanent: false }).catch(() => {});
    }
  }

  async function fillUp(): Promise<void> {
    while (underWay.size < atOnce) {
      const items = await claimMessages(database, keys, clock(), atOnce - underWay.size);
      if (items.length === 0) return;
      for (const item of items) {
        const sending: Promise<void> = attemptSafely(item).finally(() => {
          underWay.delete(sending);
          if (started) wake();
        });
        underWay.add(sending);
      }
    }
  }

  function isClockTrusted(nowMs: number): boolean {
    const elapsed = elapsedMs();
    const ahead = nowMs - elapsed;
    if (Math.abs(ahead - clockAhead) > jumpMs) {
      trustedFrom = elapsed + trustAfterMs;
      log.warn(
        { byMs: Math.round(ahead - clockAhead) },
        "the clock jumped; nothing is erased for an hour",
      );
    }
    clockAhead = ahead;
    return elapsed >= trustedFrom;
  }

  async function runRound(): Promise<void> {
    try {
      const nowMs = clock().epochMilliseconds;
      // A clock that was set back must not delay the upkeep.
      if (lastUpkeepMs === undefined || Math.abs(nowMs - lastUpkeepMs) >= upkeepEveryMs) {
        lastUpkeepMs = nowMs;
        await services.upkeep.run(isClockTrusted(nowMs)).catch((error: unknown) => {
          log.warn({ error: nameOf(error) }, "the upkeep could not be done whole");
        });
      }
      await fillUp();
    } catch (error) {
      log.warn({ error: nameOf(error) }, "the outbox could not be read");
    }
  }

  function wake(): void {
    if (!started) return;
    if (round) {
      again = true;
      return;
    }
    timers.clearTimeout(timer);
    round = runRound().finally(() => {
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
    start(): void {
      started = true;
      wake();
    },

    /** Looks at once instead of soon. */
    wake,

    /** Takes nothing new and waits for what is being sent. */
    async stop(): Promise<void> {
      started = false;
      timers.clearTimeout(timer);
      await round;
      await Promise.all(underWay);
    },

    /** Everything that is due now, once, with the upkeep before and after. For tests and commands. */
    async runOnce(): Promise<void> {
      await services.upkeep.run();
      for (;;) {
        await fillUp();
        if (underWay.size === 0) {
          const next = await findNextDue(database.kysely);
          if (!next || Temporal.Instant.compare(next, clock()) > 0) break;
        }
        await Promise.all(underWay);
      }
      await services.upkeep.run();
    },
  };
}

function toFileTime(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: "second" }).replaceAll(":", "").replace("Z", "");
}

/** Names the kind of an error; its words may repeat what must not be logged. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
