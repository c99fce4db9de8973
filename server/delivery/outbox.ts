import { randomUUID } from "node:crypto";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import { doubtful, unanswered } from "../periods.ts";
import type { Keys } from "../platform/crypto/keys.ts";
import type { Database } from "../platform/database/database.ts";
import { unconfirmedRestore } from "../platform/database/restore-hold.ts";
import type { RowIn } from "../platform/database/rows.ts";
import type { Tables } from "../platform/database/schema.ts";
import {
  counting,
  deleting,
  finding,
  insertingOnce,
  listing,
  type Read,
  reading,
  updating,
  type Write,
  writing,
} from "../platform/database/statement.ts";
import { nextDelayMs, unansweredDelayMs } from "./schedule.ts";

/**
 * Transactional outbox: the transaction that causes a message also writes the message. Each attempt
 * to send a message holds a lease. `recipient` is the name of a channel. Only the channel's
 * deliverer knows the content and the addressee of a message.
 */
export type OutboxState =
  | "waiting"
  | "sending"
  | "delivered"
  | "written"
  | "needs-person"
  /**
   * Stored but not sent, because the cause may be undone, the mailbox has had too many emails, or
   * other messages were sent instead.
   */
  | "held-back"
  /** The mailbox rejected the message after an operator had reported the mailbox as closed. */
  | "bounced";

/** Content of a message, stored as sealed JSON. */
export type OutboxMessage = { kind: string; reference?: string };

export type OutboxRecord = RowIn<"outbox"> & { state: OutboxState };

const toRecord = (row: RowIn<"outbox">) => row as OutboxRecord;

export type OutboxItem = ReturnType<typeof toItem>;

function toItem(row: RowIn<"outbox">, keys: Keys) {
  const text = keys.unseal("outbox", row.payload);
  return {
    ...toRecord(row),
    /** Content of the message. `undefined` if the key that sealed it no longer exists. */
    message: (text === undefined ? undefined : JSON.parse(text)) as unknown,
    /** End of the lease. Identifies the attempt, because each later attempt has a later lease. */
    leaseUntil: row.leaseUntil ?? row.nextAt,
  };
}

/** Filter for messages that have failed and will be retried. */
const failing = { state: ["=", "waiting"], failures: [">", 0] } as const;
/** Filter for a channel's messages that need an operator. */
const troubled = { state: ["=", "needs-person"], recipient: "=" } as const;

/**
 * Duration of a lease in milliseconds, twice as long as the longest attempt. After a crash,
 * messages are retried once their leases expire.
 */
export const leaseMs = 2 * 60_000;

export type Writing = { transaction: Write; keys: Keys; now: Temporal.Instant };

/** Adds a message. Returns false if a message with the same `once` key already exists. */
export async function addMessage<Message extends OutboxMessage>(
  { transaction, keys, now }: Writing,
  entry: {
    recipient: string;
    message: Message;
    /** Id of the request that the message belongs to. Deleting the request deletes the message. */
    requestId: number | undefined;
    once?: string;
    /** Whether to store the message without sending it. */
    heldBack?: boolean;
    /** Earliest time to send the message. Until then, the message can be withdrawn. */
    notBefore?: Temporal.Instant;
    /**
     * Keyed hash of the network that caused the message. `undefined` if no visitor caused it.
     * Messages without a network are sent first.
     */
    lane?: string | undefined;
    /** Result of `nextTurn`, if the caller has already called it. */
    turn?: number | undefined;
  },
): Promise<boolean> {
  const { requestId, recipient, message, once, heldBack, lane } = entry;
  const turn = entry.turn ?? (await nextTurn(transaction, recipient, lane));
  return insertMessage(transaction, {
    requestId,
    recipient,
    once,
    kind: message.kind,
    reference: message.reference ?? "",
    payload: keys.seal("outbox", JSON.stringify(message)),
    messageKey: randomUUID(),
    state: heldBack ? "held-back" : "waiting",
    failures: 0,
    nextAt: entry.notBefore ?? now,
    lastProblem: "",
    createdAt: now,
    turn,
    lane: heldBack ? undefined : lane,
  });
}

const insertMessage = insertingOnce("outbox");

