import { sql } from "kysely";
import { z } from "zod";
import { matchEmail } from "../../addresses/email-address.ts";
import type { SkippedDay } from "../../calendar/business-days.ts";
import { type RowIn, toText } from "../../database/rows.ts";
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
import { approvalDays, noticeHours } from "../../terms.ts";
import { type Completion, completionSchema } from "../life/completion.ts";
import {
  actors,
  type Confirmed,
  dueOf,
  type Ended,
  type Hold,
  holdReasons,
  type InAnyState,
  isEnded,
  openStates,
  type Received,
  type ReceivedRequest,
  reasonCodes,
  refusalReasons,
  type StoredRequest,
  type WorkingRequest,
} from "../life/request.ts";

/** The row of a request: what is read of it, how it is found, and what may change in it, as the caller decides. */

/** Throws where a row has not what its state must have: nothing is guessed and no date invented. */
export function toRequest(row: RowIn<"requests">): StoredRequest {
  return parse("requests", row.id, () => {
    const { state, id, language, sent, receivedAt, enteredBy } = row;
    const common: Received = {
      id,
      language,
      sent,
      receivedAt,
      enteredBy,
      reference: need(row, "reference"),
      reason: oneOf(reasonCodes, row.reason),
      contact: row.contact || undefined,
    };
    if (state === "received") {
      const expiresAt = need(row, "expiresAt");
      const approvableAt = approvableIn(row, expiresAt);
      return { ...common, state, email: need(row, "email"), expiresAt, approvableAt };
    }
    const confirmed: Confirmed = {
      ...common,
      confirmedAt: need(row, "confirmedAt"),
      confirmedOn: need(row, "confirmedOn"),
      dueOn: need(row, "dueOn"),
      skipped: JSON.parse(row.skipped ?? "[]") as SkippedDay[],
      firstDueOn: need(row, "firstDueOn"),
      onTimeBy: need(row, "onTimeBy"),
    };
    const { owner, startedAt, erasedAt } = row;
    const walk = row.walk === undefined ? undefined : walkSchema.parse(JSON.parse(row.walk));
    const completion = row.completion === undefined ? undefined : toCompletion(row.completion);
    if (state === "confirmed" || state === "in-progress") {
      const done = row.doneAt && { at: row.doneAt, completion: need({ completion }, "completion") };
      const working = {
        ...confirmed,
        email: need(row, "email"),
        hold: toHold(row),
        owner,
        done,
        walk,
      };
      if (state === "confirmed") return { ...working, state };
      return { ...working, state, startedAt: need(row, "startedAt") };
    }
    const ended: Ended = {
      ...confirmed,
      startedAt,
      completion,
      erasedAt,
      email: row.email || undefined,
      endedAt: need(row, "endedAt"),
      endedBy: oneOf(actors, row.endedBy),
      // A version that does not know this column leaves it in requests that it confirms.
      approvableAt: row.endedAt?.equals(confirmed.confirmedAt) ? row.approvableAt : undefined,
    };
    if (state === "refused") {
      return { ...ended, state, refusalReason: oneOf(refusalReasons, row.refusalReason) };
    }
    return { ...ended, state: oneOf(["completed", "cancelled"] as const, state) };
  });
}

const walkSchema = z.record(z.string(), z.array(z.string()));

/** Versions up to 1.11 entered requests without the earliest approval. */
function approvableIn(row: RowIn<"requests">, expiresAt: Temporal.Instant) {
  if (row.approvableAt || row.enteredBy === undefined) return row.approvableAt;
  return expiresAt.subtract({ hours: approvalDays * 24 }).add({ hours: noticeHours });
}

function toHold(row: RowIn<"requests">): Hold | undefined {
  if (!row.heldUntil) return undefined;
  return {
    reason: oneOf(holdReasons, row.heldReason),
    until: row.heldUntil,
    // A version that does not know who set a hold leaves it to a person.
    by: row.heldBy === "system" ? "system" : "operator",
  };
}

function toCompletion(text: string): Completion {
  const read = completionSchema.safeParse(JSON.parse(text));
  if (!read.success) throw new Error("what happened to the data is not known");
  return read.data;
}

/**
 * The inverse of `toRequest`: each column, or it does not compile. What is called as its column stands there as it is; what
 * this life has not stands empty, and so do the marks of what was said: of what it has become nobody was told yet.
 * @param account the hash of its address, where it has ended: the row keeps it
 */
export function toRow(request: StoredRequest, account?: KeyedHash): RowIn<"requests"> {
  const { email = "", contact = "", skipped, hold, done, walk, ...columns } = request as InAnyState;
  const completion = columns.completion ?? done?.completion;
  return {
    ...columns,
    email,
    emailMatch: matchEmail(email),
    contact,
    contactMatch: matchEmail(contact),
    skipped: skipped && JSON.stringify(skipped),
    doneAt: done?.at,
    walk: walk && JSON.stringify(walk),
    completion: completion && JSON.stringify(completion),
    heldReason: hold?.reason,
    heldUntil: hold?.until,
    heldBy: hold?.by,
    addressHash: account?.hash,
    addressHashVersion: account?.version,
    warnedAt: undefined,
    toldLateAt: undefined,
    toldAt: undefined,
  };
}

/** What comes out of a row is parsed, not believed. Says which row it was; the row itself may name a person. */
export function parse<T>(table: string, id: number, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new Error(`Row ${id} of ${table} cannot be understood: ${reason}`);
  }
}

export function need<Row, Name extends keyof Row & string>(row: Row, name: Name) {
  if (!row[name]) throw new Error(`${name} is missing`);
  return row[name];
}

export function oneOf<T extends string>(known: readonly T[], value: string | undefined): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error("a code is not known");
  return found;
}

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
