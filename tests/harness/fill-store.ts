import { hash, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Fills a store of any size within seconds by copying one stored request with all its rows. Works
 * with any schema version. Stop the server first.
 */

/** How to copy a request. SQL expressions may use `copy.i`, the copy's number, starting at 1. */
type Copies = {
  of: number;
  count: number;
  /**
   * SQL expressions for columns, keyed by table and column, such as `{ requests: { received_at:
   * "later(received_at, copy.i)" } }`.
   */
  change?: Record<string, Record<string, string>>;
};

/** Tables that grow with the number of requests. */
export const growing = [
  ...["requests", "submissions", "request_events", "tokens", "outbox", "ledger_entries"],
  "hand_overs",
  "journal",
];

/** Opens the store in a data folder for bulk inserts. A crash before `close` corrupts the store. */
export function openForFilling(dataDir: string) {
  const path = join(dataDir, "requests.sqlite");
  const sqlite = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  sqlite.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
  let sequence = last("sequence", "ledger_entries");
  sqlite.function("next_sequence", () => ++sequence);
  sqlite.function("new_uuid", () => randomUUID());
  sqlite.function("reference_of", { deterministic: true }, referenceOf);
  sqlite.function("hash_of", { deterministic: true }, (text) =>
    hash("sha256", String(text), "base64url"),
  );

  function last(column: string, table: string): number {
    const found = sqlite.prepare(`select max(${column}) as last from ${table}`).get();
    return Number(found?.last ?? 0);
  }

  /**
   * Returns the SQL for a copy's new column values, keyed by table and column. The key `any`
   * applies to every table.
   */
  function newValues(of: number): Record<string, Record<string, string>> {
    const request = `(${last("id", "requests")} + copy.i)`;
    const next = last("id", "submissions") + 1;
    const submissions = sqlite
      .prepare("select id, reference from submissions where request_id = ? order by id")
      .all(of);
    /**
     * Returns SQL that maps a submission of the original request to the same submission of the
     * copy. Maps null to null.
     */
    const submissionBy = (key: "id" | "reference", column: string = key) => {
      const places = submissions
        .map((submission, index) => `when '${submission[key]}' then ${index}`)
        .join(" ");
      return `${next} + (copy.i - 1) * ${submissions.length} + (case t.${column} ${places} end)`;
    };
    const reference = `coalesce(reference_of(${submissionBy("reference")}), t.reference)`;
    const student = (column: string) =>
      `iif(t.${column} = '', '', 'student' || ${request} || '@uni.example')`;
    return {
      any: {
        request_id: request,
        email: student("email"),
        email_match: student("email_match"),
        address_hash: `iif(t.address_hash is null, null, hash_of('address ' || ${request}))`,
      },
      requests: { id: request, reference },
      submissions: {
        id: submissionBy("id"),
        form_key_hash: "hash_of('form ' || t.id || ' ' || copy.i)",
        reference,
      },
      tokens: {
        submission_id: submissionBy("id", "submission_id"),
        hash: "hash_of('token ' || t.id || ' ' || copy.i)",
      },
      outbox: { message_key: "new_uuid()", reference },
      ledger_entries: { sequence: "next_sequence()" },
    };
  }

  return {
    sqlite,
    multiply({ of, count, change = {} }: Copies): void {
      const tables = Map.groupBy(
        sqlite
          .prepare(
            `select m.name as "table", c.name as column from sqlite_master m, pragma_table_info(m.name) c
             where m.type = 'table' and m.name not like 'sqlite_%'`,
          )
          .all() as { table: string; column: string }[],
        (row) => row.table,
      );
      const known = newValues(of);
      sqlite.exec("begin");
      for (const [table, columns] of tables) {
        const idColumn = table === "requests" ? "id" : "request_id";
        if (!columns.some(({ column }) => column === idColumn)) continue;
        const values = columns.flatMap(({ column }) => {
          const value = change[table]?.[column] ?? known[table]?.[column] ?? known.any?.[column];
          // The database assigns all other ids.
          if (column === "id" && value === undefined) return [];
          return [[`"${column}"`, value ?? `t."${column}"`] as const];
        });
        sqlite.exec(
          `insert into ${table} (${values.map(([column]) => column).join(", ")})
           with recursive copy(i) as (select 1 union all select i + 1 from copy where i < ${count})
           select ${values.map(([, value]) => value).join(", ")}
           from copy cross join ${table} t where t.${idColumn} = ${of} order by copy.i, t.rowid`,
        );
      }
      sqlite.exec("commit");
    },
    close(): void {
      sqlite.exec("pragma journal_mode = wal");
      sqlite.close();
      // Without this sync, the next process's first commit would flush up to a gigabyte.
      const file = openSync(path, "r+");
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/**
 * Converts a serial number to a unique reference, and null to null. The fixed prefix makes
 * collisions with random references unlikely.
 */
function referenceOf(serial: unknown): string | null {
  if (serial === null) return null;
  const digits = Number(serial).toString(24).padStart(7, "0");
  const text = `Y${[...digits].map((digit) => "23456789CDFHJKMNPQRTVWXY"[Number.parseInt(digit, 24)]).join("")}`;
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
