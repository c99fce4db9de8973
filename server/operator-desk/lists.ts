import type { Selectable, SelectQueryBuilder } from "kysely";
import { sql } from "kysely";
import type { Tables } from "../database/schema.ts";
import { type Read, type Reading, reading } from "../database/statement.ts";
import type { StoredRequest } from "../deletion-requests/store/request.ts";
import { toRequest } from "../deletion-requests/store/request-row.ts";
import type { Sorting, View } from "./acts.ts";
import type { Place } from "./places.ts";

/**
 * The lists of the operators' pages. Each view is one statement for each direction, goes through an index of its own and
 * begins behind a place in it, so that a page costs the same at the end of a list as at its beginning.
 */

export type ListPage = {
  requests: StoredRequest[];
  /** Behind the last of them; undefined where there are no more. */
  next: Place | undefined;
};

type Values = { key: string; id: number; limit: number; name: string; today: string };
type Row = Selectable<Tables["requests"]>;
type Query = SelectQueryBuilder<Tables, "requests", Record<never, never>>;
type Column = "due_on" | "held_until" | "expires_at" | "ended_at" | "received_at";
type List = { statement: Reading<Values, Row>; column: Column | "id" | "asked_at" };

/** Behind a place, in one direction; the place is a row value, so that one index answers condition and order. */
function list(
  column: Column,
  direction: "asc" | "desc",
  where: (query: Query, values: Values) => Query,
): List {
  const statement = reading((tables, values: Values) =>
    where(tables.selectFrom("requests") as Query, values)
      .selectAll("requests")
      .where((at) => {
        const place = sql`(${at.ref(column)}, ${at.ref("requests.id")})`;
        const from = sql`(${values.key}, ${values.id})`;
        return direction === "asc"
          ? sql<boolean>`${place} > ${from}`
          : sql<boolean>`${place} < ${from}`;
      })
      .orderBy(column, direction)
      .orderBy("requests.id", direction)
      .limit(values.limit),
  );
  return { statement, column };
}

/** Both directions of a list. */
function both(column: Column, where: (query: Query, values: Values) => Query) {
  return { asc: list(column, "asc", where), desc: list(column, "desc", where) };
}

// Partial indexes answer only where the query says their condition with literals.
const working = (query: Query) =>
  query.where("state", "in", [sql.lit("confirmed"), sql.lit("in-progress")]);
const endedAs = (state: string) => (query: Query) =>
  query.where("ended_at", "is not", null).where("state", "=", sql.lit(state));

const openByDue = both("due_on", working);
const openByReceipt = both("received_at", working);
const late = both("due_on", (query, { today }) => working(query).where("due_on", "<", today));
const mine = both("due_on", (query, { name }) => working(query).where("owner", "=", name));
const nobodys = both("due_on", (query) =>
  working(query)
    .where("owner", "is", null)
    .where("done_at", "is", null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom("hand_overs")
            .select("hand_overs.id")
            .whereRef("hand_overs.request_id", "=", "requests.id")
            .where("hand_overs.state", "in", [sql.lit("asked"), sql.lit("started")]),
        ),
      ),
    ),
);
const held = both("held_until", (query, { today }) =>
  query
    .where("held_until", "is not", null)
    .where("ended_at", "is", null)
    .where("held_until", ">=", today),
);
const unconfirmed = both("expires_at", (query) => query.where("state", "=", sql.lit("received")));
const endedByEnd = both("ended_at", (query) => query.where("ended_at", "is not", null));
const completed = both("ended_at", endedAs("completed"));
const refused = both("ended_at", endedAs("refused"));
const cancelled = both("ended_at", endedAs("cancelled"));

/** Every request by its id, which grows as they come. */
function everyOne(direction: "asc" | "desc"): List {
  const statement = reading((tables, { id, limit }: Values) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("id", direction === "asc" ? ">" : "<", id)
      .orderBy("id", direction)
      .limit(limit),
  );
  return { statement, column: "id" };
}

const all = { asc: everyOne("asc"), desc: everyOne("desc") };

