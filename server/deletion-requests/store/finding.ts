import { sql } from "kysely";
import { matchEmail } from "../../addresses/email-address.ts";
import { type Read, reading } from "../../database/statement.ts";
import type { KeyedHash } from "../../keys/keys.ts";
import {
  isEnded,
  type ReceivedRequest,
  type StoredRequest,
  type WorkingRequest,
} from "./request.ts";
import { toRequest } from "./request-row.ts";

/** Finding one request, or those of one address. */

/** Any of its references finds a request. */
export async function findRequest(
  database: Read,
  reference: string,
): Promise<StoredRequest | undefined> {
  const row = await database.one(requestByReference, { reference });
  return row && toRequest(row);
}

const requestByReference = reading((tables, { reference }: { reference: string }) =>
  tables
    .selectFrom("requests")
    .innerJoin("submissions", "submissions.request_id", "requests.id")
    .selectAll("requests")
    .where("submissions.reference", "=", reference),
);

export async function findRequestById(
  database: Read,
  id: number,
): Promise<StoredRequest | undefined> {
  const row = await database.one(requestById, { id });
  return row && toRequest(row);
}

const requestById = reading((tables, { id }: { id: number }) =>
  tables.selectFrom("requests").selectAll().where("id", "=", id),
);

/** The open request of an address. */
export async function findOpenRequest(
  database: Read,
  email: string,
): Promise<ReceivedRequest | WorkingRequest | undefined> {
  const row = await database.one(openRequestOf, { match: matchEmail(email) });
  const request = row && toRequest(row);
  return request && isEnded(request) ? undefined : request;
}

// SQLite uses a partial index only where the query says its condition in so many words.
const openRequestOf = reading((tables, { match }: { match: string }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("email_match", "=", match)
    .where("state", "in", [sql.lit("received"), sql.lit("confirmed"), sql.lit("in-progress")]),
);

/** The ended requests of an address, by the hash that stays of it; newest first. */
export async function findEndedRequests(
  database: Read,
  hash: KeyedHash,
  limit: number,
): Promise<StoredRequest[]> {
  const rows = await database.all(requestsByHash, { ...hash, limit });
  return rows.map(toRequest);
}

const requestsByHash = reading(
  (tables, { hash, version, limit }: { hash: string; version: number; limit: number }) =>
    tables
      .selectFrom("requests")
      .selectAll()
      .where("address_hash", "=", hash)
      .where("address_hash_version", "=", version)
      .orderBy("id", "desc")
      .limit(limit),
);

/** Requests whose mails go to this address instead of to a closed mailbox. */
export async function findRequestsByContact(
  database: Read,
  contact: string,
  limit: number,
): Promise<StoredRequest[]> {
  const rows = await database.all(requestsByContact, { match: matchEmail(contact), limit });
  return rows.map(toRequest);
}

const requestsByContact = reading((tables, { match, limit }: { match: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .selectAll()
    .where("contact_match", "<>", sql.lit(""))
    .where("contact_match", "=", match)
    .limit(limit),
);

/** What an operator is at work on. */
export async function listOwned(database: Read, owner: string, limit: number): Promise<number[]> {
  return (await database.all(ownedBy, { owner, limit })).map((row) => row.id);
}

const ownedBy = reading((tables, { owner, limit }: { owner: string; limit: number }) =>
  tables
    .selectFrom("requests")
    .select("id")
    .where("owner", "=", owner)
    .where("ended_at", "is", null)
    .orderBy("id")
    .limit(limit),
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
  const row = await database.one(addressOf, { id });
  const contact = which === "for-mails" && row?.contact;
  const address = contact || row?.email;
  return row && address
    ? { address, language: row.language, isContact: Boolean(contact) }
    : undefined;
}

const addressOf = reading((tables, { id }: { id: number }) =>
  tables.selectFrom("requests").select(["email", "contact", "language"]).where("id", "=", id),
);
