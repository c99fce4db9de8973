import { sql } from "kysely";
import { type Read, reading } from "../database/statement.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/life/request.ts";
import { openNames, toRequest, workingNames } from "../deletion-requests/store/request-row.ts";
import { listTroubledOwners } from "../outbox/outbox.ts";

/** What Today shows beside the queue itself: what can be undone, what waits for a second look, what a search finds. */

/** Entered for closed mailboxes, waiting for the second person; the soonest to expire first. */
export const listToApprove = reading(
  (tables, { limit }: { limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("state", "=", sql.lit("received"))
      .where("entered_by", "is not", null)
      .orderBy("expires_at")
      .orderBy("id")
      .limit(limit),
  (rows) => rows.map(toRequest),
);

/** What the account system says to have deleted although an operator keeps it waiting: the first thing to look at. */
export const listDeletedHeld = reading(
  (tables, { limit }: { limit: number }) =>
    tables
      .selectFrom("hand_overs")
      .innerJoin("requests", "requests.id", "hand_overs.request_id")
      .selectAll("requests")
      .where("hand_overs.state", "=", sql.lit("deleted-held"))
      .where("requests.ended_at", "is", null)
      .orderBy("hand_overs.id")
      .limit(limit),
  (rows) => rows.map(toRequest),
);

/**
 * What an operator or a machine did and an operator can still take back, the longest ago first: called done, refused or
 * cancelled, and nobody was told.
 * @param since before then a mail has left
 */
export async function listUndoable(
  database: Read,
  since: Temporal.Instant,
  limit: number,
): Promise<StoredRequest[]> {
  const done = await justDone(database, { limit });
  const ended = await justEnded(database, { since, limit });
  return [...done, ...ended].map(toRequest);
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

const justEnded = reading((tables, { since, limit }: { since: Temporal.Instant; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("ended_at", "is not", null)
    .where("ended_at", ">", since)
    .where("state", "in", [sql.lit("refused"), sql.lit("cancelled")])
    .where("ended_by", "in", ["operator", "system"])
    .where("told_at", "is", null)
    .where("erased_at", "is", null)
    .limit(limit),
);

/** What a row says beside its date: somebody wrote something, a mail did not arrive, the account system is at it. */
export type Mark = "wrote" | "undelivered" | "system";

/** The marks of a stretch of the queue, by the ids of its requests. */
export async function readMarks(
  database: Read,
  stretch: readonly StoredRequest[],
): Promise<ReadonlyMap<number, ReadonlySet<Mark>>> {
  const marks = new Map<number, Set<Mark>>();
  const working = stretch.filter(isWorking);
  const [from, until] = [working.at(0)?.dueOn, working.at(-1)?.dueOn];
  if (!from || !until) return marks;
  const ids = working.map(({ id }) => id);
  const owners = { first: Math.min(...ids), last: Math.max(...ids) };
  const add = (id: number, mark: Mark) => marks.set(id, (marks.get(id) ?? new Set()).add(mark));
  for (const one of await markedByOthers(database, { from, until, ...owners })) {
    if (one.wrote !== undefined) add(one.id, "wrote");
    if (one.handOver !== undefined) add(one.id, "system");
  }
  for (const id of await listTroubledOwners(database, owners)) add(id, "undelivered");
  return marks;
}

/** Whose person wrote something, and which the account system has, while nobody took it from there. */
const markedByOthers = reading(
  (
    tables,
    {
      from,
      until,
      first,
      last,
    }: { from: Temporal.PlainDate; until: Temporal.PlainDate; first: number; last: number },
  ) =>
    tables
      .selectFrom("requests")
      .leftJoin("submissions", (join) =>
        join
          .onRef("submissions.request_id", "=", "requests.id")
          .on("submissions.feedback", "<>", ""),
      )
      .leftJoin("hand_overs", (join) =>
        join
          .onRef("hand_overs.request_id", "=", "requests.id")
          .on("hand_overs.state", "in", [sql.lit("asked"), sql.lit("started")])
          .on("requests.owner", "is", null),
      )
      .select(["requests.id as id", "submissions.id as wrote", "hand_overs.id as handOver"])
      .where("requests.state", "in", workingNames)
      .where("requests.due_on", ">=", from)
      .where("requests.due_on", "<=", until)
      .where("requests.id", ">=", first)
      .where("requests.id", "<=", last),
);

/** Requests of which a reference, or open ones of which the address, begins so. */
export async function findByBeginning(
  database: Read,
  { reference, address }: { reference: string | undefined; address: string },
  limit: number,
): Promise<StoredRequest[]> {
  // Texts are compared sign by sign in both databases.
  const beginning = (from: string) => ({ from, below: `${from}\uffff`, limit });
  const rows = [
    ...(reference ? await byReference(database, beginning(reference)) : []),
    ...(await byAddress(database, beginning(address))),
  ];
  return [...new Map(rows.map((row) => [row.id, toRequest(row)])).values()].slice(0, limit);
}

type Beginning = { from: string; below: string; limit: number };

const byReference = reading((tables, { from, below, limit }: Beginning) =>
  tables
    .selectFrom("submissions")
    .innerJoin("requests", "requests.id", "submissions.request_id")
    .selectAll("requests")
    .where("submissions.reference", ">=", from)
    .where("submissions.reference", "<", below)
    .orderBy("submissions.reference")
    .limit(limit),
);

const byAddress = reading((tables, { from, below, limit }: Beginning) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("email_match", ">=", from)
    .where("email_match", "<", below)
    .where("state", "in", openNames)
    .orderBy("email_match")
    .limit(limit),
);