/** What the account system was asked for and has not answered, longest ago first. */
function withSystem(direction: "asc" | "desc"): List {
  const statement = reading((tables, { key, id, limit }: Values) =>
    tables
      .selectFrom("hand_overs")
      .innerJoin("requests", "requests.id", "hand_overs.request_id")
      .selectAll("requests")
      .select(["hand_overs.asked_at as asked_at", "hand_overs.id as hand_over_id"])
      .where("hand_overs.state", "in", [sql.lit("asked"), sql.lit("started")])
      .where("requests.owner", "is", null)
      .where("requests.ended_at", "is", null)
      .where((at) => {
        const place = sql`(${at.ref("hand_overs.asked_at")}, ${at.ref("hand_overs.id")})`;
        const from = sql`(${key}, ${id})`;
        return direction === "asc"
          ? sql<boolean>`${place} > ${from}`
          : sql<boolean>`${place} < ${from}`;
      })
      .orderBy("hand_overs.asked_at", direction)
      .orderBy("hand_overs.id", direction)
      .limit(limit),
  );
  return { statement, column: "asked_at" };
}

const system = { asc: withSystem("asc"), desc: withSystem("desc") };

/** The sortings of a view, its usual one first. */
const lists: Record<View, readonly (readonly [Sorting, List])[]> = {
  open: [
    ["first", openByDue.asc],
    ["last", openByDue.desc],
    ["oldest", openByReceipt.asc],
    ["newest", openByReceipt.desc],
  ],
  late: forwardsAndBack(late),
  mine: forwardsAndBack(mine),
  nobody: forwardsAndBack(nobodys),
  held: forwardsAndBack(held),
  system: forwardsAndBack(system),
  unconfirmed: forwardsAndBack(unconfirmed),
  completed: backAndForwards(completed),
  refused: backAndForwards(refused),
  cancelled: backAndForwards(cancelled),
  ended: backAndForwards(endedByEnd),
  all: [
    ["newest", all.desc],
    ["oldest", all.asc],
  ],
};

function forwardsAndBack({ asc, desc }: { asc: List; desc: List }) {
  return [
    ["first", asc],
    ["last", desc],
  ] as const;
}

function backAndForwards({ asc, desc }: { asc: List; desc: List }) {
  return [
    ["last", desc],
    ["first", asc],
  ] as const;
}

export function sortingsOf(view: View): Sorting[] {
  return lists[view].map(([sorting]) => sorting);
}

/** Before every row, and behind every row: no date and no instant is as small or as large. */
const ends = { first: { key: "", id: 0 }, last: { key: "9999", id: Number.MAX_SAFE_INTEGER } };

/**
 * A page of a view.
 * @param asked.sorting one that the view does not have is its usual one
 * @param asked.name whose work `mine` means
 */
export async function listView(
  database: Read,
  asked: {
    view: View;
    sorting?: Sorting | undefined;
    after?: Place | undefined;
    name: string;
    today: Temporal.PlainDate;
    limit: number;
  },
): Promise<ListPage> {
  const { view, sorting, name, today, limit } = asked;
  const known = lists[view];
  const [chosen, found] = known.find(([one]) => one === sorting) ?? (known[0] as (typeof known)[0]);
  const backwards = chosen === "last" || chosen === "newest";
  const { key, id } = asked.after ?? (backwards ? ends.last : ends.first);
  // One more than is shown tells whether there is another page.
  const rows = await database.all(found.statement, {
    ...{ key, id, name },
    today: today.toString(),
    limit: limit + 1,
  });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1) as (Row & { hand_over_id?: number }) | undefined;
  const next =
    last && rows.length > limit
      ? {
          key: String((last as Record<string, unknown>)[found.column] ?? ""),
          id: last.hand_over_id ?? last.id,
        }
      : undefined;
  return { requests: shown.map(toRequest), next };
}

/** Entered for closed mailboxes, waiting for the second person; the soonest to expire first. */
export async function listToApprove(database: Read, limit: number): Promise<StoredRequest[]> {
  return (await database.all(toApprove, { limit })).map(toRequest);
}

const toApprove = reading((tables, { limit }: { limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("state", "=", sql.lit("received"))
    .where("entered_by", "is not", null)
    .orderBy("expires_at")
    .orderBy("id")
    .limit(limit),
);

/** Called done, and still to be undone; the longest ago first. */
export async function listJustDone(database: Read, limit: number): Promise<StoredRequest[]> {
  return (await database.all(justDone, { limit })).map(toRequest);
}

const justDone = reading((tables, { limit }: { limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("done_at", "is not", null)
    .where("ended_at", "is", null)
    .orderBy("done_at")
    .limit(limit),
);
