import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import { troubledOfRequest } from "../../delivery/outbox.ts";
import { toText } from "../../platform/database/rows.ts";
import type { Tables } from "../../platform/database/schema.ts";
import {
  type Conditions,
  listing,
  type NameIn,
  type Only,
  type Read,
  readAll,
  reading,
} from "../../platform/database/statement.ts";
import {
  isEnded,
  isWorking,
  type ReceivedRequest,
  type StoredRequest,
} from "../state-machine/request.ts";
import { toRequest } from "./request-row.ts";
import { workingNames, workingStates } from "./requests.ts";

/** Lists of requests, for pages (keyset pagination) and for scheduled jobs. */

type Where = ExpressionBuilder<Tables, "requests">;
type Condition = ExpressionWrapper<Tables, "requests", SqlBool>;

/** Lists confirmed requests, earliest due date first. */
export const listWorking = paging(
  { key: "due_on" },
  (where) => where("state", "in", workingNames),
  isWorking,
  ({ dueOn }: { dueOn: Temporal.PlainDate; id: number }) => dueOn.toString(),
);

/** Lists unconfirmed requests, earliest expiry first. */
export const listReceived = paging(
  { key: "expires_at" },
  (where) => where("state", "=", sql.lit("received")),
  (request): request is ReceivedRequest => request.state === "received",
  ({ expiresAt }: { expiresAt: Temporal.Instant; id: number }) => toText(expiresAt),
);

/** Lists ended requests, newest first. */
export const listEnded = paging(
  { key: "ended_at", direction: "desc" },
  (where) => where("ended_at", "is not", null),
  isEnded,
  ({ endedAt }: { endedAt: Temporal.Instant; id: number }) => toText(endedAt),
);

/**
 * Finds a request by any of its references. From the same snapshot, also reads what the request's
 * row in a list shows, such as the last event and undelivered emails.
 */
export const findListed = reading(
  (tables, { reference }: { reference: string }) =>
    tables
      .selectFrom("submissions as named")
      .innerJoin("requests", "requests.id", "named.request_id")
      .selectAll("requests")
      .select((row) => [
        row
          .selectFrom("request_events")
          .select((events) => events.fn.max("request_events.id").as("last"))
          .whereRef("request_id", "=", "requests.id")
          .as("seen"),
        row
          .selectFrom("submissions")
          .select("submissions.id")
          .whereRef("submissions.request_id", "=", "requests.id")
          .where("feedback", "<>", "")
          .limit(1)
          .as("wrote"),
        troubledOfRequest(row).where("recipient", "=", "person").as("undelivered"),
        row
          .selectFrom("hand_overs")
          .select("hand_overs.state")
          .whereRef("hand_overs.request_id", "=", "requests.id")
          .orderBy("hand_overs.id", "desc")
          .limit(1)
          .as("asked"),
      ])
      .where("named.reference", "=", reference),
  ([row]) =>
    row && {
      request: toRequest(row),
      seen: row.seen ?? 0,
      hasMessage: row.wrote !== undefined,
      undelivered: row.undelivered !== undefined,
      isHandedOver: row.asked === "asked" || row.asked === "started",
    },
);

/**
 * Creates a query that pages through requests, sorted by a column and then by id.
 * @param only the condition, with the same literals as in the column's partial index
 * @param placeOf returns a request's value in the column
 */
function paging<One extends StoredRequest, Last extends { id: number }>(
  { key, direction }: { key: "due_on" | "expires_at" | "ended_at"; direction?: "desc" },
  only: (where: Where) => Condition,
  isOne: (request: StoredRequest) => request is One,
  placeOf: (last: Last) => string,
) {
  const [behind, begin] = direction ? [sql.raw("<"), "9"] : [sql.raw(">"), ""];
  const rowsBehind = reading(
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
    (rows) => rows,
  );
  return async (
    database: Read,
    limit: number,
    after?: Last,
    /** Called for each invalid row, which is then left out. Otherwise, an invalid row throws. */
    onInvalid?: (error: unknown) => void,
  ): Promise<One[]> => {
    const place = after ? placeOf(after) : begin;
    const rows = await rowsBehind(database, { place, id: after?.id ?? 0, limit });
    return rows.flatMap((row) => {
      try {
        const request = toRequest(row);
        return isOne(request) ? [request] : [];
      } catch (error) {
        if (!onInvalid) throw error;
        onInvalid(error);
        return [];
      }
    });
  };
}

/** Lists all requests, oldest first. */
export const listById = listing("requests", { id: ">" }, ["id"], toRequest);
export const readRequests = (database: Read) => readAll(database, listById, "id");

// Requests that a job has to expire, erase, delete or warn about

/** Creates a query for the ids of matching requests, sorted by the given time column. */
function dueBy<const Wanted extends Conditions<"requests">>(
  column: NameIn<"requests">,
  wanted: Only<"requests", Wanted>,
) {
  return listing("requests", wanted, [column], "id");
}

export const listExpired = dueBy("expiresAt", { expiresAt: "<=", state: ["=", "received"] });

export const listDone = dueBy("doneAt", { doneAt: "<=" });

/** Lists requests whose hold is over, except those marked done. */
export const listHeldUntil = dueBy("heldUntil", {
  heldUntil: "<=",
  endedAt: "is null",
  doneAt: "is null",
});

/**
 * Lists ended requests whose final email was delivered but whose email address isn't erased yet.
 * Excludes refused requests.
 */
export const listNotifiedUnerased = listing(
  "requests",
  { toldAt: "is not null", erasedAt: "is null", state: ["<>", "refused"] },
  ["toldAt"],
  "id",
);

export const listUnerased = dueBy("endedAt", { endedAt: "<=", erasedAt: "is null" });

export const listForgettable = dueBy("endedAt", { endedAt: "<=", erasedAt: "is not null" });

/** Lists confirmed requests that are due by a date and about which the team hasn't been warned. */
export const listUnwarned = listing(
  "requests",
  { dueOn: "<=", state: ["in", workingStates], warnedAt: "is null" },
  ["dueOn"],
  "id",
);

/**
 * Lists entered requests that expire before an instant and about which the team hasn't been warned.
 */
export const listUnwarnedEntries = listing(
  "requests",
  {
    expiresAt: "<",
    state: ["=", "received"],
    enteredBy: "is not null",
    warnedAt: "is null",
  },
  ["expiresAt"],
  "id",
);

/**
 * Lists confirmed requests that missed their due date and aren't marked done. Excludes those whose
 * requester has already been notified.
 */
export const listLateWithoutNotice = dueBy("dueOn", {
  dueOn: "<=",
  state: ["in", workingStates],
  toldLateAt: "is null",
  doneAt: "is null",
});

/** Lists the due dates of confirmed requests, starting from a day, earliest first. */
export const listDueFrom = listing(
  "requests",
  { dueOn: ">=", state: ["in", workingStates] },
  ["dueOn"],
  "dueOn",
);
