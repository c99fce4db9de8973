import { sql } from "kysely";
import { matchEmail } from "../../addresses/email-address.ts";
import { finding, listing, type Read, reading } from "../../database/statement.ts";
import { isEnded, type ReceivedRequest, type WorkingRequest } from "../life/request.ts";
import { idsOf, openNames, toRequest, workingNames } from "./request-row.ts";

/** Finding one request, or those of one address. */

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

/** The open request of an address. */
export async function findOpenRequest(
  database: Read,
  email: string,
): Promise<ReceivedRequest | WorkingRequest | undefined> {
  const request = await openRequestOf(database, { match: matchEmail(email) });
  return request && isEnded(request) ? undefined : request;
}

const openRequestOf = reading(
  (tables, { match }: { match: string }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("email_match", "=", match)
      .where("state", "in", openNames),
  ([row]) => row && toRequest(row),
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
export const listOwned = reading(
  (tables, { owner, limit }: { owner: string; limit: number }) =>
    tables
      .selectFrom("requests")
      .select("id")
      .where("owner", "=", owner)
      .where("ended_at", "is", null)
      .orderBy("id")
      .limit(limit),
  (rows) => idsOf(rows),
);

/**
 * The address that mails of a request go to; undefined once erased.
 * @param which the account's own, where a mail must not reach the contact of a closed mailbox
 */
export async function findMailbox(
  database: Read,
  id: number,
  which: "for-mails" | "of-account" = "for-mails",
): Promise<{ address: string; language: string; isContact: boolean } | undefined> {
  const row = await rowOf(database, { id });
  const contact = which === "for-mails" && row?.contact;
  const address = contact || row?.email;
  return row && address
    ? { address, language: row.language, isContact: Boolean(contact) }
    : undefined;
}

const rowOf = finding("requests", { id: "=" });

/** What every page and mail of operators says first: how much is open, and whether each promised date still holds. */
export type Standing = {
  open: number;
  /** How many of them were promised for a day that has passed. */
  late: number;
  /** The first date that was promised, passed or to come; undefined where nothing is open. */
  first: Temporal.PlainDate | undefined;
};

/** Confirmed ones that nobody has called done. */
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
  ([row]): Standing => ({
    open: Number(row?.open),
    late: Number(row?.late ?? 0),
    first: row?.dueOn,
  }),
);

/** How many requests wait for their confirmation. */
export const countReceived = reading(
  (tables) =>
    tables
      .selectFrom("requests")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("state", "=", sql.lit("received")),
  ([row]) => Number(row?.count),
);
