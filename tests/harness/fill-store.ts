import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Multiplies what a server stored: copies a request with all that belongs to it, row by row as the server wrote it, so
 * that a store of any size is filled within seconds and follows every change of the tables. Only while no server runs.
 */

/** What of a copy differs from the original. Each is SQL over `copy.i`, the number of the copy from 1 on. */
type Copies = {
  /** Copies of the request with this id. */
  of: number;
  count: number;
  /** Column expressions by table, such as `{ requests: { received_at: "later(received_at, copy.i)" } }`. */
  change?: Record<string, Record<string, string>>;
};

const alphabet = "23456789CDFHJKMNPQRTVWXY";

/** Opens the store of a data folder for filling: nothing is kept safe while it lasts. */
export function openForFilling(dataDir: string) {
  const sqlite = new DatabaseSync(join(dataDir, "requests.sqlite"));
  sqlite.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
  sqlite.function("reference_of", { deterministic: true }, (serial) => referenceOf(Number(serial)));
  sqlite.function("hash_of", { deterministic: true }, (text) => hashOf(String(text)));
  sqlite.function("uuid_of", { deterministic: true }, (text) => uuidOf(String(text)));
  return {
    sqlite,
    multiply: (copies: Copies) => multiply(sqlite, copies),
    close(): void {
      sqlite.exec("pragma journal_mode = wal");
      sqlite.close();
    },
  };
}

function multiply(sqlite: DatabaseSync, { of, count, change = {} }: Copies): void {
  const firstId = nextId(sqlite, "requests");
  const firstSubmission = nextId(sqlite, "submissions");
  const submissions = sqlite
    .prepare("select id, reference from submissions where request_id = ? order by id")
    .all(of) as { id: number; reference: string }[];
  const place = (column: string, key: "id" | "reference") =>
    `(case ${column} ${submissions
      .map((one, index) => `when '${one[key]}' then ${index}`)
      .join(" ")} end)`;
  /** The id of the copied submission that stands where the original's stood. */
  const submissionOf = (column: string, key: "id" | "reference") =>
    `(${firstSubmission} + (copy.i - 1) * ${submissions.length} + ${place(column, key)})`;
  const copiedReference = `case when ${place("t.reference", "reference")} is null then t.reference else reference_of(${submissionOf("t.reference", "reference")}) end`;

  const tables = tablesOf(sqlite);
  const known: Record<string, Record<string, string>> = {
    requests: {
      id: `${firstId - 1} + copy.i`,
      reference: copiedReference,
    },
    submissions: {
      id: submissionOf("t.id", "id"),
      form_key_hash: "hash_of('form ' || t.id || ' ' || copy.i)",
      reference: copiedReference,
    },
    tokens: {
      submission_id: `case when t.submission_id is null then null else ${submissionOf("t.submission_id", "id")} end`,
      hash: "hash_of('token ' || t.id || ' ' || copy.i)",
    },
    outbox: {
      message_key: "uuid_of('mail ' || t.id || ' ' || copy.i)",
      reference: copiedReference,
    },
  };
  const [ledger] = sqlite
    .prepare(
      "select coalesce(max(sequence), 0) as last, sum(request_id = ?) as count from ledger_entries",
    )
    .all(of) as { last: number; count: number }[];
  known.ledger_entries = {
    sequence: `${ledger?.last} + (copy.i - 1) * ${ledger?.count} + (select count(*) from ledger_entries e where e.request_id = t.request_id and e.sequence <= t.sequence)`,
  };
  const everywhere: Record<string, string> = {
    request_id: `${firstId - 1} + copy.i`,
    email: `case when t.email = '' then '' else 'student' || (${firstId} + copy.i) || '@uni.example' end`,
    email_match: `case when t.email_match = '' then '' else 'student' || (${firstId} + copy.i) || '@uni.example' end`,
    address_hash: `case when t.address_hash is null then null else hash_of('address ' || (${firstId} + copy.i)) end`,
  };

  sqlite.exec("begin");
  for (const [table, columns] of tables) {
    if (table !== "requests" && !columns.includes("request_id")) continue;
    const values = columns.flatMap((column) => {
      const value = change[table]?.[column] ?? known[table]?.[column] ?? everywhere[column];
      // Other ids follow by themselves.
      if (column === "id" && value === undefined) return [];
      return [[column, value ?? `t.${column}`] as const];
    });
    sqlite.exec(
      `insert into ${table} (${values.map(([column]) => column).join(", ")})
       with recursive copy(i) as (select 1 union all select i + 1 from copy where i < ${count})
       select ${values.map(([, value]) => value).join(", ")}
       from copy cross join ${table} t
       where t.${table === "requests" ? "id" : "request_id"} = ${of}
       order by copy.i, t.rowid`,
    );
  }
  sqlite.exec("commit");
}

function tablesOf(sqlite: DatabaseSync): Map<string, string[]> {
  const names = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all() as { name: string }[];
  // Requests first, then submissions: the others refer to them.
  const order = (name: string) => ["requests", "submissions"].indexOf(name) >>> 0;
  return new Map(
    names
      .map(({ name }) => name)
      .sort((one, other) => order(one) - order(other))
      .map((name) => [
        name,
        (
          sqlite.prepare("select name from pragma_table_info(?)").all(name) as { name: string }[]
        ).map((column) => column.name),
      ]),
  );
}

function nextId(sqlite: DatabaseSync, table: string): number {
  return Number(sqlite.prepare(`select coalesce(max(id), 0) + 1 as id from ${table}`).get()?.id);
}

/** Different for every serial, and none that chance would soon give to a form: they begin alike. */
function referenceOf(serial: number): string {
  let rest = serial;
  let characters = "";
  for (let index = 0; index < 7; index++) {
    characters = alphabet[rest % alphabet.length] + characters;
    rest = Math.floor(rest / alphabet.length);
  }
  characters = `Y${characters}`;
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
