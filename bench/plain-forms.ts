import { hash, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { servePlainForms } from "./plain-mails.ts";

/**
 * A bare server that stores forms in SQLite. It parses the same body as the site, and uses prepared
 * statements. It commits the same rows, with the same durability. The rows are copies of those that
 * the site stored for one form in this data folder.
 */
const [folder = "", smtpUrl = ""] = process.argv.slice(2);
const sqlite = new DatabaseSync(join(folder, "requests.sqlite"), { timeout: 5_000 });
sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on");
sqlite.exec("pragma foreign_keys = on");

const tables = ["requests", "submissions", "request_events", "tokens", "outbox"];
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
let forms = 0;
const begin = sqlite.prepare("begin immediate");
const commit = sqlite.prepare("commit");

servePlainForms(smtpUrl, (fields, client) => {
  const reference = randomBytes(6).toString("base64url");
  const email = fields.get("email") ?? "";
  const row: Record<string, SQLInputValue> = {
    email,
    email_match: email.toLowerCase(),
    reference,
    reason: fields.get("reason") ?? "",
    feedback: fields.get("feedback") ?? "",
    form_key_hash: hash("sha256", fields.get("formKey") ?? "", "base64url"),
    hash: randomBytes(32).toString("base64url"),
    message_key: randomUUID(),
  };
  begin.run();
  for (const { table, columns, values, insert } of statements) {
    const { lastInsertRowid } = insert.run(
      ...columns.map((column, index) => row[column] ?? values[index] ?? null),
    );
    if (table === "requests") row.request_id = lastInsertRowid;
    if (table === "submissions") row.submission_id = lastInsertRowid;
  }
  const slot = forms++ % 64;
  countForm.run(`received#${slot}`);
  const networks = [client, `${client}/24`, `${email} ${client}`, `${email} ${client}/24`];
  countNetworks.run(
    ...networks.map((network) => hash("sha256", network, "base64url")),
    `2026-11-21T06.${slot}`,
  );
  commit.run();
  return { reference, email };
});
