import { sql } from "kysely";
import { matchEmail } from "../../platform/addresses/email-address.ts";
import type { KeyedHash } from "../../platform/crypto/keys.ts";
import { toText } from "../../platform/database/rows.ts";
import { listTheirs } from "../../platform/database/schema.ts";
import {
  counting,
  deleting,
  finding,
  inserting,
  insertingReserved,
  listing,
  type Read,
  reading,
  storing,
  updating,
  type Write,
  writing,
} from "../../platform/database/statement.ts";

import {
  dueOf,
  isEnded,
  openStates,
  type ReceivedRequest,
  type StoredRequest,
  type WorkingRequest,
} from "../state-machine/request.ts";
import { toRequest, toRow } from "./request-row.ts";

/**
 * State names as SQL literals, because a query uses a partial index only if it repeats the index's
 * condition.
 */
export const openNames = openStates.map((state) => sql.lit(state));

/** Open states with a due date. */
export const workingStates = openStates.filter((state) => state !== "received");
export const workingNames = workingStates.map((state) => sql.lit(state));

// Finding one request, or the requests for an email address

/** Finds a request by any of its references. */
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

/** Finds a request's row without parsing it. */
export const findRow = finding("requests", { id: "=" });

/** Finds the open request for an email address. At most one exists. */
export const findOpenRequest = (database: Read, email: string) =>
  openRequestOf(database, { emailMatch: matchEmail(email) });

const openRequestOf = finding(
  "requests",
  { emailMatch: "=", state: ["in", openStates] },
  (row) => toRequest(row) as ReceivedRequest | WorkingRequest,
);

/** Lists the ended requests for a hashed email address, newest first. */
export const findEndedRequests = listing(
  "requests",
  { addressHash: "=", addressHashVersion: "=" },
  ["id", "desc"],
  toRequest,
);

/**
 * Finds requests that have this address as their contact.
 * @param match the address, normalized by `matchEmail`
 */
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

export const listOwned = listing("requests", { owner: "=", endedAt: "is null" }, ["id"], toRequest);

export type RequestCounts = Awaited<ReturnType<typeof countByState>>;

/**
 * Summary of the confirmed requests that aren't marked done, for the top of operator pages and for
 * digests.
 */
export const countByState = reading(
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
    /** Requests that missed their due date. */
    late: Number(row?.late ?? 0),
    /** The earliest due date, even if it has passed. `undefined` if there are no such requests. */
    first: row?.dueOn,
  }),
);

export const countReceived = counting("requests", { state: ["=", "received"] });

// Changing requests

/** Inserts a request. The caller must insert its first submission. */
export async function addRequest(
  transaction: Write,
  request: Omit<ReceivedRequest, "id" | "state" | "contact" | "enteredBy" | "approvableAt">,
): Promise<ReceivedRequest> {
  const fresh = newRequest(0, request);
  return { ...fresh, id: await insertRequest(transaction, toRow(fresh)) };
}

type NewRequest = Parameters<typeof addRequest>[1];

/** Builds a new request with a reserved id (`Write.reserve`). */
export function newRequest(id: number, request: NewRequest): ReceivedRequest {
  const unnamed = { state: "received", contact: undefined, enteredBy: undefined } as const;
  return { ...unnamed, approvableAt: undefined, ...request, id };
}

export const addReservedRequest = (transaction: Write, request: ReceivedRequest) =>
  insertReservedRequest(transaction, toRow(request));

const insertRequest = inserting("requests", ({ id }) => id);

const insertReservedRequest = insertingReserved("requests");

/**
 * Stores a changed request. The request must have been read in the same transaction. Apart from
 * `restoreRow` and the erasure, no other code changes the columns that `toRequest` reads.
 * @param account hash of the email address; only for ended requests
 */
export async function saveRequest(
  transaction: Write,
  before: StoredRequest,
  after: StoredRequest,
  account?: KeyedHash,
): Promise<void> {
  if (after === before) return;
  const isPromised =
    !isEnded(before) && dueOf(before) === dueOf(after) && expiryOf(before) === expiryOf(after);
  const save = isPromised ? savePromised : saveWhole;
  await save(transaction, toRow(after, account));
}

const expiryOf = (request: StoredRequest) =>
  request.state === "received" ? toText(request.expiresAt) : undefined;

/** Clears the timestamps of warnings and late notices, because a new due date needs new ones. */
const saveWhole = storing("requests");
/** Keeps these timestamps, because neither the due date nor the expiry has changed. */
const savePromised = storing("requests", ["warnedAt", "toldLateAt"]);

/** Restores a request's row from before an act, including the timestamps of sent notices. */
export const restoreRow = storing("requests");

// Timestamps of sent notices. No transition depends on them.

/**
 * Records that a mail server accepted the final email, unless the outcome has been undone since.
 */
export const recordNotified = updating("requests", ["toldAt"], { id: "=", state: "=" });

export const recordLateNotice = updating("requests", ["toldLateAt"]);

export const recordWarning = updating("requests", ["warnedAt"]);

/** Deletes a request and all related data. */
export const removeRequest = deleting("requests", { id: "=" });

/**
 * Erases the columns marked as personal in every table and records the time of the erasure in the
 * request.
 */
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