/**
 * Returns the turn of a network's next message (start-time fair queuing): after the network's last
 * message, and among the first messages of the other networks. A message therefore waits for only a
 * few messages of each other network, even if that network has queued thousands. Concurrent
 * messages of a network can get the same turn. A lock would prevent equal turns, but the network's
 * forms would then wait for each other's commits.
 * @param lane `undefined` for a message that no visitor caused
 */
export async function nextTurn(
  reader: Read,
  recipient: string,
  lane: string | undefined,
): Promise<number> {
  if (lane === undefined) return 0;
  const { leaving, first, last } = await turnsBefore(reader, { recipient, lane });
  return Math.max((leaving || first) ?? 1, (last ?? 0) + 1);
}

const turnsBefore = reading(
  (tables, { recipient, lane }: { recipient: string; lane: string }) =>
    tables.selectNoFrom((select) => {
      const inState = (state: OutboxState) =>
        select
          .selectFrom("outbox")
          .where("state", "=", sql.lit(state))
          .where("recipient", "=", recipient);
      return [
        inState("sending")
          .select(({ fn }) => fn.max<number | null>("turn").as("turn"))
          .as("leaving"),
        inState("waiting")
          .select(({ fn }) => fn.min<number | null>("turn").as("turn"))
          .where("turn", ">", sql.lit(0))
          .as("first"),
        select
          .selectFrom("outbox")
          .select(({ fn }) => fn.max<number | null>("turn").as("turn"))
          .where("lane", "=", lane)
          .as("last"),
      ];
    }),
  ([row]) => ({ leaving: row?.leaving, first: row?.first, last: row?.last }),
);

/** Checks whether a message with this `once` key was ever added. */
export const wasAdded = finding("outbox", { once: "=" }, () => true);

/**
 * `waiting`: the channel has due messages that are waiting. `leased`: it has messages with expired
 * leases.
 */
export type Due = { recipient: string; waiting: boolean; leased: boolean };

/**
 * Finds the channels that have due messages. Uses a single statement, because usually no message is
 * due. Returns no channels during the hold after a restore.
 */
export async function findDue(
  reader: Read,
  recipients: readonly string[],
  now: Temporal.Instant,
): Promise<Due[]> {
  const [first = "", second = "", third = ""] = recipients;
  const found = await dueOf(reader, { first, second, third, now });
  return recipients
    .map((recipient) => ({ recipient, ...found(recipient) }))
    .filter(({ waiting, leased }) => waiting || leased);
}

type Channels = { first: string; second: string; third: string };
const slots = ["first", "second", "third"] as const;

const dueOf = reading(
  (tables, values: Channels & { now: Temporal.Instant }) =>
    tables.selectNoFrom((select) => {
      const due = (state: "waiting" | "sending", at: "next_at" | "lease_until", slot: Slot) =>
        select
          .selectFrom("outbox")
          .select("recipient")
          .where("state", "=", sql.lit(state))
          .where("recipient", "=", values[slot])
          .where(at, "<=", values.now)
          .where((where) => where.not(where.exists(unconfirmedRestore(where))))
          .orderBy(at)
          .limit(1);
      return slots.flatMap((slot) => [
        due("waiting", "next_at", slot).as(`waiting_${slot}`),
        due("sending", "lease_until", slot).as(`leased_${slot}`),
      ]);
    }),
  ([row]) => {
    const found = Object.entries(row ?? {}) as [string, string | undefined][];
    return (recipient: string) => {
      const has = (start: string) =>
        found.some(([name, value]) => name.startsWith(start) && value === recipient);
      return { waiting: has("waiting"), leased: has("leased") };
    };
  },
);

type Slot = (typeof slots)[number];

/**
 * Leases up to `limit` due messages of a channel: first the messages with expired leases, then the
 * others by turn. Returns the messages in the order in which they were written. Claiming one
 * channel at a time keeps channels from blocking each other. If a crash loses the lease, the
 * message is sent again with the same Message-ID.
 */
