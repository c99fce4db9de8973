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
 * Outbox. The transaction that causes a message also writes it. A lease covers one attempt at a
 * time. In the end, a message is delivered, written to a file (if there is no mail server), or left
 * to an operator. `recipient` is the name of a channel, and only that channel's deliverer knows the
 * content and the addressee. `owner` is a request's id.
 */
export type OutboxState =
  | "waiting"
  | "sending"
  | "delivered"
  | "written"
  | "needs-person"
  /** Won't be sent, at least for now. */
  | "held-back"
  /**
   * The mailbox rejected the message, as expected, because an operator had reported the mailbox as
   * closed.
   */
  | "bounced";

/** Content of a message, stored as sealed JSON. */
export type OutboxMessage = { kind: string; reference?: string };

export type OutboxRecord = RowIn<"outbox"> & { state: OutboxState };

const toRecord = (row: RowIn<"outbox">) => row as OutboxRecord;

/** A message leased for an attempt. */
export type OutboxItem = ReturnType<typeof toItem>;

function toItem(row: RowIn<"outbox">, keys: Keys) {
  const text = keys.unseal("outbox", row.payload);
  return {
    ...toRecord(row),
    /** The message's content when it was added. Undefined if the key that sealed it is gone. */
    message: (text === undefined ? undefined : JSON.parse(text)) as unknown,
    /** When the lease ends. Identifies the attempt, because any later attempt has a later lease. */
    leaseUntil: row.leaseUntil ?? row.nextAt,
  };
}

/** Selects messages that have failed and will be retried. */
const failing = { state: ["=", "waiting"], failures: [">", 0] } as const;
/** Selects a channel's messages that need an operator. */
const troubled = { state: ["=", "needs-person"], recipient: "=" } as const;

/**
 * Duration of a lease in milliseconds: twice the longest attempt. If a process is killed, its
 * messages are retried once their leases end.
 */
export const leaseMs = 2 * 60_000;

/** A transaction that writes messages, with the current time and the keys that seal them. */
export type Writing = { transaction: Write; keys: Keys; now: Temporal.Instant };

