import type { Keys } from "../platform/crypto/keys.ts";
import { type Database, isStorageProblem } from "../platform/database/database.ts";
import type { Write } from "../platform/database/statement.ts";
import { errorName } from "../platform/database/storage-errors.ts";
import {
  claimMessages,
  dropMessage,
  type Failure,
  failMessage,
  findDue,
  leaseMs,
  type OutboxItem,
  postponeMessage,
  recordBounce,
  settleMessage,
  unwritable,
  wakeMessages,
} from "./outbox.ts";

/** Result of an attempt to send a message. */
export type Delivery =
  | ({ kind: "delivered" | "written" } & Follows)
  /**
   * No addressee is left or wants the message, or the message is obsolete, so the worker deletes
   * it.
   */
  | { kind: "no-recipient" }
  /**
   * The mailbox rejected the message after an operator had reported the mailbox as closed. The
   * worker stores the reason.
   */
  | { kind: "bounced"; problem: string }
  /** Other messages are sent instead of this one. */
  | { kind: "passed-on" }
  /** The message must not leave before `until`. This doesn't count as an attempt. */
  | { kind: "postponed"; until: Temporal.Instant }
  /** The worker retries after a temporary problem, but not after a permanent problem. */
  | ({ kind: "failed" } & Failure & Follows);

/**
 * `enter` stores the consequences of a success, or of a failure after which the message needs an
 * operator, in the same transaction as the attempt's result.
 */
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

/** Maximum number of parallel attempts per channel. */
const atOnce = 5;

type WorkerServices = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  /** Channels, keyed by the `recipient` of their messages. */
  channels: Record<string, Channel>;
  /**
   * Stores the consequences when a message needs an operator. Runs in the transaction that stores
   * the message's new state.
   */
  onStuck?: (
    transaction: Write,
    item: OutboxItem,
    failure: Failure,
    now: Temporal.Instant,
  ) => Promise<void>;
  log: WorkerLog;
  /** Returns a random number from 0 to 1, for the jitter. */
  random?: () => number;
};

type Sending = WorkerServices & {
  /**
   * Channels that may be down. The first success in a channel triggers a retry of its failed
   * messages.
   */
  inDoubt: Set<string>;
};

/**
 * Creates a worker that sends the messages in the outbox. Each channel sends several messages in
 * parallel so that no slow message or channel delays the rest. Other processes may add messages at
 * any time.
 */
export function createOutboxWorker(services: WorkerServices) {
  const { database, keys, clock } = services;
  const channels = Object.keys(services.channels);
  const inProgress = new Map(channels.map((name) => [name, new Set<Promise<void>>()]));
  const sending: Sending = { ...services, inDoubt: new Set(channels) };
  const inProgressIn = (name: string) => inProgress.get(name) ?? new Set<Promise<void>>();
  const freeSlotsOf = (name: string) => atOnce - inProgressIn(name).size;
  /**
   * Ids of the messages that this process is sending. Their leases seem to expire if the clock jumps
   * or the machine sleeps, but a second attempt would send the message twice.
   */
  const inFlight = new Set<number>();
  /** Channels that may have more due messages than `fillUp` could start. */
  const crowded = new Set<string>();

  /**
   * Starts sending due messages, up to each channel's limit of parallel attempts. Returns the
   * number of messages started.
   * @param onMoreDue called after an attempt if more messages may be due now
   * @param isRunning returns false once the worker is stopping
   */
  async function fillUp(onMoreDue?: () => void, isRunning = () => true): Promise<number> {
    let started = 0;
    const free = channels.filter((name) => freeSlotsOf(name) > 0);
    for (const name of channels) {
      if (free.includes(name)) crowded.delete(name);
      else crowded.add(name);
    }
    if (free.length === 0 || !isRunning()) return started;
    for (const due of await findDue(database.read, free, clock())) {
      const { recipient } = due;
      const channel = services.channels[recipient];
      let isMoreDue = true;
      while (channel && isMoreDue && freeSlotsOf(recipient) > 0 && isRunning()) {
        const limit = freeSlotsOf(recipient);
        const items = await claimMessages(database, keys, { at: clock(), recipient, limit, due });
        isMoreDue = items.length === limit;
        started += items.length;
        const onDone = ({ mayCauseMore }: Attempted) => {
          if (mayCauseMore || crowded.has(recipient)) onMoreDue?.();
        };
        const fresh = items.filter(({ id }) => !inFlight.has(id));
        const sendings = inProgressIn(recipient);
        sendBatch(fresh, channel, { sendings, inFlight, sending, onDone });
      }
      if (isMoreDue) crowded.add(recipient);
    }
    return started;
  }

  async function finish(): Promise<void> {
    await Promise.all([...inProgress.values()].flatMap((sendings) => [...sendings]));
  }

  return {
    fillUp,

    /** Waits until the attempts in progress have finished. */
    finish,

    async sendAll(): Promise<void> {
      for (;;) {
        const started = await fillUp();
        const isIdle = [...inProgress.values()].every((sendings) => sendings.size === 0);
        if (started === 0 && isIdle) return;
        await finish();
      }
    },
  };
}