export async function claimMessages(
  database: Database,
  keys: Keys,
  {
    at,
    recipient,
    limit,
    leasedMs = leaseMs,
    due,
  }: {
    at: Temporal.Instant;
    recipient: string;
    limit: number;
    leasedMs?: number;
    due?: Omit<Due, "recipient">;
  },
): Promise<OutboxItem[]> {
  const found = due ?? (await findDue(database.read, [recipient], at))[0];
  const lease = { recipient, now: at, until: at.add({ milliseconds: leasedMs }) };
  const rows: RowIn<"outbox">[] = [];
  for (const [isDue, take] of [
    [found?.leased, leaseAgain],
    [found?.waiting, leaseWaiting],
  ] as const) {
    const left = limit - rows.length;
    if (!isDue || left === 0) continue;
    rows.push(...(await database.change((single) => take(single, { ...lease, limit: left }))));
  }
  // RETURNING yields rows in any order.
  return rows.toSorted((a, b) => a.id - b.id).map((row) => toItem(row, keys));
}

type Lease = { recipient: string; now: Temporal.Instant; until: Temporal.Instant; limit: number };

// Selects the due messages in a CTE. PostgreSQL may rerun a plain subquery for each row that it
// examines. Each run would skip the rows already locked, and the statement would claim more rows
// than `limit`.
function leasing(
  choose: (due: ReturnType<typeof idsOf>, now: Temporal.Instant) => ReturnType<typeof idsOf>,
) {
  return writing(
    (tables, { recipient, now, until, limit }: Lease) =>
      tables
        .with("due", (select) =>
          choose(idsOf(select, recipient), now).limit(limit).forUpdate().skipLocked(),
        )
        .updateTable("outbox")
        .set({ state: "sending", lease_until: until, lane: null })
        .where("id", "in", (select) => select.selectFrom("due").select("id"))
        .returningAll(),
    (rows) => rows,
  );
}

function idsOf(tables: Pick<Kysely<Tables>, "selectFrom">, recipient: string) {
  return tables.selectFrom("outbox").select("id").where("recipient", "=", recipient);
}

const leaseWaiting = leasing((due, now) =>
  due
    .where("state", "=", sql.lit("waiting"))
    // The index on `turn` also contains `next_at`, so the database can filter rows while it reads
    // them in order. With an index on `next_at`, it would have to find and sort nearly all
    // messages.
    .where("next_at", "<=", now)
    .orderBy("turn")
    .orderBy("id"),
);

const leaseAgain = leasing((due, now) =>
  due
    .where("state", "=", sql.lit("sending"))
    .where("lease_until", "<=", now)
    .orderBy("lease_until"),
);

/**
 * Finds the earliest time at which `claimMessages` can claim a message of a channel. Returns
 * `undefined` if the channel has no unsent messages.
 */
async function findNextDue(
  database: Read,
  recipient: string,
): Promise<Temporal.Instant | undefined> {
  const [waiting] = await firstWaiting(database, { recipient, limit: 1 });
  const [leased] = await firstLeased(database, { recipient, limit: 1 });
  return earliest([waiting?.nextAt, leased?.leaseUntil]);
}

const firstWaiting = listing("outbox", { state: ["=", "waiting"], recipient: "=" }, ["nextAt"]);

const firstLeased = listing("outbox", { state: ["=", "sending"], recipient: "=" }, ["leaseUntil"]);

function earliest(instants: readonly (Temporal.Instant | undefined)[]) {
  return instants.filter((at) => at !== undefined).sort(Temporal.Instant.compare)[0];
}

type Settled = Extract<OutboxState, "delivered" | "written" | "held-back">;

const settle = (tables: Updating, state: Settled, now: Temporal.Instant) =>
  tables.updateTable("outbox").set({
    state,
    payload: "",
    lease_until: null,
    last_problem: "",
    settled_at: now,
  });

/** Settles a message and deletes its content. Changes no row if the message has been deleted. */
export const settleMessage = writing(
  (tables, to: { id: number; state: Settled; now: Temporal.Instant }) =>
    settle(tables, to.state, to.now).where("id", "=", to.id),
);

