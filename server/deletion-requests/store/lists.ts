import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import { toText } from "../../database/rows.ts";
import type { Tables } from "../../database/schema.ts";
import {
  type Conditions,
  listing,
  type NameIn,
  type Only,
  type Read,
  readAll,
  reading,
} from "../../database/statement.ts";
import { troubledOfRequest } from "../../outbox/outbox.ts";
import {
  isEnded,
  isWorking,
  type ReceivedRequest,
  type StoredRequest,
  type WorkingRequest,
} from "../life/request.ts";
import { toRequest } from "./request-row.ts";
import { workingNames, workingStates } from "./requests.ts";

/** Lists of requests: in pages, each of which begins behind the last row of the one before; and what time demands. */

type Where = ExpressionBuilder<Tables, "requests">;
type Condition = ExpressionWrapper<Tables, "requests", SqlBool>;

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
 * A request by one of its references, at one moment with what its row in a list says: up to where its trail is told, whether its
 * person wrote something, a mail waits for somebody, and the account system is asked for it.
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
      wrote: row.wrote !== undefined,
      undelivered: row.undelivered !== undefined,
      asked: row.asked === "asked" || row.asked === "started",
    },
);

/**
 * A list in the order of one column, then of the numbers.
 * @param only which they are, in the literals that a partial index asks for
 * @param placeOf where in that order a request stands
 */
function paging<One extends StoredRequest, Last extends { id: number }>(
  key: "due_on" | "expires_at" | "ended_at",
  only: (where: Where) => Condition,
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
export const listById = listing("requests", { id: ">" }, ["id"], toRequest);
export const readRequests = (database: Read) => readAll(database, listById, "id");

// What time demands: requests to expire, to erase, to forget and to warn of.

/** The ids of those of which that is so, in the order of what has come: the longest ago first. */
function dueBy<const Wanted extends Conditions<"requests">>(
  column: NameIn<"requests">,
  wanted: Only<"requests", Wanted>,
) {
  return listing("requests", wanted, [column], "id");
}

/** Unconfirmed ones whose time is over. */
export const listExpired = dueBy("expiresAt", { expiresAt: "<=", state: ["=", "received"] });

/** Those that somebody called done. */
export const listDone = dueBy("doneAt", { doneAt: "<=" });

/** Those that waited until a day, and that nobody has called done. */
export const listHeldUntil = dueBy("heldUntil", {
  heldUntil: "<=",
  endedAt: "is null",
  doneAt: "is null",
});

/** Ended ones that still hold an address though their person was told of the end; not those who were refused. */
export const listToldUnerased = listing(
  "requests",
  { toldAt: "is not null", erasedAt: "is null", state: ["<>", "refused"] },
  ["toldAt"],
  "id",
);

/** Ended ones that still hold an address. */
export const listUnerased = dueBy("endedAt", { endedAt: "<=", erasedAt: "is null" });

/** Erased ones that have ended. */
export const listForgettable = dueBy("endedAt", { endedAt: "<=", erasedAt: "is not null" });

/** Confirmed ones that are due on a date or before it, and whose operators were not warned of that yet. */
export const listUnwarned = listing(
  "requests",
  { dueOn: "<=", state: ["in", workingStates], warnedAt: "is null" },
  ["dueOn"],
  (row) => toRequest(row) as WorkingRequest,
);

/** Entered ones that fade by then, and of which the operators were not warned yet. */
export const listUnwarnedEntries = listing(
  "requests",
  {
    expiresAt: "<",
    state: ["=", "received"],
    enteredBy: "is not null",
    warnedAt: "is null",
  },
  ["expiresAt"],
  (row) => toRequest(row) as ReceivedRequest,
);

/** Confirmed ones that were promised for a day, that nobody has called done, and whose person was not told that it is over. */
export const listUntoldLate = dueBy("dueOn", {
  dueOn: "<=",
  state: ["in", workingStates],
  toldLateAt: "is null",
  doneAt: "is null",
});

/** The promised dates of confirmed ones from a day on, the first one first. */
export const listDueFrom = listing(
  "requests",
  { dueOn: ">=", state: ["in", workingStates] },
  ["dueOn"],
  "dueOn",
);
