import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { askPostgres } from "../../server/database/database.fixture.ts";

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
  const path = join(dataDir, "requests.sqlite");
  const sqlite = new DatabaseSync(path);
  sqlite.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000");
  sqlite.function("reference_of", { deterministic: true }, (serial) => referenceOf(Number(serial)));
  sqlite.function("hash_of", { deterministic: true }, (text) => hashOf(String(text)));
  sqlite.function("uuid_of", { deterministic: true }, (text) => uuidOf(String(text)));
  return {
    sqlite,
    multiply(copies: Copies): void {
      const read = (sql: string) => sqlite.prepare(sql).all();
      const facts = Object.fromEntries(
        Object.entries(factsOf(copies.of)).map(([name, sql]) => [name, read(sql)]),
      ) as Facts;
      sqlite.exec("begin");
      for (const sql of copying(tablesOf(sqlite), facts, copies)) sqlite.exec(sql);
      sqlite.exec("commit");
    },
    close(): void {
      sqlite.exec("pragma journal_mode = wal");
      sqlite.close();
      // A gigabyte that is not on the disk yet would be written by the first commit of whoever opens the store next.
      const file = openSync(path, "r+");
      fsyncSync(file);
      closeSync(file);
    },
  };
}

/** The same on PostgreSQL, by somebody who may make functions there. */
export async function openPostgresForFilling(url: string) {
  const ask = (sql: string) => askPostgres(url, sql);
  await ask(`
    create function hash_of(text) returns text immutable language sql as $$
      select rtrim(translate(encode(sha256(convert_to($1, 'UTF8')), 'base64'), '+/', '-_'), '=') $$;
    create function uuid_of(text) returns text immutable language sql as $$
      select substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-4' || substr(h, 14, 3) || '-a' || substr(h, 18, 3)
        || '-' || substr(h, 21, 12) from (select encode(sha256(convert_to($1, 'UTF8')), 'hex') as h) x $$;
    create function reference_of(bigint) returns text immutable language sql as $$
      select substr(r, 1, 4) || '-' || substr(r, 5) from (select 'Y' || string_agg(
        substr('${alphabet}', (1 + ($1 / (${alphabet.length} ^ k)::bigint) % ${alphabet.length})::int, 1), '' order by k desc
      ) as r from generate_series(0, 6) k) x $$`);
  const columns = await ask(
    "select table_name, column_name from information_schema.columns where table_schema = current_schema()",
  );
  const tables = inOrder(
    Map.groupBy(columns, (row) => String(row.table_name))
      .entries()
      .map(([name, rows]) => [name, rows.map((row) => String(row.column_name))]),
  );
  return {
    ask,
    async multiply(copies: Copies): Promise<void> {
      const facts: Record<string, unknown> = {};
      for (const [name, sql] of Object.entries(factsOf(copies.of))) facts[name] = await ask(sql);
      const steps = copying(tables, facts as Facts, copies);
      // What is copied refers to what is copied with it: that need not be looked up for each row.
      const fast = "set local session_replication_role = replica";
      await ask(["begin", fast, ...steps, "commit"].join(";\n"));
    },
    /** Lets the server go on with ids behind those that were given here. */
    async close(): Promise<void> {
      const counted = await ask(
        "select table_name as name from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'",
      );
      for (const { name } of counted) {
        const last = `(select max(id) from "${name}")`;
        await ask(`select setval(pg_get_serial_sequence('${name}', 'id'), ${last})`);
      }
      await ask("drop function hash_of, uuid_of, reference_of");
    },
  };
}

/** What the copies go by, as it stands before them. */
const factsOf = (of: number) => ({
  next: `select (select coalesce(max(id), 0) + 1 from requests) as request,
    (select coalesce(max(id), 0) + 1 from submissions) as submission`,
  submissions: `select id, reference from submissions where request_id = ${of} order by id`,
  ledger: `select coalesce(max(sequence), 0) as last,
    count(case when request_id = ${of} then 1 end) as count from ledger_entries`,
});
type Facts = {
  next: [{ request: number | string; submission: number | string }];
  submissions: { id: number | string; reference: string }[];
  ledger: [{ last: number | string; count: number | string }];
};

/** SQL that both databases understand. */
function copying(
  tables: Map<string, string[]>,
  facts: Facts,
  { of, count, change = {} }: Copies,
): string[] {
  const { submissions } = facts;
  const firstId = Number(facts.next[0].request);
  const firstSubmission = Number(facts.next[0].submission);
  const [ledger] = facts.ledger;
  const place = (column: string, key: "id" | "reference") =>
    `(case ${column} ${submissions
      .map((one, index) => `when '${one[key]}' then ${index}`)
      .join(" ")} end)`;
  /** The id of the copied submission that stands where the original's stood. */
  const submissionOf = (column: string, key: "id" | "reference") =>
    `(${firstSubmission} + (copy.i - 1) * ${submissions.length} + ${place(column, key)})`;
  const copiedReference = `case when ${place("t.reference", "reference")} is null then t.reference else reference_of(${submissionOf("t.reference", "reference")}) end`;

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
    ledger_entries: {
      sequence: `${ledger.last} + (copy.i - 1) * ${ledger.count} + (select count(*) from ledger_entries e where e.request_id = t.request_id and e.sequence <= t.sequence)`,
    },
  };
  const everywhere: Record<string, string> = {
    request_id: `${firstId - 1} + copy.i`,
    email: `case when t.email = '' then '' else 'student' || (${firstId} + copy.i) || '@uni.example' end`,
    email_match: `case when t.email_match = '' then '' else 'student' || (${firstId} + copy.i) || '@uni.example' end`,
    address_hash: `case when t.address_hash is null then null else hash_of('address ' || (${firstId} + copy.i)) end`,
  };

  return [...tables].flatMap(([table, columns]) => {
    if (table !== "requests" && !columns.includes("request_id")) return [];
    const values = columns.flatMap((column) => {
      const value = change[table]?.[column] ?? known[table]?.[column] ?? everywhere[column];
      // Other ids follow by themselves.
      if (column === "id" && value === undefined) return [];
      return [[`"${column}"`, value ?? `t."${column}"`] as const];
    });
    return [
      `insert into ${table} (${values.map(([column]) => column).join(", ")})
       with recursive copy(i) as (select 1 union all select i + 1 from copy where i < ${count})
       select ${values.map(([, value]) => value).join(", ")}
       from copy cross join ${table} t
       where t.${table === "requests" ? "id" : "request_id"} = ${of}
       order by copy.i${columns.includes("id") ? ", t.id" : ""}`,
    ];
  });
}

/** Requests first, then submissions: the others refer to them. */
function inOrder(tables: Iterable<[string, string[]]>): Map<string, string[]> {
  const place = (name: string) => ["requests", "submissions"].indexOf(name) >>> 0;
  return new Map([...tables].sort(([one], [other]) => place(one) - place(other)));
}

function tablesOf(sqlite: DatabaseSync): Map<string, string[]> {
  const names = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all() as { name: string }[];
  const columns = sqlite.prepare("select name from pragma_table_info(?)");
  return inOrder(
    names.map(({ name }) => [
      name,
      (columns.all(name) as { name: string }[]).map((column) => column.name),
    ]),
  );
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