/** Marks a message as bounced and stores the reason. A bounced message needs no operator. */
export const recordBounce = writing(
  (tables, { id, problem, now }: { id: number; problem: string; now: Temporal.Instant }) =>
    tables
      .updateTable("outbox")
      .set({
        state: "bounced",
        payload: "",
        lease_until: null,
        last_problem: problem,
        settled_at: now,
      })
      .where("id", "=", id),
);

export const findOwed = finding("outbox", { messageKey: "=", recipient: "=" }, ({ id }) => id);

/**
 * Marks all of a request's messages in a channel as delivered, because the recipient has answered.
 * Marks a message of the kind `by.unsent` only while the message is being sent.
 */
export const settleOwned = writing(
  (tables, by: { recipient: string; requestId: number; now: Temporal.Instant; unsent: string }) =>
    settle(tables, "delivered", by.now)
      .where("request_id", "=", by.requestId)
      .where("recipient", "=", by.recipient)
      .where((where) => where.or([where("kind", "<>", by.unsent), where("state", "=", "sending")]))
      .where("settled_at", "is", null),
);

export type Failure = {
  problem: string;
  permanent: boolean;
  /** Earliest time for a retry, if the recipient requested one. */
  notBefore?: Temporal.Instant | undefined;
  /** Whether the whole channel failed, not only this message. */
  isChannelWide?: boolean;
};

/**
 * Records a failed attempt. Schedules a retry or, if the problem is permanent or the last retry
 * failed, marks the message as needing an operator. Returns "gone" if a later attempt holds the
 * lease or the message has been deleted.
 */
export async function failMessage(
  transaction: Write,
  item: Pick<OutboxItem, "id" | "failures" | "leaseUntil">,
  failure: Failure,
  { now, random }: { now: Temporal.Instant; random: number },
): Promise<"waiting" | "needs-person" | "gone"> {
  const { problem, permanent } = failure;
  const later = now.add({ milliseconds: unansweredDelayMs });
  const notBefore = problem === unanswered ? later : failure.notBefore;
  const failures = item.failures + 1;
  const delayMs = permanent ? undefined : nextDelayMs(failures, random);
  const state = delayMs === undefined ? "needs-person" : "waiting";
  const planned = now.add({ milliseconds: delayMs ?? 0 });
  const nextAt =
    notBefore && Temporal.Instant.compare(notBefore, planned) > 0 ? notBefore : planned;
  const { id, leaseUntil } = item;
  const changed = await fail(transaction, { id, leaseUntil, state, failures, nextAt, problem });
  return changed > 0 ? state : "gone";
}

type Failed = { state: OutboxState; failures: number; nextAt: Temporal.Instant; problem: string };

const fail = writing((tables, to: Failed & { id: number; leaseUntil: Temporal.Instant }) =>
  tables
    .updateTable("outbox")
    .set({
      state: to.state,
      failures: to.failures,
      lease_until: null,
      next_at: to.nextAt,
      last_problem: to.problem,
    })
    .where("id", "=", to.id)
    .where("state", "=", "sending")
    .where("lease_until", "=", to.leaseUntil),
);

/**
 * Postpones a message that must not leave now, unless a later attempt holds the lease. The message
 * keeps its number of failures but no longer counts as failing.
 */
export const postponeMessage = writing(
  (tables, to: { id: number; leaseUntil: Temporal.Instant; until: Temporal.Instant }) =>
    tables
      .updateTable("outbox")
      .set({ state: "waiting", lease_until: null, next_at: to.until, last_problem: "" })
      .where("id", "=", to.id)
      .where("state", "=", sql.lit("sending"))
      .where("lease_until", "=", to.leaseUntil),
);

/**
 * Makes failed messages due right away, whether they need an operator or are waiting for a retry.
 * Resets their failure counts. Returns the request id of each message.
 */
export async function retryMessages(
  transaction: Write,
  recipients: readonly string[],
  now: Temporal.Instant,
  requestId?: number,
): Promise<(number | undefined)[]> {
  const owners = await Array.fromAsync(recipients, async (recipient) => {
    const of = { recipient, now };
    if (requestId !== undefined) return retryOwned(transaction, { ...of, requestId });
    const troubled = await retryTroubled(transaction, of);
    return [...troubled, ...(await retryWaiting(transaction, of))];
  });
  return owners.flat();
}

