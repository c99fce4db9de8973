import { randomUUID } from "node:crypto";
import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Database } from "../database/database.ts";
import { findUnconfirmedRestore } from "../database/restore-hold.ts";
import type { RowIn } from "../database/rows.ts";
import type { Tables } from "../database/schema.ts";
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
} from "../database/statement.ts";
import type { Keys } from "../keys/keys.ts";
import { doubtful, unanswered } from "../terms.ts";
import { nextDelayMs, unansweredDelayMs } from "./schedule.ts";

/**
 * Messages on their way out. A message is written in the transaction of the fact it tells, leased for one attempt at
 * a time, and ends as delivered (somebody took it), written (to a file, because there is nobody to hand it to) or
 * waiting for a person. Its `recipient` is the channel by which it leaves: what it says and whom it reaches is known to that
 * one's deliverer alone. What it belongs to is a number here.
 */
export type OutboxState =
  | "waiting"
  | "sending"
  | "delivered"
  | "written"
  | "needs-person"
  /** Never leaves. */
  | "held-back"
  /** The mailbox does not take it, which was to be expected. */
  | "bounced";

/** Told as JSON, sealed. */
export type OutboxMessage = { kind: string; reference?: string };

export type OutboxRecord = RowIn<"outbox"> & { state: OutboxState };

const toRecord = (row: RowIn<"outbox">) => row as OutboxRecord;

/** A message that somebody is to send. */
export type OutboxItem = ReturnType<typeof toItem>;

function toItem(row: RowIn<"outbox">, keys: Keys) {
  const text = keys.unseal("outbox", row.payload);
  return {
    ...toRecord(row),
    /** As it was added; undefined when the key it was sealed with is gone. */
    message: (text === undefined ? undefined : JSON.parse(text)) as unknown,
    /** Names this attempt: whoever claims the message after it has a later one. */
    leaseUntil: row.leaseUntil ?? row.nextAt,
  };
}

/** Tried again by itself. */
const failing = { state: ["=", "waiting"], failures: [">", 0] } as const;
/** Of one channel. */
const troubled = { state: ["=", "needs-person"], recipient: "=" } as const;

/** A lease outlasts two of the longest attempts; what a killed process was sending is tried again after it. */
export const leaseMs = 2 * 60_000;

/** Adds a message. False when `once` says that it was added before. */
export async function addMessage<Message extends OutboxMessage>(
  transaction: Write,
  keys: Keys,
  now: Temporal.Instant,
  entry: {
    recipient: string;
    message: Message;
    /** What it belongs to and is removed with; undefined for what belongs to nothing. */
    requestId: number | undefined;
    once?: string;
    /** Written like any other, and never sent. */
    heldBack?: boolean;
    /** Until then it can be taken back. */
    notBefore?: Temporal.Instant;
    /** Keyed hash of the network that caused it. What nobody outside caused has none, and goes first. */
    lane?: string | undefined;
  },
): Promise<boolean> {
  const { requestId, recipient, message, once, heldBack, lane } = entry;
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
    turn: lane === undefined ? 0 : await nextTurn(transaction, recipient, lane),
    lane: heldBack ? undefined : lane,
  });
}

const insertMessage = insertingOnce("outbox");

/**
 * The place in line of one more message that a network causes: behind its own last one, and among the first of everybody
 * else (start-time fair queueing). However many wait of one network, another's stands before all but as many as there are
 * networks.
 */
async function nextTurn(transaction: Write, recipient: string, lane: string): Promise<number> {
  await transaction.lock(lane);
  const first =
    (await lastLeaving(transaction, { recipient })) ||
    (await firstInLine(transaction, { recipient }));
  return Math.max(first ?? 1, ((await lastOfLane(transaction, { lane })) ?? 0) + 1);
}

function inState(
  tables: Pick<Kysely<Tables>, "selectFrom">,
  state: OutboxState,
  recipient: string,
) {
  return tables
    .selectFrom("outbox")
    .where("state", "=", sql.lit(state))
    .where("recipient", "=", recipient);
}

