import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import type { Tables } from "../../database/schema.ts";
import { type Read, reading } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import { isEnded, isWorking, type ReceivedRequest, type StoredRequest } from "../life/request.ts";
import { toRequest } from "./request-row.ts";
import { workingNames } from "./states.ts";

/** Lists of requests, in pages: each begins behind the last row of the one before. */

/** Confirmed ones, due soonest first. */
export const listWorking = paging(
  "due_on",
  (where) => where("state", "in", workingNames),
  isWorking,
  ({ dueOn }: { dueOn: Temporal.PlainDate; id: number }) => dueOn.toString(),
);

/** Unconfirmed ones, the soonest to expire first. */
export const listReceived = paging(
  "expires_at",
  (where) => where("state", "=", sql.lit("received")),
  (request): request is ReceivedRequest => request.state === "received",
  ({ expiresAt }: { expiresAt: Temporal.Instant; id: number }) => toText(expiresAt),
);

/** Ended ones, newest end first. */
export const listEnded = paging(
  "ended_at",
  (where) => where("ended_at", "is not", null),
  isEnded,
  ({ endedAt }: { endedAt: Temporal.Instant; id: number }) => toText(endedAt),
  "desc",
);

/**
 * A list in the order of one column, then of the numbers.
 * @param only which they are, in the literals that a partial index asks for
 * @param placeOf where in that order a request stands
 */
function paging<One extends StoredRequest, Last extends { id: number }>(
  key: "due_on" | "expires_at" | "ended_at",
  only: (
    where: ExpressionBuilder<Tables, "requests">,
  ) => ExpressionWrapper<Tables, "requests", SqlBool>,
  isOne: (request: StoredRequest) => request is One,
  placeOf: (last: Last) => string,
  direction?: "desc",
) {
  const [behind, begin] = direction ? [sql.raw("<"), "9"] : [sql.raw(">"), ""];
  const pageBehind = reading(
    (tables, { place, id, limit }: { place: string; id: number; limit: number }) =>
      tables
        .selectFrom("requests")
        .selectAll()
        .where(only)
        .where(
          (where) =>
            sql<boolean>`(${where.ref(key)}, ${where.ref("id")}) ${behind} (${place}, ${id})`,
        )
        .orderBy(key, direction)
        .orderBy("id", direction)
        .limit(limit),
    (rows) => rows.map(toRequest).filter(isOne),
  );
  return (database: Read, limit: number, after?: Last): Promise<One[]> =>
    pageBehind(database, { place: after ? placeOf(after) : begin, id: after?.id ?? 0, limit });
}

/** Every request, oldest first. */
export const listById = reading(
  (tables, { after, limit }: { after: number; limit: number }) =>
    tables.selectFrom("requests").selectAll().where("id", ">", after).orderBy("id").limit(limit),
  (rows) => rows.map(toRequest),
);