type Updating = Pick<Kysely<Tables>, "updateTable">;
type Again = { recipient: string; now: Temporal.Instant };

const sendAgain = (tables: Updating, { recipient, now }: Again) =>
  tables
    .updateTable("outbox")
    .set({ state: "waiting", failures: 0, next_at: now })
    .where("recipient", "=", recipient)
    .returning("request_id");

const toOwners = (rows: readonly { requestId: number | undefined }[]) =>
  rows.map(({ requestId }) => requestId);

const retryTroubled = writing(
  (tables, of: Again) => sendAgain(tables, of).where("state", "=", sql.lit("needs-person")),
  (rows) => toOwners(rows),
);

const retryWaiting = writing(
  (tables, of: Again) =>
    sendAgain(tables, of)
      .where("state", "=", sql.lit("waiting"))
      .where("failures", ">", sql.lit(0))
      .where("next_at", ">", of.now),
  (rows) => toOwners(rows),
);

const retryOwned = writing(
  (tables, of: Again & { requestId: number }) =>
    sendAgain(tables, of)
      .where("request_id", "=", of.requestId)
      // Skips messages that have never failed, because they are scheduled for a later time on
      // purpose.
      .where((where) =>
        where.or([
          where("state", "=", "needs-person"),
          where.and([where("state", "=", "waiting"), where("failures", ">", 0)]),
        ]),
      ),
  (rows) => toOwners(rows),
);

/**
 * Marks all unsent messages as needing an operator after a restore, because they may have been sent
 * since the backup. Returns the number of messages.
 */
export async function markUnsentDoubtful(transaction: Write): Promise<number> {
  return (await doubtAll.waiting(transaction)) + (await doubtAll.sending(transaction));
}

const doubt = (tables: Updating, state: "waiting" | "sending") =>
  tables
    .updateTable("outbox")
    .set({ state: "needs-person", lease_until: null, last_problem: doubtful, lane: null })
    .where("state", "=", sql.lit(state));

const doubtAll = {
  waiting: writing((tables) => doubt(tables, "waiting")),
  sending: writing((tables) => doubt(tables, "sending")),
};

/**
 * Marks a request's waiting messages of one kind as needing an operator, because their causes date
 * from before the restore.
 */
export const markDoubtful = writing(
  (tables, of: { recipient: string; requestId: number; kind: string }) =>
    doubt(tables, "waiting")
      .where("request_id", "=", of.requestId)
      .where("recipient", "=", of.recipient)
      .where("kind", "=", of.kind),
);

/**
 * Lists a request's unsent messages of two kinds that were created after `since`, whether or not
 * they have been tried.
 */
export const listUnsent = reading(
  (
    tables,
    {
      requestId,
      kind,
      otherKind,
      since,
    }: Record<"kind" | "otherKind", string> & {
      requestId: number;
      since: Temporal.Instant;
    },
  ) =>
    tables
      .selectFrom("outbox")
      .select(["state", "last_problem"])
      .where("request_id", "=", requestId)
      .where("kind", "in", [kind, otherKind])
      .where("state", "in", ["waiting", "sending", "needs-person"])
      .where("created_at", ">", since),
);

/**
 * Retries a channel's failed messages right away, because the channel has just sent another
 * message. Skips messages that may have arrived.
 */
export const wakeMessages = updating("outbox", ["nextAt"], {
  ...failing,
  recipient: "=",
  nextAt: ">",
  lastProblem: ["<>", unanswered],
});

/**
 * Deletes a channel's unsent messages about a request, because a later message replaces them. A
 * message that is being sent counts as sent.
 */
export async function replaceUnsent(
  transaction: Write,
  recipient: string,
  requestId: number,
  now: Temporal.Instant,
): Promise<void> {
  await dropUnsentOf(transaction, { recipient, requestId });
  await settleOwned(transaction, { recipient, requestId, now, unsent: "" });
}

const unsent = { requestId: "=", state: ["in", ["waiting", "needs-person"]] } as const;

const dropUnsentOf = deleting("outbox", { ...unsent, recipient: "=" });

/**
 * Deletes a request's unsent messages, because a later message makes them obsolete. Returns the
 * number of deleted messages.
 */
