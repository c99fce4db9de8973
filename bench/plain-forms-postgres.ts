import { hash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { servePlainForms } from "./plain-mails.ts";

/**
 * A bare server that stores forms in PostgreSQL with prepared statements. One transaction commits
 * the same rows as the site's, including counters, with the same durability. The rows are copies of
 * those that the site stored for one form.
 */
const [url = "", smtpUrl = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });

const tables = ["requests", "submissions", "request_events", "tokens", "outbox"];
const statements = await Promise.all(
  tables.map(async (table) => {
    const key = table === "requests" ? "id" : "request_id";
    const { rows } = await pool.query(`select * from ${table} where ${key} = 1`);
    if (!rows[0]) throw new Error(`The first form stored no row in ${table}`);
    const { id: _id, ...rest } = rows[0];
    const columns = Object.keys(rest);
    const slots = columns.map((_, index) => `$${index + 1}`).join(", ");
    const text = `insert into ${table} (${columns.join(", ")}) values (${slots}) returning id`;
    return { table, columns, values: Object.values(rest), text };
  }),
);
const counting = {
  tallies: `insert into tallies (month, name, count) values ('2026-11', $1, 1)
    on conflict (month, name) do update set count = tallies.count + 1`,
  network_forms: `insert into network_forms (network, hour, forms)
    values ($1, $5, 1), ($2, $5, 1), ($3, $5, 1), ($4, $5, 1)
    on conflict (network, hour) do update set forms = network_forms.forms + 1`,
};
let forms = 0;

servePlainForms(smtpUrl, async (fields, client) => {
  const reference = randomBytes(6).toString("base64url");
  const email = fields.get("email") ?? "";
  const row: Record<string, unknown> = {
    email,
    email_match: email.toLowerCase(),
    reference,
    reason: fields.get("reason") ?? "",
    feedback: fields.get("feedback") ?? "",
    form_key_hash: hash("sha256", fields.get("formKey") ?? "", "base64url"),
    hash: randomBytes(32).toString("base64url"),
    message_key: randomUUID(),
  };
  const connection = await pool.connect();
  try {
    await connection.query("begin");
    for (const { table, columns, values, text } of statements) {
      const bound = columns.map((column, index) => row[column] ?? values[index]);
      const { rows } = await connection.query({ name: table, text, values: bound });
      if (table === "requests") row.request_id = rows[0].id;
      if (table === "submissions") row.submission_id = rows[0].id;
    }
    const slot = forms++ % 64;
    await connection.query({ name: "tally", text: counting.tallies, values: [`received#${slot}`] });
    const networks = [client, `${client}/24`, `${email} ${client}`, `${email} ${client}/24`];
    const names = networks.map((network) => hash("sha256", network, "base64url"));
    const values = [...names, `2026-11-21T06.${slot}`];
    await connection.query({ name: "networks", text: counting.network_forms, values });
    await connection.query("commit");
  } finally {
    connection.release();
  }
  return { reference, email };
});