/** Adds a message. Returns false if a message with the same `once` key already exists. */
export async function addMessage<Message extends OutboxMessage>(
  { transaction, keys, now }: Writing,
  entry: {
    recipient: string;
    message: Message;
    /** Id of the request whose deletion also deletes the message. Undefined if there is none. */
    requestId: number | undefined;
    once?: string;
    /** Whether to store the message without sending it. */
    heldBack?: boolean;
    /** Earliest time to send the message. Until then, the message can be withdrawn. */
    notBefore?: Temporal.Instant;
    /**
     * Keyed hash of the network that caused the message. A message without one wasn't caused by a
     * visitor, and is sent first.
     */
    lane?: string | undefined;
    /** The message's turn, if the caller has already read it (`nextTurn`). */
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
 * Returns the turn of a network's next message: after the network's own last message, among the
 * first messages of other networks (start-time fair queuing). However many messages one network
 * queues, another network's message waits for at most a few messages of each network. It may be
 * more than one because concurrent messages of a network can get the same turn: a lock would make
 * the network's forms wait for each other's commits.
 * @param lane undefined for a message that no visitor caused
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

/** Whether a message with this `once` key was ever added. */
export const wasAdded = finding("outbox", { once: "=" }, () => true);

/**
 * Which of a channel's messages are due: waiting messages, and messages whose leases have ended.
 */
export type Due = { recipient: string; waiting: boolean; leased: boolean };

/**
 * Finds the channels that have due messages, in one statement, because usually no message is due.
 * Returns none during the hold after a restore.
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
 * Leases up to `limit` due messages of a channel: first those with expired leases, then by turn.
 * Returns them in the order in which they were written. Claims one channel at a time, so that no
 * channel blocks another. If a crash undoes the lease, the message is sent again under its
 * Message-ID.
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
  // Sorts the rows, because RETURNING yields them in any order.
  return rows.toSorted((one, other) => one.id - other.id).map((row) => toItem(row, keys));
}

type Lease = { recipient: string; now: Temporal.Instant; until: Temporal.Instant; limit: number };

// Claims due messages, which a CTE selects. PostgreSQL may run a plain subquery again for each row
// that it examines, and each run would skip the rows locked by then, so the claim would exceed its
// limit.
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
    // The index on turns also contains the time, so the database can filter the rows as it reads
    // them in order. An index on the time would find nearly all messages and then have to sort
    // them.
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
 * Finds the earliest time at which `claimMessages` can find a message in a channel. Undefined if no
 * message is waiting.
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

/** States of a message that needs no operator. */
type Settled = Extract<OutboxState, "delivered" | "written" | "held-back">;

const settle = (tables: Updating, state: Settled, now: Temporal.Instant) =>
  tables.updateTable("outbox").set({
    state,
    payload: "",
    lease_until: null,
    last_problem: "",
    settled_at: now,
  });

/**
 * Marks a message as sent and deletes its content. Changes no row if the message has been removed.
 */
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

/** Finds a channel's stored message by its key. */
export const findOwed = finding("outbox", { messageKey: "=", recipient: "=" }, ({ id }) => id);

/**
 * Marks all of a request's messages in a channel as delivered, whatever their state, because the
 * recipient has answered. Marks a message of the kind `unsent` only while it is being sent.
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
  /** Earliest time for a retry, as the recipient requested. */
  notBefore?: Temporal.Instant | undefined;
  /** Whether the whole channel failed, not only this message. */
  wide?: boolean;
};

/**
 * Marks an attempt as failed. Schedules a retry, or leaves the message to an operator if the
 * problem is permanent. Returns "gone" if a later attempt holds the lease or the message has been
 * removed.
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
 * Retries messages that wait for an operator or for a retry, and resets their failure counts.
 * Returns the id of each message's request.
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

/** Makes failed messages due for a retry right away. */
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
 * Leaves all unsent messages to an operator after a restore, because they may have been sent since
 * the backup. Returns how many messages.
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
 * Leaves a request's messages of one kind to an operator, because their causes happened before the
 * restore.
 */
export const markDoubtful = writing(
  (tables, of: { recipient: string; requestId: number; kind: string }) =>
    doubt(tables, "waiting")
      .where("request_id", "=", of.requestId)
      .where("recipient", "=", of.recipient)
      .where("kind", "=", of.kind),
);

/**
 * Lists a request's undelivered messages of one kind since a given time, whether they are waiting
 * for a retry or for an operator.
 */
export const listStuck = reading(
  (
    tables,
    { requestId, kind, since }: { requestId: number; kind: string; since: Temporal.Instant },
  ) =>
    tables
      .selectFrom("outbox")
      .select(["state", "last_problem"])
      .where("request_id", "=", requestId)
      .where("kind", "=", kind)
      .where((where) =>
        where.or([
          where("state", "=", "needs-person"),
          where.and([where("state", "in", ["waiting", "sending"]), where("failures", ">", 0)]),
        ]),
      )
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

/** Deletes unsent messages that a later message makes obsolete. Returns how many messages. */
export const dropUnsentMessages = deleting("outbox", unsent);

/**
 * Changes a message's state: holds the message back while its cause can be undone, or releases it.
 */
export const changeMessageState = updating("outbox", ["state"], { id: "=", recipient: "=" });

/** Deletes unsent messages of one kind. */
export const dropUnsentKind = deleting("outbox", { ...unsent, kind: "=" });

/** Postpones unsent messages of one kind. */
export const delayMessages = updating("outbox", ["nextAt"], {
  requestId: "=",
  kind: "=",
  state: ["=", "waiting"],
  nextAt: "<",
});

export const dropMessage = deleting("outbox", { id: "=" });

/** Deletes a request's messages in every state, and returns their keys and leases. */
export const deleteMessagesOf = writing(
  (tables, { requestId }: { requestId: number }) =>
    tables
      .deleteFrom("outbox")
      .where("request_id", "=", requestId)
      .returning(["message_key", "lease_until"]),
  (rows) => rows,
);

/** The problem of a message that can't be rendered; the same in every channel. */
export const unwritable = "could not be written";

/**
 * Finds since when messages in these channels have been waiting because of failures, or because the
 * account system doesn't fetch them, and whether any message can't be rendered.
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
  // Ignores messages that can still be undone, are scheduled for the morning, or are being sent
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
    .sort((one, other) => Temporal.Instant.compare(one.createdAt, other.createdAt))
    .slice(0, limit);
}

const firstFailing = listing("outbox", { ...failing, recipient: "=" }, ["createdAt"], toRecord);

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
  return { first: found.sort((one, other) => one.id - other.id).slice(0, limit), count };
}

const firstTroubled = listing("outbox", troubled, ["id"], toRecord);

const countTroubled = counting("outbox", troubled);

/**
 * Builds a subquery that selects a request's messages that need an operator, for statements about
 * requests.
 */
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