export const dropUnsentMessages = deleting("outbox", unsent);

/** Holds back a message while its cause can be undone, or releases it. */
export const changeMessageState = updating("outbox", ["state"], { id: "=", recipient: "=" });

export const dropUnsentKind = deleting("outbox", { ...unsent, kind: "=" });

export const delayMessages = updating("outbox", ["nextAt"], {
  requestId: "=",
  kind: "=",
  state: ["=", "waiting"],
  nextAt: "<",
});

export const dropMessage = deleting("outbox", { id: "=" });

/** Deletes all of a request's messages. Returns their keys and leases. */
export const deleteMessagesOf = writing(
  (tables, { requestId }: { requestId: number }) =>
    tables
      .deleteFrom("outbox")
      .where("request_id", "=", requestId)
      .returning(["message_key", "lease_until"]),
  (rows) => rows,
);

/** Problem of a message that can't be rendered. Used in every channel. */
export const unwritable = "could not be written";

/**
 * Finds the oldest overdue or failing message in these channels. `since` is when that message
 * became due or, if it has failed, when it was created. `unwritable` is true if any message can't
 * be rendered.
 */
export async function findUnsent(
  database: Read,
  recipients: readonly string[],
  now: Temporal.Instant,
): Promise<{ since: Temporal.Instant | undefined; unwritable: boolean }> {
  const found: (Temporal.Instant | undefined)[] = [];
  let isStuck = false;
  for (const recipient of recipients) {
    found.push(await findNextDue(database, recipient));
    const [failing] = await firstFailing(database, { limit: 1, recipient });
    found.push(failing?.createdAt);
    isStuck ||= (await findUnwritable(database, { recipient })) !== undefined;
  }
  // Ignores messages that can still be withdrawn, are scheduled for the morning, or are being sent
  // right now.
  const before = now.subtract({ minutes: 1 });
  const due = found.filter((at) => at && Temporal.Instant.compare(at, before) <= 0);
  return { since: earliest(due), unwritable: isStuck };
}

const findUnwritable = finding("outbox", { ...troubled, lastProblem: ["=", unwritable] });

/** Lists the oldest messages in these channels that have failed and will be retried. */
export async function listFailing(
  database: Read,
  limit: number,
  recipients: readonly string[],
): Promise<OutboxRecord[]> {
  const found = await Array.fromAsync(recipients, (recipient) =>
    firstFailing(database, { limit, recipient }),
  );
  return found
    .flat()
    .sort((a, b) => Temporal.Instant.compare(a.createdAt, b.createdAt))
    .slice(0, limit);
}

const firstFailing = listing(
  "outbox",
  { ...failing, recipient: "=", lastProblem: ["<>", ""] },
  ["createdAt"],
  toRecord,
);

/** Lists the oldest messages in these channels that need an operator, and counts all of them. */
export async function listTroubled(
  database: Read,
  limit: number,
  recipients: readonly string[],
): Promise<{ first: OutboxRecord[]; count: number }> {
  const found: OutboxRecord[] = [];
  let count = 0;
  for (const recipient of recipients) {
    const first = await firstTroubled(database, { limit, recipient });
    found.push(...first);
    count += first.length < limit ? first.length : await countTroubled(database, { recipient });
  }
  return { first: found.sort((a, b) => a.id - b.id).slice(0, limit), count };
}

const firstTroubled = listing("outbox", troubled, ["id"], toRecord);

const countTroubled = counting("outbox", troubled);

/** Builds a subquery for messages that need an operator, to be used in statements on `requests`. */
export const troubledOfRequest = (row: Pick<ExpressionBuilder<Tables, "requests">, "selectFrom">) =>
  row
    .selectFrom("outbox")
    .select("outbox.id")
    .whereRef("outbox.request_id", "=", "requests.id")
    .where("outbox.state", "=", sql.lit("needs-person"))
    .limit(1);

/** Lists a request's messages, oldest first. */
export const listMessages = reading(
  (tables, { requestId }: { requestId: number }) =>
    tables.selectFrom("outbox").selectAll().where("request_id", "=", requestId).orderBy("id"),
  (rows) => rows.map(toRecord),
);
