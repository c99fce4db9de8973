import { type Database, isStorageProblem } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import type { Keys } from "../keys/keys.ts";
import {
  claimMessages,
  dropMessage,
  failMessage,
  findNextDue,
  type OutboxItem,
  settleMessage,
  unwritable,
} from "./outbox.ts";

/**
 * Sends what is in the outbox, each message by the deliverer of its channel. Several are under way at once, so that a
 * slow one does not hold the others; other processes may add to the outbox at any time.
 */
export type Delivery =
  | { kind: "delivered" }
  | { kind: "written" }
  /** Whoever it was for is gone; the message is dropped. */
  | { kind: "nobody" }
  /** A passing problem is worth another attempt, a permanent one is not. */
  | { kind: "failed"; problem: string; permanent: boolean };

export type Channel = {
  deliver(item: OutboxItem): Promise<Delivery>;
  /** What follows from a delivery, in the transaction that enters it. */
  onDelivered?(transaction: Write, item: OutboxItem, now: Temporal.Instant): Promise<void>;
};

export type WorkerLog = {
  warn(facts: Record<string, unknown>, message: string): void;
  info(facts: Record<string, unknown>, message: string): void;
};

export type OutboxWorker = ReturnType<typeof createOutboxWorker>;

const atOnce = 5;

export function createOutboxWorker(services: {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  /** By the name that a message was added with. */
  channels: Record<string, Channel>;
  /** What follows when a message waits for a person, in the transaction that enters it. */
  onStuck?: (
    transaction: Write,
    item: OutboxItem,
    failure: { problem: string; permanent: boolean },
    now: Temporal.Instant,
  ) => Promise<void>;
  log: WorkerLog;
  /** 0 to 1, for the jitter. */
  random?: () => number;
}) {
  const { database, keys, clock, log } = services;
  const random = services.random ?? Math.random;
  const underWay = new Set<Promise<void>>();

  async function attempt(item: OutboxItem): Promise<void> {
    const channel = services.channels[item.channel];
    if (!channel) return fail(item, { problem: "channel is missing", permanent: true });
    const result = await channel.deliver(item);
    if (result.kind === "failed") return fail(item, result);
    await database.write(async (transaction) => {
      if (result.kind === "nobody") return dropMessage(transaction, item.id);
      const now = clock();
      const known = await settleMessage(transaction, item.id, result.kind, now);
      if (known && result.kind === "delivered") {
        await channel.onDelivered?.(transaction, item, now);
      }
    });
    log.info({ kind: item.kind, reference: item.reference, result: result.kind }, "mail");
  }

  async function fail(
    item: OutboxItem,
    failure: { problem: string; permanent: boolean },
  ): Promise<void> {
    const state = await database.write(async (transaction) => {
      const now = clock();
      const state = await failMessage(transaction, item, failure, now, random());
      if (state === "needs-person") await services.onStuck?.(transaction, item, failure, now);
      return state;
    });
    const { kind, reference } = item;
    const { problem, permanent } = failure;
    log.warn({ kind, reference, problem, permanent, state }, "mail failed");
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
      // Words or facts that make no message make none the next time either: a person must look at once.
      await fail(item, { problem: unwritable, permanent: true }).catch(() => {});
    }
  }

  /** Begins to send what is due, as much as may be under way at once. */
  async function fillUp(onDone?: () => void): Promise<void> {
    while (underWay.size < atOnce) {
      const items = await claimMessages(database, keys, clock(), atOnce - underWay.size);
      if (items.length === 0) return;
      for (const item of items) {
        const sending: Promise<void> = attemptSafely(item).finally(() => {
          underWay.delete(sending);
          onDone?.();
        });
        underWay.add(sending);
      }
    }
  }

  async function finish(): Promise<void> {
    await Promise.all(underWay);
  }

  return {
    fillUp,

    /** Waits for what is being sent. */
    finish,

    /** Sends everything that is due now. */
    async sendAll(): Promise<void> {
      for (;;) {
        await fillUp();
        if (underWay.size === 0) {
          const next = await findNextDue(database.read);
          if (!next || Temporal.Instant.compare(next, clock()) > 0) return;
        }
        await finish();
      }
    },
  };
}

/** Names the kind of an error; its words may repeat what must not be logged. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error ? `${error.name} ${String(error.code)}` : error.name;
}
