import { type Selectable, sql } from "kysely";
import type { Tables } from "../../database/schema.ts";
import { type Read, reading, type Write, writing } from "../../database/statement.ts";
import { toInstant, toText } from "../../database/time.ts";
import { type Actor, actors } from "../life.ts";
import { oneOf, parse, toDate } from "./rows.ts";

/** The trail of a request: when, who, what, from which state to which, and why. */

export type EventRecord = {
  at: Temporal.Instant;
  actor: Actor;
  name: string;
  type: string;
  fromState: string;
  toState: string;
  code: string;
  note: string;
  dueFrom: Temporal.PlainDate | undefined;
  dueTo: Temporal.PlainDate | undefined;
};

export async function addEvent(
  transaction: Write,
  requestId: number,
  event: EventRecord & { formKey?: string | undefined },
): Promise<void> {
  await transaction.run(insertEvent, {
    formKey: event.formKey ?? null,
    requestId,
    at: toText(event.at),
    actor: event.actor,
    name: event.name,
    type: event.type,
    fromState: event.fromState,
    toState: event.toState,
    code: event.code,
    note: event.note,
    dueFrom: event.dueFrom?.toString() ?? null,
    dueTo: event.dueTo?.toString() ?? null,
  });
}

const insertEvent = writing(
  (
    tables,
    to: {
      requestId: number;
      at: string;
      actor: string;
      name: string;
      type: string;
      fromState: string;
      toState: string;
      code: string;
      note: string;
      dueFrom: string | null;
      dueTo: string | null;
      formKey: string | null;
    },
  ) =>
    tables.insertInto("request_events").values({
      request_id: to.requestId,
      at: to.at,
      actor: to.actor,
      name: to.name,
      type: to.type,
      from_state: to.fromState,
      to_state: to.toState,
      code: to.code,
      note: to.note,
      due_from: to.dueFrom,
      due_to: to.dueTo,
      form_key: to.formKey,
    }),
);

/** Enters an act that changes no state. */
export async function addNote(
  transaction: Write,
  request: { id: number; state: string },
  by: { actor: Actor; name?: string },
  type: string,
  at: Temporal.Instant,
  formKey?: string,
): Promise<void> {
  await addEvent(transaction, request.id, {
    formKey,
    at,
    actor: by.actor,
    name: by.name ?? "",
    type,
    fromState: request.state,
    toState: request.state,
    code: "",
    note: "",
    dueFrom: undefined,
    dueTo: undefined,
  });
}

/**
 * Whether an act, which the trail has under one of these names, was entered under the key of a page's forms. A form whose
 * answer was lost is sent again with the same key, and is one act.
 */
export async function wasEnteredBy(
  database: Read,
  requestId: number,
  types: readonly string[],
  formKey: string,
): Promise<boolean> {
  const rows = await database.all(enteredBy, { requestId, formKey });
  return rows.some(({ type }) => types.includes(type));
}

const enteredBy = reading(
  (tables, { requestId, formKey }: { requestId: number; formKey: string }) =>
    tables
      .selectFrom("request_events")
      .select("type")
      .where("request_id", "=", requestId)
      .where("form_key", "is not", null)
      .where("form_key", "=", formKey),
);

/** Oldest first. */
export async function listEvents(
  database: Read,
  requestId: number,
  limit: number,
): Promise<EventRecord[]> {
  const rows = await database.all(eventsOf, { requestId, limit });
  return rows.map(toEvent);
}

const eventsOf = reading((tables, { requestId, limit }: { requestId: number; limit: number }) =>
  tables
    .selectFrom("request_events")
    .selectAll()
    .where("request_id", "=", requestId)
    .orderBy("id")
    .limit(limit),
);

/** References of open requests whose hold ended by its date since an instant. */
export async function listFreed(database: Read, since: Temporal.Instant): Promise<string[]> {
  const rows = await database.all(freedSince, { since: toText(since) });
  const open = rows.filter(({ ended_at }) => ended_at === null);
  return [...new Set(open.map(({ reference }) => reference))];
}

const freedSince = reading((tables, { since }: { since: string }) =>
  tables
    .selectFrom("request_events")
    .innerJoin("requests", "requests.id", "request_events.request_id")
    .select(["requests.reference", "requests.ended_at"])
    .where("request_events.code", "=", sql.lit("by-date"))
    .where("request_events.at", ">", since)
    .orderBy("request_events.at")
    .limit(100),
);

/** What the account system said in a dry run, newest first. */
export async function listTrials(
  database: Read,
  limit: number,
): Promise<{ reference: string; at: Temporal.Instant; code: string; note: string }[]> {
  const rows = await database.all(newestTrials, { limit });
  return rows.map((row) => ({ ...row, at: toInstant(row.at) }));
}

const newestTrials = reading((tables, { limit }: { limit: number }) =>
  tables
    .selectFrom("request_events")
    .innerJoin("requests", "requests.id", "request_events.request_id")
    .select([
      "requests.reference",
      "request_events.at",
      "request_events.code",
      "request_events.note",
    ])
    .where("request_events.type", "=", sql.lit("trial"))
    .where("request_events.id", ">", sql.lit(0))
    .orderBy("request_events.id", "desc")
    .limit(limit),
);

/** Whether something of that kind was entered from that moment on. */
export async function wasEnteredSince(
  database: Read,
  requestId: number,
  { type, code }: { type: string; code: string },
  since: Temporal.Instant,
): Promise<boolean> {
  const row = await database.one(enteredSince, { requestId, type, code, since: toText(since) });
  return row !== undefined;
}

const enteredSince = reading(
  (tables, of: { requestId: number; type: string; code: string; since: string }) =>
    tables
      .selectFrom("request_events")
      .select("id")
      .where("request_id", "=", of.requestId)
      .where("type", "=", of.type)
      .where("code", "=", of.code)
      .where("at", ">=", of.since)
      .limit(1),
);

/** What was entered behind the event with the id `after`, oldest first. */
export async function listEventsAfter(
  database: Read,
  requestId: number,
  after: number,
  limit: number,
): Promise<EventRecord[]> {
  return (await database.all(eventsAfter, { requestId, after, limit })).map(toEvent);
}

const eventsAfter = reading(
  (tables, { requestId, after, limit }: { requestId: number; after: number; limit: number }) =>
    tables
      .selectFrom("request_events")
      .selectAll()
      .where("request_id", "=", requestId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit),
);

/** The id of the newest event of a request, 0 where nothing has happened yet. */
export async function findLastEvent(database: Read, requestId: number): Promise<number> {
  return (await database.one(lastEvent, { requestId }))?.id ?? 0;
}

const lastEvent = reading((tables, { requestId }: { requestId: number }) =>
  tables
    .selectFrom("request_events")
    .select("id")
    .where("request_id", "=", requestId)
    .orderBy("id", "desc")
    .limit(1),
);

function toEvent(row: Selectable<Tables["request_events"]>): EventRecord {
  return parse("request_events", row.id, () => ({
    at: toInstant(row.at),
    actor: oneOf(actors, row.actor),
    name: row.name,
    type: row.type,
    fromState: row.from_state,
    toState: row.to_state,
    code: row.code,
    note: row.note,
    dueFrom: toDate(row.due_from),
    dueTo: toDate(row.due_to),
  }));
}
