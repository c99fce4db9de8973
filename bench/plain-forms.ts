import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { newValues, servePlainForms, tables } from "./plain-mails.ts";

/**
 * A bare server that stores forms in SQLite. It parses the same body as the site, and uses prepared
 * statements. It commits the same rows, with the same durability. The rows are copies of those that
 * the site stored for one form in this data folder.
 */
const [folder = "", smtpUrl = ""] = process.argv.slice(2);
const sqlite = new DatabaseSync(join(folder, "requests.sqlite"), { timeout: 5_000 });
sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on");
sqlite.exec("pragma foreign_keys = on");

const statements = tables.map((table) => {
  const key = table === "requests" ? "id" : "request_id";
  const row = sqlite.prepare(`select * from ${table} where ${key} = 1`).get();
  if (!row) throw new Error(`The first form stored no row in ${table}`);
  const { id: _id, ...rest } = row;
  const columns = Object.keys(rest);
  const insert = sqlite.prepare(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  return { table, columns, values: Object.values(rest) as SQLInputValue[], insert };
});
const countForm = sqlite.prepare(`insert into tallies (month, name, count) values ('2026-11', ?, 1)
  on conflict (month, name) do update set count = count + 1`);
const countNetworks = sqlite.prepare(`insert into network_forms (network, hour, forms)
  values (?1, ?5, 1), (?2, ?5, 1), (?3, ?5, 1), (?4, ?5, 1)
  on conflict (network, hour) do update set forms = forms + 1`);
const begin = sqlite.prepare("begin immediate");
const commit = sqlite.prepare("commit");

servePlainForms(smtpUrl, (fields, client) => {
  const { row, tally, networks } = newValues(fields, client);
  const ids: Record<string, SQLInputValue> = {};
  begin.run();
  for (const { table, columns, values, insert } of statements) {
    const { lastInsertRowid } = insert.run(
      ...columns.map((column, index) => ids[column] ?? row[column] ?? values[index] ?? null),
    );
    if (table === "requests") ids.request_id = lastInsertRowid;
    if (table === "submissions") ids.submission_id = lastInsertRowid;
  }
  countForm.run(tally);
  countNetworks.run(...networks);
  commit.run();
  return row;
});
