import { sql } from "kysely";
import { type Read, reading } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import {
  type EndedRequest,
  isEnded,
  isWorking,
  type ReceivedRequest,
  type WorkingRequest,
} from "./request.ts";
import { toRequest } from "./request-row.ts";

/** Lists of requests, in pages: each begins behind the last row of the one before. */

/** Confirmed ones, due soonest first. */
export async function listWorking(
  database: Read,
  limit: number,
  after?: { dueOn: Temporal.PlainDate; id: number },
): Promise<WorkingRequest[]> {
  return workingAfter(database, {
    dueOn: after?.dueOn.toString() ?? "",
    id: after?.id ?? 0,
    limit,
  });
}

const workingAfter = reading(
  (tables, { dueOn, id, limit }: { dueOn: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")])
      .where(
        (where) => sql<boolean>`(${where.ref("due_on")}, ${where.ref("id")}) > (${dueOn}, ${id})`,
      )
      .orderBy("due_on")
      .orderBy("id")
      .limit(limit),
  (rows) => rows.map(toRequest).filter(isWorking),
);

/** Unconfirmed ones, the soonest to expire first. */
export async function listReceived(
  database: Read,
  limit: number,
  after?: { expiresAt: Temporal.Instant; id: number },
): Promise<ReceivedRequest[]> {
  return receivedAfter(database, {
    expiresAt: after ? toText(after.expiresAt) : "",
    id: after?.id ?? 0,
    limit,
  });
}

const receivedAfter = reading(
  (tables, { expiresAt, id, limit }: { expiresAt: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "=", sql.lit("received"))
      .where(
        (where) =>
          sql<boolean>`(${where.ref("expires_at")}, ${where.ref("id")}) > (${expiresAt}, ${id})`,
      )
      .orderBy("expires_at")
      .orderBy("id")
      .limit(limit),
  (rows) => rows.map(toRequest).filter((request) => request.state === "received"),
);

/** Ended ones, newest end first. */
export async function listEnded(
  database: Read,
  limit: number,
  after?: { endedAt: Temporal.Instant; id: number },
): Promise<EndedRequest[]> {
  return endedAfter(database, {
    endedAt: after ? toText(after.endedAt) : "9",
    id: after?.id ?? 0,
    limit,
  });
}

const endedAfter = reading(
  (tables, { endedAt, id, limit }: { endedAt: string; id: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("ended_at", "is not", null)
      .where(
        (where) =>
          sql<boolean>`(${where.ref("ended_at")}, ${where.ref("id")}) < (${endedAt}, ${id})`,
      )
      .orderBy("ended_at", "desc")
      .orderBy("id", "desc")
      .limit(limit),
  (rows) => rows.map(toRequest).filter(isEnded),
);

/** Every request, oldest first. */
export const listById = reading(
  (tables, { after, limit }: { after: number; limit: number }) =>
    tables.selectFrom("requests").selectAll().where("id", ">", after).orderBy("id").limit(limit),
  (rows) => rows.map(toRequest),
);
