import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";

/**
 * The least that storing a form takes: parses the same body and commits the same rows, by statements prepared once, as
 * durably. The rows are those that the site stored for one form in this data folder; only what must differ differs.
 */
const sqlite = new DatabaseSync(join(process.argv[2] ?? "", "requests.sqlite"), { timeout: 5_000 });
sqlite.exec("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on");
sqlite.exec("pragma foreign_keys = on");

const tables = ["requests", "submissions", "request_events", "tokens", "outbox"];
const statements = tables.map((table) => {
  const key = table === "requests" ? "id" : "request_id";
  const row = sqlite.prepare(`select * from ${table} where ${key} = 1`).get();
  if (!row) throw new Error(`The first form left nothing in ${table}`);
  const { id: _id, ...rest } = row;
  const columns = Object.keys(rest);
  const insert = sqlite.prepare(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
  );
  return { table, columns, values: Object.values(rest) as SQLInputValue[], insert };
});
const begin = sqlite.prepare("begin immediate");
const commit = sqlite.prepare("commit");

function store(fields: URLSearchParams): string {
  const reference = randomBytes(4).toString("hex").toUpperCase();
  const email = fields.get("email") ?? "";
  const own: Record<string, SQLInputValue> = {
    email,
    email_match: email.toLowerCase(),
    reference,
    reason: fields.get("reason") ?? "",
    feedback: fields.get("feedback") ?? "",
    form_key_hash: createHash("sha256")
      .update(fields.get("formKey") ?? "")
      .digest("base64url"),
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
  return reference;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const reference = store(new URLSearchParams(Buffer.concat(chunks).toString()));
    const body = JSON.stringify({ reference });
    response.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address ? address.port : 0);
});
process.on("disconnect", () => process.exit());
