import pg from "pg";
import { newValues, servePlainForms, tables } from "./plain-mails.ts";

/**
 * A bare server that stores forms in PostgreSQL with prepared statements. One transaction commits
 * the same rows as the site's, including counters, with the same durability. The rows are copies of
 * those that the site stored for one form.
 */
const [url = "", smtpUrl = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });

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

servePlainForms(smtpUrl, async (fields, client) => {
  const { row, tally, networks } = newValues(fields, client);
  const ids: Record<string, unknown> = {};
  const connection = await pool.connect();
  try {
    await connection.query("begin");
    for (const { table, columns, values, text } of statements) {
      const bound = columns.map((column, index) => ids[column] ?? row[column] ?? values[index]);
      const { rows } = await connection.query({ name: table, text, values: bound });
      if (table === "requests") ids.request_id = rows[0].id;
      if (table === "submissions") ids.submission_id = rows[0].id;
    }
    await connection.query({ name: "tally", text: counting.tallies, values: [tally] });
    await connection.query({ name: "networks", text: counting.network_forms, values: networks });
    await connection.query("commit");
  } finally {
    connection.release();
  }
  return row;
});
