import { createHash } from "node:crypto";
import type { Kysely } from "kysely";

type Before = {
  requests: {
    id: number;
    state: string;
    reference: string;
    received_at: string;
    confirmed_at: string | null;
    due_on: string | null;
    ended_at: string | null;
    refusal_reason: string | null;
    address_hash: string | null;
    address_hash_version: number | null;
  };
  ledger_entries: {
    sequence: number;
    request_id: number | null;
    what: string;
    entered_at: string;
    text: string;
    hash: string;
    key_version: number | null;
    signature: string | null;
  };
};

/**
 * The erasure ledger becomes a chain: each entry holds the hash of the one before. What had ended already is entered in
 * the order of its end; the server signs it at its next start, because a migration has no keys.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("ledger_entries")
    .addColumn("sequence", "integer", (column) => column.primaryKey())
    .addColumn("request_id", "integer")
    .addColumn("what", "text", (column) => column.notNull())
    .addColumn("entered_at", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("key_version", "integer")
    .addColumn("signature", "text")
    .execute();
  await database.schema
    .createIndex("ledger_by_request")
    .on("ledger_entries")
    .columns(["request_id", "sequence"])
    .execute();
  await database.schema
    .createIndex("ledger_by_version")
    .on("ledger_entries")
    .columns(["key_version", "sequence"])
    .execute();

  // Up to where the ledger has forgotten, signed. One row at most.
  await database.schema
    .createTable("ledger_checkpoint")
    .addColumn("id", "integer", (column) => column.primaryKey())
    .addColumn("sequence", "integer", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("key_version", "integer", (column) => column.notNull())
    .addColumn("signature", "text", (column) => column.notNull())
    .execute();

  // The public halves of all keys that ever signed: receipts outlive the keys.
  await database.schema
    .createTable("signing_keys")
    .addColumn("version", "integer", (column) => column.primaryKey())
    .addColumn("public_key", "text", (column) => column.notNull())
    .addColumn("since", "text", (column) => column.notNull())
    .execute();

  await chain(database as Kysely<Before>);
}

async function chain(database: Kysely<Before>): Promise<void> {
  let [sequence, previous] = [0, "0".repeat(64)];
  let last = { ended_at: "", id: 0 };
  for (;;) {
    const rows = await database
      .selectFrom("requests")
      .selectAll()
      .where("ended_at", "is not", null)
      .where((where) =>
        where.or([
          where("ended_at", ">", last.ended_at),
          where.and([where("ended_at", "=", last.ended_at), where("id", ">", last.id)]),
        ]),
      )
      .orderBy("ended_at")
      .orderBy("id")
      .limit(1000)
      .execute();
    for (const row of rows) {
      sequence++;
      const text = [
        `Deletion ledger, entry ${sequence}`,
        `Previous: ${previous}`,
        `Entered: ${row.ended_at}`,
        `What: ${row.state}`,
        `Reference: ${row.reference}`,
        `Received: ${row.received_at}`,
        `Confirmed: ${row.confirmed_at}`,
        `Due: ${row.due_on}`,
        `Ended: ${row.ended_at}`,
        ...(row.refusal_reason ? [`Reason: ${row.refusal_reason}`] : []),
        `Account: ${row.address_hash_version}.${row.address_hash}`,
      ]
        .map((line) => `${line}\n`)
        .join("");
      previous = createHash("sha256").update(text, "utf8").digest("hex");
      await database
        .insertInto("ledger_entries")
        .values({
          sequence,
          request_id: row.id,
          what: row.state,
          entered_at: row.ended_at ?? "",
          text,
          hash: previous,
          key_version: null,
          signature: null,
        })
        .execute();
    }
    const end = rows.at(-1);
    if (!end) return;
    last = { ended_at: end.ended_at ?? "", id: end.id };
  }
}
