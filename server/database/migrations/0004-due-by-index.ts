import { type Kysely, sql } from "kysely";

type Before = {
  requests: {
    id: number;
    state: string;
    received_at: string;
    confirmed_at: string | null;
    due_on: string | null;
    ended_at: string | null;
  };
  tokens: { request_id: number; closes_at: string | null };
  tallies: { month: string; name: string; count: number };
};

/**
 * Everything that is asked of the store again and again is found by an index of its own, however many requests lie in
 * it; counts of what was are kept as counts; and files that must go are remembered until they are gone.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const known = database as Kysely<Before>;

  // What the queue shows of a request is in its row, and its forms need not be read for it.
  await database.schema
    .alterTable("requests")
    .addColumn("reason", "text", (column) => column.notNull().defaultTo("other"))
    .execute();
  await database.schema
    .alterTable("requests")
    .addColumn("sent", "integer", (column) => column.notNull().defaultTo(1))
    .execute();
  for (const name of ["told_at", "warned_at"]) {
    await database.schema.alterTable("requests").addColumn(name, "text").execute();
  }
  await sql`update requests set
    sent = (select count(*) from submissions where request_id = requests.id),
    reference = coalesce(reference,
      (select reference from submissions where request_id = requests.id order by id desc limit 1))
  `.execute(database);
  await sql`update requests set
    reason = coalesce((select reason from submissions where submissions.reference = requests.reference), 'other'),
    told_at = (select max(settled_at) from outbox where request_id = requests.id
      and kind in ('completed', 'cancelled', 'refused') and state = 'delivered'),
    warned_at = (select created_at from outbox
      where once = 'due-soon:' || requests.id || ':' || requests.due_on)
  `.execute(database);

  // Links of what has ended close thirty days later.
  await database.schema.alterTable("tokens").addColumn("closes_at", "text").execute();
  const ended = await known
    .selectFrom("requests")
    .innerJoin("tokens", "tokens.request_id", "requests.id")
    .select(["requests.id", "requests.ended_at"])
    .distinct()
    .where("requests.ended_at", "is not", null)
    .execute();
  for (const { id, ended_at } of ended) {
    const closesAt = Temporal.Instant.from(ended_at ?? "").add({ hours: 30 * 24 });
    await known
      .updateTable("tokens")
      .set({ closes_at: closesAt.toString({ fractionalSecondDigits: 3 }) })
      .where("request_id", "=", id)
      .execute();
  }

  await database.schema
    .createTable("tallies")
    .addColumn("month", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("count", "integer", (column) => column.notNull())
    .addPrimaryKeyConstraint("tallies_by_month", ["month", "name"])
    .execute();
  await countUp(known);
  await database.schema.dropTable("expired_counts").execute();

  await database.schema
    .createTable("doomed_mails")
    .addColumn("message_key", "text", (column) => column.primaryKey())
    .addColumn("until", "text", (column) => column.notNull())
    .execute();

  await database.schema
    .createTable("journal")
    .addColumn("id", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("act", "text", (column) => column.notNull())
    .addColumn("about", "text", (column) => column.notNull())
    .execute();

  await createIndexes(database);
}

/** What happened so far, by month. Here a month begins at midnight UTC, from now on at the campus's. */
async function countUp(database: Kysely<Before>): Promise<void> {
  const counts = new Map<string, { month: string; name: string; count: number }>();
  const add = (at: string | null, name: string, count = 1) => {
    if (at === null) return;
    const month = at.slice(0, 7);
    const known = counts.get(`${month} ${name}`);
    if (known) known.count += count;
    else counts.set(`${month} ${name}`, { month, name, count });
  };
  for (let last = 0; ; ) {
    const rows = await database
      .selectFrom("requests")
      .select(["id", "state", "received_at", "confirmed_at", "due_on", "ended_at"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(1000)
      .execute();
    for (const row of rows) {
      add(row.received_at, "received");
      add(row.confirmed_at, "confirmed");
      add(row.ended_at, row.state);
      if (row.state !== "completed" || !row.ended_at || !row.confirmed_at) continue;
      if (row.ended_at.slice(0, 10) <= (row.due_on ?? "")) add(row.ended_at, "completed-on-time");
      const days = (Date.parse(row.ended_at) - Date.parse(row.confirmed_at)) / 86_400_000;
      add(row.ended_at, `days:${days.toFixed(1)}`);
    }
    const end = rows.at(-1);
    if (!end) break;
    last = end.id;
  }
  const expired = await sql<{
    month: string;
    requests: number;
  }>`select * from expired_counts`.execute(database);
  for (const { month, requests } of expired.rows) {
    add(month, "received", Number(requests));
    add(month, "expired", Number(requests));
  }
  for (const row of counts.values()) await database.insertInto("tallies").values(row).execute();
}

async function createIndexes(database: Kysely<unknown>): Promise<void> {
  const create = (table: string, name: string, columns: string[], condition?: string) =>
    sql`create index ${sql.raw(`${name} on ${table} (${columns.join(", ")})${condition ? ` where ${condition}` : ""}`)}`.execute(
      database,
    );
  const working = "state in ('confirmed', 'in-progress')";
  await create("requests", "requests_to_expire", ["expires_at", "id"], "state = 'received'");
  await create("requests", "requests_to_do", ["due_on", "id"], working);
  await create("requests", "requests_to_warn", ["due_on"], `${working} and warned_at is null`);
  await create(
    "requests",
    "requests_to_erase",
    ["ended_at"],
    "ended_at is not null and erased_at is null",
  );
  await create(
    "requests",
    "requests_told",
    ["told_at"],
    "told_at is not null and erased_at is null",
  );
  await create("requests", "requests_ended", ["ended_at", "id"], "ended_at is not null");
  await create("requests", "requests_by_address", ["email_match"], "email_match <> ''");
  await create(
    "requests",
    "requests_by_address_hash",
    ["address_hash_version", "address_hash"],
    "address_hash is not null",
  );
  await create("journal", "journal_by_time", ["at"]);
  // Removing a form asks for the links that came from it.
  await create("tokens", "tokens_by_submission", ["submission_id"]);
  await create("tokens", "tokens_to_close", ["closes_at"], "closes_at is not null");
  await database.schema.dropIndex("outbox_by_state").execute();
  await create("outbox", "outbox_waiting", ["next_at", "id"], "state = 'waiting'");
  await create("outbox", "outbox_leased", ["lease_until"], "state = 'sending'");
  await create("outbox", "outbox_troubled", ["id"], "state = 'needs-person'");
  await create("outbox", "outbox_done", ["settled_at"], "request_id is null");
}
