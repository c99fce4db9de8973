import { hash, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { servePlainForms } from "./plain-mails.ts";

/**
 * A bare server that stores forms. It parses the same body, uses prepared statements and commits
 * the same rows with the same durability. The rows are copies of those that the site stored for one
 * form in this data folder.
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
const begin = sqlite.prepare("begin immediate");
const commit = sqlite.prepare("commit");

servePlainForms(smtpUrl, (fields) => {
  const reference = randomBytes(4).toString("hex").toUpperCase();
  const email = fields.get("email") ?? "";
  const own: Record<string, SQLInputValue> = {
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
      ...columns.map((column, index) => own[column] ?? values[index] ?? null),
    );
    if (table === "requests") own.request_id = lastInsertRowid;
    if (table === "submissions") own.submission_id = lastInsertRowid;
  }
  commit.run();
  return { reference, email };
});
