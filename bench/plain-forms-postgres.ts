import { hash, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { servePlainForms } from "./plain-mails.ts";

/**
 * A bare server that stores forms in PostgreSQL: prepared statements, one transaction, the same
 * rows with the same durability, and the rows that count forms. The rows are copies of those that
 * the site stored for one form.
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
  network_forms: `insert into network_forms (network, hour, forms) values ($1, '2026-11-21T06', 1)
    on conflict (network, hour) do update set forms = network_forms.forms + 1`,
};

servePlainForms(smtpUrl, async (fields) => {
  const reference = randomBytes(4).toString("hex").toUpperCase();
  const email = fields.get("email") ?? "";
  const own: Record<string, unknown> = {
    email,
    email_match: email.toLowerCase(),
    reference,
    reason: fields.get("reason") ?? "",
    feedback: fields.get("feedback") ?? "",
    form_key_hash: hash("sha256", fields.get("formKey") ?? "", "base64url"),
    hash: randomBytes(32).toString("base64url"),
    message_key: randomUUID(),
  };
  const client = await pool.connect();
  try {
    await client.query("begin");
    for (const { table, columns, values, text } of statements) {
      const bound = columns.map((column, index) => own[column] ?? values[index]);
      const { rows } = await client.query({ name: table, text, values: bound });
      if (table === "requests") own.request_id = rows[0].id;
      if (table === "submissions") own.submission_id = rows[0].id;
    }
    const network = randomUUID();
    await client.query({ name: "tally", text: counting.tallies, values: ["received"] });
    for (const name of [network, `${network} wide`]) {
      await client.query({ name: "network", text: counting.network_forms, values: [name] });
    }
    await client.query("commit");
  } finally {
    client.release();
  }
  return { reference, email };
});
