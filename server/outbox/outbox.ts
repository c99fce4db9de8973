import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database, Read, Write } from "../database/database.ts";
import type { OutboxTable } from "../database/schema.ts";
import { toText } from "../database/time.ts";
import type { Message } from "../deletion-requests/messages.ts";
import type { Keys } from "../keys/keys.ts";
import { nextDelayMs } from "./schedule.ts";

/**
 * Messages on their way out. A message is written in the transaction of the fact it tells, leased for one attempt at
 * a time, and ends as delivered (a mail server took it), written (to a file, because there is no mail server) or
 * waiting for a person.
 */
export type OutboxState = "waiting" | "sending" | "delivered" | "written" | "needs-person";

export type OutboxItem = {
  id: number;
  requestId: number | null;
  recipient: "person" | "operators";
  kind: Message["kind"];
  reference: string;
  /** Undefined when the key it was sealed with is gone. */
  message: Message | undefined;
  messageKey: string;
  failures: number;
  createdAt: Temporal.Instant;
};

export type OutboxRecord = {
  id: number;
  kind: string;
  recipient: string;
  reference: string;
  state: OutboxState;
  failures: number;
  nextAt: Temporal.Instant;
  lastProblem: string;
  createdAt: Temporal.Instant;
};

/** A lease outlasts the longest attempt; what a killed process was sending is tried again after it. */
export const leaseMs = 2 * 60_000;