const lastLeaving = reading(
  (tables, { recipient }: { recipient: string }) =>
    inState(tables, "sending", recipient).select((select) =>
      select.fn.max<number | null>("turn").as("turn"),
    ),
  ([row]) => row?.turn,
);

const firstInLine = reading(
  (tables, { recipient }: { recipient: string }) =>
    inState(tables, "waiting", recipient)
      .select((select) => select.fn.min<number | null>("turn").as("turn"))
      .where("turn", ">", sql.lit(0)),
  ([row]) => row?.turn,
);

const lastOfLane = reading(
  (tables, { lane }: { lane: string }) =>
    tables
      .selectFrom("outbox")
      .select((select) => select.fn.max<number | null>("turn").as("turn"))
      .where("lane", "=", lane),
  ([row]) => row?.turn,
);

/** Whether something was added under this name, however long ago it left. */
export const wasAdded = finding("outbox", { once: "=" }, () => true);

/**
 * Leases up to `limit` messages of a channel that are due, those whose lease ran out before the others, then by their
 * turn; returns them as they were written. Each channel is asked for by itself, so that none stands in another's way.
 */
export async function claimMessages(
  database: Database,
  keys: Keys,
  at: Temporal.Instant,
  recipient: string,
  limit: number,
  leasedMs: number = leaseMs,
): Promise<OutboxItem[]> {
  // Most of the time there is nothing, and nobody need be kept from writing to find that out.
  const next = await findNextDue(database.read, recipient);
  if (!next || Temporal.Instant.compare(next, at) > 0) return [];
  if (await findUnconfirmedRestore(database.read)) return [];
  const lease = { recipient, now: at, until: at.add({ milliseconds: leasedMs }) };
  const rows = await database.write(async (transaction) => {
    const again = await leaseAgain(transaction, { ...lease, limit });
    const left = limit - again.length;
    if (left === 0) return again;
    return [...again, ...(await leaseWaiting(transaction, { ...lease, limit: left }))];
  });
  // A database returns what it changed in any order.
  return rows.toSorted((one, other) => one.id - other.id).map((row) => toItem(row, keys));
}

type Lease = { recipient: string; now: Temporal.Instant; until: Temporal.Instant; limit: number };

// What is due is chosen in a part of its own: as a plain subquery PostgreSQL may choose once for each row that it looks at,
// each time without those that are locked by then, and so take more than the limit.
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
    // As an expression, so that no index of times is taken: few are not due, and all would have to be sorted.
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

/** The earliest instant at which `claimMessages` can find something of a channel, undefined when nothing waits. */
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

/** What a message ends as that nobody has to look at. */
type Settled = Extract<OutboxState, "delivered" | "written" | "held-back">;

const settle = (tables: Updating, state: Settled, now: Temporal.Instant) =>
  tables.updateTable("outbox").set({
    state,
    payload: "",
    lease_until: null,
    last_problem: "",
    settled_at: now,
  });

/** The attempt succeeded. The facts are dropped: nothing needs them again. Changes nothing when it was removed meanwhile. */
export const settleMessage = writing(
  (tables, to: { id: number; state: Settled; now: Temporal.Instant }) =>
    settle(tables, to.state, to.now).where("id", "=", to.id),
);

/** The recipient refused it, and no one has to look: the reason stays. */
export const enterBounce = writing(
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

/** Which message of this name was ever owed to a channel, and is still known. */
export const findOwed = finding("outbox", { messageKey: "=", recipient: "=" }, ({ id }) => id);

/**
 * Somebody answered to what a request's messages told, whatever became of the attempts to hand them over; of the kind called
 * `unsent` only to what is on its way.
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
  /** Whoever it is for asked not to be tried before that. */
  notBefore?: Temporal.Instant | undefined;
  /** Whether nothing could have left by this channel, whatever it was. */
  wide?: boolean;
};

/**
 * The attempt failed. A passing problem is tried again on schedule; a permanent one waits for a person at once. Gone
 * when the attempt is somebody else's by now, whatever comes of theirs, or the message was removed.
 */