/** `mayCauseMore` is true if the attempt may have added messages or made messages due. */
type Attempted = { mayCauseMore: boolean };

/**
 * Sends a batch of messages. Sends a request's messages in the order in which they were written.
 * Otherwise, a later email could overtake an earlier one after an outage.
 */
function sendBatch(
  items: readonly OutboxItem[],
  channel: Channel,
  {
    sendings,
    inFlight,
    sending,
    onDone,
  }: {
    sendings: Set<Promise<void>>;
    inFlight: Set<number>;
    sending: Sending;
    onDone: (attempted: Attempted) => void;
  },
): void {
  const { clock } = sending;
  const lastOf = new Map<number | undefined, Promise<Attempted>>();
  for (const item of items) {
    const before = item.requestId === undefined ? undefined : lastOf.get(item.requestId);
    const attempted = before
      ? before.then(() => {
          // Skips the message until it is leased again. An attempt that starts this late could
          // outlast its lease, and the email would be sent twice.
          const latest = item.leaseUntil.subtract({ milliseconds: leaseMs / 2 });
          if (Temporal.Instant.compare(clock(), latest) > 0) return { mayCauseMore: true };
          return attemptSafely(item, channel, sending);
        })
      : attemptSafely(item, channel, sending);
    lastOf.set(item.requestId, attempted);
    inFlight.add(item.id);
    const isOver: Promise<void> = attempted.then((result) => {
      sendings.delete(isOver);
      inFlight.delete(item.id);
      onDone(result);
    });
    sendings.add(isOver);
  }
}

/**
 * Attempts to send a message. An exception counts as a failed attempt so that a broken message
 * can't stop the others.
 */
async function attemptSafely(
  item: OutboxItem,
  channel: Channel,
  sending: Sending,
): Promise<Attempted> {
  try {
    return await attempt(item, channel, sending);
  } catch (error) {
    sending.log.warn(
      { kind: item.kind, reference: item.reference, error: errorName(error) },
      "message could not be rendered or stored",
    );
    // If the database can't be written, the message is retried once its lease ends.
    if (!isStorageProblem(error)) {
      // Rendering would fail again, so the message needs an operator.
      await fail(item, { problem: unwritable, permanent: true }, sending).catch(() => {});
    }
    return { mayCauseMore: true };
  }
}

async function attempt(item: OutboxItem, channel: Channel, sending: Sending): Promise<Attempted> {
  const { database, clock, log, inDoubt } = sending;
  const result = await channel.deliver(item);
  if (result.kind === "failed") {
    if (result.isChannelWide) inDoubt.add(item.recipient);
    await fail(item, result, sending);
    return { mayCauseMore: true };
  }
  const { id, leaseUntil } = item;
  if (result.kind === "postponed") {
    const { until } = result;
    await database.change((single) => postponeMessage(single, { id, leaseUntil, until }));
    return { mayCauseMore: false };
  }
  const isPlain =
    (result.kind === "delivered" || result.kind === "written") &&
    !result.enter &&
    !inDoubt.has(item.recipient);
  if (isPlain) {
    await database.change((single) =>
      settleMessage(single, { id, state: result.kind, now: clock() }),
    );
    log.info({ kind: item.kind, reference: item.reference, result: result.kind }, "message");
    return { mayCauseMore: false };
  }
  const { recipient } = item;
  // Neither a dropped nor a passed-on message shows that the channel is up again.
  const isUp = result.kind !== "no-recipient" && result.kind !== "passed-on";
  await database.write(async (transaction) => {
    const now = clock();
    if (isUp && inDoubt.has(recipient)) await wakeMessages(transaction, { recipient, nextAt: now });
    if (result.kind === "no-recipient") {
      await dropMessage(transaction, { id });
    } else if (result.kind === "bounced") {
      await recordBounce(transaction, { id, problem: result.problem, now });
    } else if (result.kind === "passed-on") {
      await settleMessage(transaction, { id, state: "held-back", now });
    } else {
      const known = await settleMessage(transaction, { id, state: result.kind, now });
      if (known) await result.enter?.(transaction, now);
    }
  });
  if (isUp) inDoubt.delete(recipient);
  log.info({ kind: item.kind, reference: item.reference, result: result.kind }, "message");
  return { mayCauseMore: true };
}

async function fail(item: OutboxItem, failure: Failure & Follows, sending: Sending): Promise<void> {
  const { database, clock, log, random = Math.random } = sending;
  const state = await database.write(async (transaction) => {
    const now = clock();
    const state = await failMessage(transaction, item, failure, { now, random: random() });
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