/** Adds a message. False when `once` says that it was added before. */
export async function addMessage(
  transaction: Write,
  keys: Keys,
  now: Temporal.Instant,
  entry: { message: Message; requestId: number | null; once?: string },
): Promise<boolean> {
  const { message } = entry;
  const row = await transaction
    .insertInto("outbox")
    .values({
      request_id: entry.requestId,
      recipient: message.kind.startsWith("operator-") ? "operators" : "person",
      kind: message.kind,
      reference: "reference" in message ? message.reference : "",
      payload: keys.seal("outbox", JSON.stringify(message)),
      message_key: randomUUID(),
      once: entry.once ?? null,
      state: "waiting",
      failures: 0,
      next_at: toText(now),
      lease_until: null,
      last_problem: "",
      created_at: toText(now),
      settled_at: null,
    })
    .onConflict((conflict) => conflict.column("once").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Leases up to `limit` messages that are due, oldest due first, including those whose lease ran out. */
export async function claimMessages(
  database: Database,
  keys: Keys,
  now: Temporal.Instant,
  limit: number,
): Promise<OutboxItem[]> {
  const rows = await database.write((transaction) =>
    transaction
      .updateTable("outbox")
      .set({ state: "sending", lease_until: toText(now.add({ milliseconds: leaseMs })) })
      .where("id", "in", (select) =>
        select
          .selectFrom("outbox")
          .select("id")
          .where((where) =>
            where.or([
              where.and([where("state", "=", "waiting"), where("next_at", "<=", toText(now))]),
              where.and([where("state", "=", "sending"), where("lease_until", "<=", toText(now))]),
            ]),
          )
          .orderBy("next_at")
          .orderBy("id")
          .limit(limit),
      )
      .returningAll()
      .execute(),
  );
  return rows.map((row) => toItem(row, keys));
}

/** The earliest instant at which `claimMessages` can find something, undefined when nothing waits. */
export async function findNextDue(database: Read): Promise<Temporal.Instant | undefined> {
  const waiting = await database
    .selectFrom("outbox")
    .select((select) => select.fn.min("next_at").as("at"))
    .where("state", "=", "waiting")
    .executeTakeFirst();
  const leased = await database
    .selectFrom("outbox")
    .select((select) => select.fn.min("lease_until").as("at"))
    .where("state", "=", "sending")
    .executeTakeFirst();
  const [first] = [waiting?.at, leased?.at].filter((at) => at != null).sort();
  return first == null ? undefined : Temporal.Instant.from(first);
}

/** The attempt succeeded. The facts are dropped: nothing needs them again. */
export async function settleMessage(
  transaction: Write,
  id: number,
  state: "delivered" | "written",
  now: Temporal.Instant,
): Promise<void> {
  await transaction
    .updateTable("outbox")
    .set({ state, payload: "", lease_until: null, last_problem: "", settled_at: toText(now) })
    .where("id", "=", id)
    .execute();
}

/** The attempt failed. A passing problem is tried again on schedule; a permanent one waits for a person at once. */
export async function failMessage(
  transaction: Write,
  item: { id: number; failures: number },
  failure: { problem: string; permanent: boolean },
  now: Temporal.Instant,
  random: number,
): Promise<"waiting" | "needs-person"> {
  const failures = item.failures + 1;
  const delay = failure.permanent ? undefined : nextDelayMs(failures, random);
  const state = delay === undefined ? "needs-person" : "waiting";
  await transaction
    .updateTable("outbox")
    .set({
      state,
      failures,
      lease_until: null,
      next_at: toText(now.add({ milliseconds: delay ?? 0 })),
      last_problem: failure.problem,
    })
    .where("id", "=", item.id)
    // An attempt that outlived its lease must not undo what a later one achieved.
    .where("state", "=", "sending")
    .execute();
  return state;
}

/** Sends what waits for a person, or for its next attempt, again from the start. Returns whose mails, one each. */
export async function retryMessages(
  transaction: Write,
  now: Temporal.Instant,
  requestId?: number,
): Promise<(number | null)[]> {
  const rows = await transaction
    .updateTable("outbox")
    .set({ state: "waiting", failures: 0, next_at: toText(now) })
    .where("state", "in", ["needs-person", "waiting"])
    .$if(requestId !== undefined, (query) => query.where("request_id", "=", requestId ?? 0))
    .returning("request_id")
    .execute();
  return rows.map((row) => row.request_id);
}

/** Takes back what was not sent yet, because a later message makes it pointless. */
export async function dropUnsentMessages(transaction: Write, requestId: number): Promise<void> {
  await transaction
    .deleteFrom("outbox")
    .where("request_id", "=", requestId)
    .where("state", "in", ["waiting", "needs-person"])
    .execute();
}

export async function dropMessage(database: Database, id: number): Promise<void> {
  await database.write((transaction) =>
    transaction.deleteFrom("outbox").where("id", "=", id).execute(),
  );
}

export async function listTroubled(database: Read): Promise<OutboxRecord[]> {
  const rows = await database
    .selectFrom("outbox")
    .selectAll()
    .where("state", "=", "needs-person")
    .orderBy("id")
    .execute();
  return rows.map(toRecord);
}

/** What the names of a request's mail files end with. */
export async function listMessageKeys(database: Read, requestId: number): Promise<string[]> {
  const rows = await database
    .selectFrom("outbox")
    .select("message_key")
    .where("request_id", "=", requestId)
    .execute();
  return rows.map((row) => row.message_key);
}

export async function listMessages(database: Read, requestId: number): Promise<OutboxRecord[]> {
  const rows = await database
    .selectFrom("outbox")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id")
    .execute();
  return rows.map(toRecord);
}

function toItem(row: Selectable<OutboxTable>, keys: Keys): OutboxItem {
  const text = keys.unseal("outbox", row.payload);
  return {
    id: row.id,
    requestId: row.request_id,
    recipient: row.recipient as OutboxItem["recipient"],
    kind: row.kind as Message["kind"],
    reference: row.reference,
    message: text === undefined ? undefined : (JSON.parse(text) as Message),
    messageKey: row.message_key,
    failures: row.failures,
    createdAt: Temporal.Instant.from(row.created_at),
  };
}

function toRecord(row: Selectable<OutboxTable>): OutboxRecord {
  return {
    id: row.id,
    kind: row.kind,
    recipient: row.recipient,
    reference: row.reference,
    state: row.state as OutboxState,
    failures: row.failures,
    nextAt: Temporal.Instant.from(row.next_at),
    lastProblem: row.last_problem,
    createdAt: Temporal.Instant.from(row.created_at),
  };
}