export async function failMessage(
  transaction: Write,
  item: Pick<OutboxItem, "id" | "failures" | "leaseUntil">,
  failure: Failure,
  now: Temporal.Instant,
  random: number,
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

/** Sends again from the start what waits in some channels for a person or its next attempt. Returns whose, one each. */
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

/** Those that failed before and would wait longer. */
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
      // What waits and never failed has a time of its own.
      .where((where) =>
        where.or([
          where("state", "=", "needs-person"),
          where.and([where("state", "=", "waiting"), where("failures", ">", 0)]),
        ]),
      ),
  (rows) => toOwners(rows),
);

/**
 * For a copy that was put back: what was on its way when it was made may have left since, so all of it waits for a
 * person. Returns how many.
 */
export async function doubtUnsentMessages(transaction: Write): Promise<number> {
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

/** The same for one kind of message that a request owes because of something from before the copy was put back. */
export const doubtMessagesOf = writing(
  (tables, of: { recipient: string; requestId: number; kind: string }) =>
    doubt(tables, "waiting")
      .where("request_id", "=", of.requestId)
      .where("recipient", "=", of.recipient)
      .where("kind", "=", of.kind),
);

/** What a request owes of one kind since then, and could not leave: it is tried again by itself, or waits for a person. */
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

/** Something left by this channel after it had been in trouble: what failed there, and cannot have arrived, is tried at once. */
export const wakeMessages = updating("outbox", ["nextAt"], {
  ...failing,
  recipient: "=",
  nextAt: ">",
  lastProblem: ["<>", unanswered],
});

/** Takes back what of one channel did not leave yet, because a later message says it anew; what is on its way counts as gone. */
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

/** Takes back what was not sent yet, because a later message makes it pointless. Returns how many. */
export const dropUnsentMessages = deleting("outbox", unsent);

/** Keeps a message from leaving while what it tells may be undone, or gives it back the state that it had. */
export const changeMessageState = updating("outbox", ["state"], { id: "=", recipient: "=" });

/** Takes back unsent messages of one kind. */
export const dropUnsentKind = deleting("outbox", { ...unsent, kind: "=" });

/** What of one kind has not left yet waits until then at least. */
export const delayMessages = updating("outbox", ["nextAt"], {
  requestId: "=",
  kind: "=",
  state: ["=", "waiting"],
  nextAt: "<",
});

export const dropMessage = deleting("outbox", { id: "=" });

/** Removes what belongs to `requestId`, whatever became of it. Returns what was removed. */
export const forgetMessages = writing(
  (tables, { requestId }: { requestId: number }) =>
    tables
      .deleteFrom("outbox")
      .where("request_id", "=", requestId)
      .returning(["message_key", "lease_until"]),
  (rows) => rows,
);

/** What every message is that its deliverer could not turn into anything, whoever it is for. */
export const unwritable = "could not be written";

/**
 * How long what should have left by these channels has been waiting, because it failed or because nobody fetches it; and
 * whether there is something that cannot be written at all.
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
  // What is still to be taken back, leaves in the morning or is on its way just now has not been waiting.
  const before = now.subtract({ minutes: 1 });
  const due = found.filter((at) => at && Temporal.Instant.compare(at, before) <= 0);
  return { since: earliest(due), unwritable: isStuck };
}

const findUnwritable = finding("outbox", { ...troubled, lastProblem: ["=", unwritable] });

/** The oldest of some channels that failed and will be tried again by themselves. */
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

/** The oldest of some channels that wait for a person, and how many there are in all. */
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

/** Within a statement about requests: a message of that request that waits for a person. */
export const troubledOfRequest = (row: Pick<ExpressionBuilder<Tables, "requests">, "selectFrom">) =>
  row
    .selectFrom("outbox")
    .select("outbox.id")
    .whereRef("outbox.request_id", "=", "requests.id")
    .where("outbox.state", "=", sql.lit("needs-person"))
    .limit(1);

/** Oldest first. */
export const listMessages = reading(
  (tables, { requestId }: { requestId: number }) =>
    tables.selectFrom("outbox").selectAll().where("request_id", "=", requestId).orderBy("id"),
  (rows) => rows.map(toRecord),
);
