import { type Database, isStorageProblem } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { nameOfError } from "../database/trouble.ts";
import type { Keys } from "../keys/keys.ts";
import {
  claimMessages,
  dropMessage,
  enterBounce,
  type Failure,
  failMessage,
  leaseMs,
  type OutboxItem,
  settleMessage,
  unwritable,
  wakeMessages,
} from "./outbox.ts";

/**
 * Sends what is in the outbox, each message by the deliverer of its channel. Several of each channel are under way at
 * once, so that a slow one does not hold the others and a slow channel holds no other; other processes may add to the
 * outbox at any time.
 */
export type Delivery =
  | ({ kind: "delivered" | "written" } & Follows)
  /** Whoever it was for is gone; the message is dropped. */
  | { kind: "nobody" }
  /** The mailbox refused it, as someone said it would; the message stays with the reason. */
  | { kind: "bounced"; problem: string }
  /** Other messages were written in its place, and will leave. */
  | { kind: "passed-on" }
  /** A passing problem is worth another attempt, a permanent one is not. */
  | ({ kind: "failed" } & Failure & Follows);

/** `enter` stores what follows from the attempt, in the transaction that stores its result. */
type Follows = {
  enter?: ((transaction: Write, now: Temporal.Instant) => Promise<unknown>) | undefined;
};

export type Channel = {
  deliver(item: OutboxItem): Promise<Delivery>;
};

export type WorkerLog = {
  warn(facts: Record<string, unknown>, message: string): void;
  info(facts: Record<string, unknown>, message: string): void;
};

export type OutboxWorker = ReturnType<typeof createOutboxWorker>;

/** So many of a channel may be under way at once. */
const atOnce = 5;

type Services = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  /** By the recipient that a message was added with. */
  channels: Record<string, Channel>;
  /** What follows when a message waits for a person, in the transaction that enters it. */
  onStuck?: (
    transaction: Write,
    item: OutboxItem,
    failure: Failure,
    now: Temporal.Instant,
  ) => Promise<void>;
  log: WorkerLog;
  /** 0 to 1, for the jitter. */
  random?: () => number;
};

type Sending = Services & {
  /** Channels of which nobody knows that something can leave: the first success there wakes what waits. */
  inDoubt: Set<string>;
};

export function createOutboxWorker(services: Services) {
  const { database, keys, clock } = services;
  const channels = Object.keys(services.channels);
  const underWay = new Map(channels.map((name) => [name, new Set<Promise<void>>()]));
  const sending: Sending = { ...services, inDoubt: new Set(channels) };

  /**
   * Begins to send what is due, as much as may be under way at once. Returns how many were begun.
   * @param goesOn false once nothing new is to be taken
   */
  async function fillUp(onDone?: () => void, goesOn = () => true): Promise<number> {
    let begun = 0;
    for (const [name, channel] of Object.entries(services.channels)) {
      const sendings = underWay.get(name) ?? new Set();
      while (sendings.size < atOnce && goesOn()) {
        const room = atOnce - sendings.size;
        const items = await claimMessages(database, keys, clock(), name, room);
        if (items.length === 0) break;
        begun += items.length;
        sendLot(items, channel, sendings, sending, onDone);
      }
    }
    return begun;
  }

  async function finish(): Promise<void> {
    await Promise.all([...underWay.values()].flatMap((sendings) => [...sendings]));
  }

  return {
    fillUp,

    /** Waits for what is being sent. */
    finish,

    /** Sends everything that is due now and may leave. */
    async sendAll(): Promise<void> {
      for (;;) {
        const begun = await fillUp();
        const isIdle = [...underWay.values()].every((sendings) => sendings.size === 0);
        if (begun === 0 && isIdle) return;
        await finish();
      }
    },
  };
}

/**
 * Sends a lot, what belongs to one request in the order in which it was written: after an outage a mail must not come
 * before the one that it follows.
 */
function sendLot(
  items: readonly OutboxItem[],
  channel: Channel,
  sendings: Set<Promise<void>>,
  sending: Sending,
  onDone?: () => void,
): void {
  const { clock } = sending;
  const lastOf = new Map<number | undefined, Promise<void>>();
  for (const item of items) {
    const before = item.requestId === undefined ? undefined : lastOf.get(item.requestId);
    const attempted = before
      ? before.then(() => {
          // One that began late would outlast its lease, and leave twice. It is leased again instead.
          const latest = item.leaseUntil.subtract({ milliseconds: leaseMs / 2 });
          if (Temporal.Instant.compare(clock(), latest) > 0) return;
          return attemptSafely(item, channel, sending);
        })
      : attemptSafely(item, channel, sending);
    lastOf.set(item.requestId, attempted);
    const isOver: Promise<void> = attempted.finally(() => {
      sendings.delete(isOver);
      onDone?.();
    });
    sendings.add(isOver);
  }
}

/** One bad item must not stop the others: whatever it throws counts as a failed attempt. */
async function attemptSafely(item: OutboxItem, channel: Channel, sending: Sending): Promise<void> {
  try {
    await attempt(item, channel, sending);
  } catch (error) {
    sending.log.warn(
      { kind: item.kind, reference: item.reference, error: nameOfError(error) },
      "message could not be prepared or entered",
    );
    // A store that cannot be written keeps the lease; the message is tried again after it.
    if (isStorageProblem(error)) return;
    // Words or facts that make no message make none the next time either: a person must look at once.
    await fail(item, { problem: unwritable, permanent: true }, sending).catch(() => {});
  }
}

async function attempt(item: OutboxItem, channel: Channel, sending: Sending): Promise<void> {
  const { database, clock, log, inDoubt } = sending;
  const result = await channel.deliver(item);
  if (result.kind === "failed") {
    if (result.wide) inDoubt.add(item.recipient);
    return fail(item, result, sending);
  }
  await database.write(async (transaction) => {
    const { id, recipient } = item;
    if (result.kind === "nobody") {
      await dropMessage(transaction, { id });
      return;
    }
    const now = clock();
    if (result.kind === "bounced") {
      await enterBounce(transaction, { id, problem: result.problem, now });
      return;
    }
    // Nothing has left yet, so nothing is known of the channel either.
    if (result.kind === "passed-on") {
      await settleMessage(transaction, { id, state: "held-back", now });
      return;
    }
    const known = await settleMessage(transaction, { id, state: result.kind, now });
    if (inDoubt.has(recipient)) await wakeMessages(transaction, { recipient, nextAt: now });
    if (known) await result.enter?.(transaction, now);
  });
  if (result.kind !== "nobody") inDoubt.delete(item.recipient);
  log.info({ kind: item.kind, reference: item.reference, result: result.kind }, "message");
}

async function fail(item: OutboxItem, failure: Failure & Follows, sending: Sending): Promise<void> {
  const { database, clock, log, random = Math.random } = sending;
  const state = await database.write(async (transaction) => {
    const now = clock();
    const state = await failMessage(transaction, item, failure, now, random());
    if (state === "needs-person") {
      await failure.enter?.(transaction, now);
      await sending.onStuck?.(transaction, item, failure, now);
    }
    return state;
  });
  const { kind, reference } = item;
  const { problem, permanent } = failure;
  log.warn({ kind, reference, problem, permanent, state }, "message failed");
}
