import { sql } from "kysely";
import { matchEmail } from "../../addresses/email-address.ts";
import { toText } from "../../database/rows.ts";
import { listTheirs } from "../../database/schema.ts";
import {
  counting,
  deleting,
  finding,
  inserting,
  listing,
  type Read,
  reading,
  storing,
  updating,
  type Write,
  writing,
} from "../../database/statement.ts";
import type { KeyedHash } from "../../keys/keys.ts";

import {
  dueOf,
  isEnded,
  openStates,
  type ReceivedRequest,
  type StoredRequest,
  type WorkingRequest,
} from "../life/request.ts";
import { toRequest, toRow } from "./request-row.ts";

/** Finds, counts and changes the rows of requests. */

/** States as statements name them: a partial index answers only where the query says its condition with the same literals. */

export const openNames = openStates.map((state) => sql.lit(state));

/** Of those with a promised date. */
export const workingStates = openStates.filter((state) => state !== "received");
export const workingNames = workingStates.map((state) => sql.lit(state));

// Finding one request, or those of one address

/** Any of its references finds a request. */
export const findRequest = reading(
  (tables, { reference }: { reference: string }) =>
    tables
      .selectFrom("requests")
      .innerJoin("submissions", "submissions.request_id", "requests.id")
      .selectAll("requests")
      .where("submissions.reference", "=", reference),
  ([row]) => row && toRequest(row),
);

export const findRequestById = finding("requests", { id: "=" }, toRequest);

/** As it stands, for whoever only asks where its mails go. */
export const findRow = finding("requests", { id: "=" });

/** The open request of an address. */
export const findOpenRequest = (database: Read, email: string) =>
  openRequestOf(database, { emailMatch: matchEmail(email) });

const openRequestOf = finding(
  "requests",
  { emailMatch: "=", state: ["in", openStates] },
  (row) => toRequest(row) as ReceivedRequest | WorkingRequest,
);

/** The ended requests of an address, by the hash that stays of it; newest first. */
export const findEndedRequests = listing(
  "requests",
  { addressHash: "=", addressHashVersion: "=" },
  ["id", "desc"],
  toRequest,
);

/** Requests whose mails go to this address, as `matchEmail` has it, instead of to a closed mailbox. */
export const findRequestsByContact = reading(
  (tables, { match, limit }: { match: string; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("contact_match", "<>", sql.lit(""))
      .where("contact_match", "=", match)
      .limit(limit),
  (rows) => rows.map(toRequest),
);

/** What an operator is at work on. */
export const listOwned = listing("requests", { owner: "=", endedAt: "is null" }, ["id"], toRequest);

export type Standing = Awaited<ReturnType<typeof readStanding>>;

/**
 * What every page and mail of operators says first: how much is open, and whether each promised date still holds. It is
 * of confirmed ones that nobody has called done.
 */
export const readStanding = reading(
  (tables, { today }: { today: Temporal.PlainDate }) =>
    tables
      .selectFrom("requests")
      .select((select) => [
        select.fn.countAll<number>().as("open"),
        select.fn
          .sum<number>(select.case().when("due_on", "<", today).then(1).else(0).end())
          .as("late"),
        select.fn.agg<Temporal.PlainDate | null>("min", ["due_on"]).as("due_on"),
      ])
      .where("state", "in", workingNames)
      .where("done_at", "is", null),
  ([row]) => ({
    open: Number(row?.open),
    /** How many of them were promised for a day that has passed. */
    late: Number(row?.late ?? 0),
    /** The first date that was promised, passed or to come; undefined where nothing is open. */
    first: row?.dueOn,
  }),
);

/** How many requests wait for their confirmation. */
export const countReceived = counting("requests", { state: ["=", "received"] });

// Changing it

/** A request of its own, of a form, or of none yet where an operator is about to enter it. */
export async function addRequest(
  transaction: Write,
  request: Omit<ReceivedRequest, "id" | "state" | "contact" | "enteredBy" | "approvableAt">,
): Promise<ReceivedRequest> {
  const unnamed = { id: 0, state: "received", contact: undefined, enteredBy: undefined } as const;
  const fresh = { ...unnamed, approvableAt: undefined, ...request };
  return { ...fresh, id: await insertRequest(transaction, toRow(fresh)) };
}

const insertRequest = inserting("requests", ({ id }) => id);

/**
 * Stores what a request has become, if it is not what it was; its row was read in the same transaction. What its life goes by
 * is changed by nothing else but erasing, for which the marks of columns say once what goes, in this table as in every other.
 * @param account the hash of its address, where it has ended
 */
export async function saveLife(
  transaction: Write,
  before: StoredRequest,
  after: StoredRequest,
  account?: KeyedHash,
): Promise<void> {
  if (after === before) return;
  const isPromised =
    !isEnded(before) && dueOf(before) === dueOf(after) && expiryOf(before) === expiryOf(after);
  const save = isPromised ? savePromised : saveAnew;
  await save(transaction, toRow(after, account));
}

const expiryOf = (request: StoredRequest) =>
  request.state === "received" ? toText(request.expiresAt) : undefined;

/** Of another date the operators are warned anew, and its person is told anew where it passes. */
const saveAnew = storing("requests");
const savePromised = storing("requests", ["warnedAt", "toldLateAt"]);

/** Writes a request's row as it was before an act, marks included. */
export const restoreRow = storing("requests");

// Marks of what was said: nothing that the life of a request goes by.

/** A mail server took the news of an end, which may have been taken back meanwhile. */
export const enterTold = updating("requests", ["toldAt"], { id: "=", state: "=" });

/** Its person was told that the promised day has passed. */
export const enterToldLate = updating("requests", ["toldLateAt"]);

/** The team was told that its date is near. */
export const enterWarning = updating("requests", ["warnedAt"]);

/** Removes a request with everything that belongs to it. */
export const removeRequest = deleting("requests", { id: "=" });

/** Erases what names or describes a person, in every table, by the marks of its columns; its own row says when. */
export async function eraseRequest(
  transaction: Write,
  id: number,
  erasedAt: Temporal.Instant,
): Promise<void> {
  for (const erase of erasures) await erase(transaction, { id, erasedAt });
}

const erasures = listTheirs("person").map(({ table, owner, columns }) =>
  writing((tables, { id, erasedAt }: { id: number; erasedAt: Temporal.Instant }) =>
    tables
      .updateTable(table as "submissions")
      .set({
        ...Object.fromEntries(columns.map(([name, { erased }]) => [name, erased])),
        ...(table === "requests" && ({ erased_at: erasedAt } as object)),
      })
      .where(owner as "request_id", "=", id),
  ),
);
