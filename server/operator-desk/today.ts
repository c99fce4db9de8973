import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { type Read, reading } from "../database/statement.ts";
import { parseReferenceBeginning } from "../deletion-requests/life/reference.ts";
import { isWorking, type StoredRequest, undoMinutes } from "../deletion-requests/life/request.ts";
import { countReceived } from "../deletion-requests/store/finding.ts";
import { openNames, toRequest, workingNames } from "../deletion-requests/store/request-row.ts";
import {
  createReading,
  type QueuedRequest,
  withDaysLeft,
} from "../deletion-requests/working/reading.ts";
import { listTroubledOwners } from "../outbox/outbox.ts";

/** What the one list shows: what there is to do, and what is looked for. */

export type TodaysWork = {
  /** What the account system says to have deleted although it is on hold: before everything else. */
  deletedHeld: QueuedRequest[];
  /** What can still be taken back: for ten minutes it stands before everything. */
  undoable: QueuedRequest[];
  toApprove: QueuedRequest[];
  /** A page of the queue by date, whoever is at work on it. */
  queue: QueuedRequest[];
  /** The reference behind which the next page begins; undefined on the last. */
  next: string | undefined;
  /** How many wait for their person, of whom nobody can do anything. */
  unconfirmed: number;
};

type Services = Parameters<typeof createReading>[0] & { database: Database };

/** So many on a page. */
const pageSize = 50;

/**
 * What there is to do, the same for everybody: first what can be undone, then everything by its date.
 * @param after the reference behind which the page begins; one that there is not begins with the first page
 */
export async function readToday(services: Services, after?: string): Promise<TodaysWork> {
  const { read } = services.database;
  const reading = createReading(services);
  const shown = (requests: readonly StoredRequest[]) =>
    after ? [] : requests.map((request) => withDaysLeft(services, request));
  const deletedHeld = await listDeletedHeld(read, { limit: pageSize });
  const toApprove = await listToApprove(read, { limit: pageSize });
  const since = services.clock().subtract({ minutes: undoMinutes });
  const undoable = [
    ...(await listDone(read, { limit: pageSize })),
    ...(await listJustEnded(read, { since, limit: pageSize })),
  ];
  const found = await reading.list(["working"], pageSize, after);
  if (!found) return readToday(services);
  const isAbove = new Set(deletedHeld.map(({ id }) => id));
  const isDone = (request: StoredRequest) => isWorking(request) && request.done;
  return {
    deletedHeld: shown(deletedHeld),
    undoable: shown(undoable),
    toApprove: shown(toApprove),
    queue: found.requests.filter((request) => !isDone(request) && !isAbove.has(request.id)),
    next: found.hasMore ? found.requests.at(-1)?.reference : undefined,
    unconfirmed: (await countReceived(read)) - toApprove.length,
  };
}

/**
 * By a whole reference or address whatever became of it, else by how one of them begins.
 * @returns a page of them, and whether there are more
 */
export async function search(
  services: Services,
  typed: string,
): Promise<{ requests: QueuedRequest[]; more: boolean }> {
  const whole = await createReading(services).search(typed);
  const address = typed.trim().toLowerCase();
  if (whole.length > 0 || address.length < 2) return { requests: whole, more: false };
  const { read } = services.database;
  const reference = parseReferenceBeginning(typed);
  // Texts are compared sign by sign in both databases.
  const beginning = (from: string) => ({ from, below: `${from}\uffff`, limit: pageSize + 1 });
  const rows = [
    ...(reference ? await listByReference(read, beginning(reference)) : []),
    ...(await listByAddress(read, beginning(address))),
  ];
  const begun = [...new Map(rows.map((row) => [row.id, row])).values()];
  return {
    requests: begun.slice(0, pageSize).map((request) => withDaysLeft(services, request)),
    more: begun.length > pageSize,
  };
}

/** Entered for closed mailboxes, waiting for the second person; the soonest to expire first. */
const listToApprove = reading(
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
const listDeletedHeld = reading(
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

/** What is called done and can still be taken back, the longest ago first. */
const listDone = reading(
  (tables, { limit }: { limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("done_at", "is not", null)
      .where("ended_at", "is", null)
      .orderBy("done_at")
      .limit(limit),
  (rows) => rows.map(toRequest),
);

/** What was refused or cancelled since then and nobody was told of: before, a mail has left. */
const listJustEnded = reading(
  (tables, { since, limit }: { since: Temporal.Instant; limit: number }) =>
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
  (rows) => rows.map(toRequest),
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

type Stretch = Record<"from" | "until", Temporal.PlainDate> & Record<"first" | "last", number>;

/** Whose person wrote something, and which the account system has, while nobody took it from there. */
const markedByOthers = reading((tables, { from, until, first, last }: Stretch) =>
  tables
    .selectFrom("requests")
    .leftJoin("submissions", (join) =>
      join.onRef("submissions.request_id", "=", "requests.id").on("submissions.feedback", "<>", ""),
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

type Beginning = { from: string; below: string; limit: number };

/** Requests of which a reference begins so. */
const listByReference = reading(
  (tables, { from, below, limit }: Beginning) =>
    tables
      .selectFrom("submissions")
      .innerJoin("requests", "requests.id", "submissions.request_id")
      .selectAll("requests")
      .where("submissions.reference", ">=", from)
      .where("submissions.reference", "<", below)
      .orderBy("submissions.reference")
      .limit(limit),
  (rows) => rows.map(toRequest),
);

/** Open ones of which the address begins so. */
const listByAddress = reading(
  (tables, { from, below, limit }: Beginning) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("email_match", ">=", from)
      .where("email_match", "<", below)
      .where("state", "in", openNames)
      .orderBy("email_match")
      .limit(limit),
  (rows) => rows.map(toRequest),
);
