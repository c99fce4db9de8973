import { openDatabase } from "../server/database/database.ts";
import { createSubmitting } from "../server/deletion-requests/asking/submitting.ts";
import { createVisits } from "../server/deletion-requests/asking/visits.ts";
import { createForgetting } from "../server/deletion-requests/keeping/erasing.ts";
import { createUpkeep } from "../server/deletion-requests/keeping/retention-jobs.ts";
import { sampleCompletion } from "../server/deletion-requests/telling/sample-messages.ts";
import { createDesk } from "../server/deletion-requests/working/desk.ts";
import { loadKeys } from "../server/keys/keys.ts";
import { claimMessages, settleMessage } from "../server/outbox/outbox.ts";
import { calendar } from "../tests/harness/campus.ts";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { openForFilling, openPostgresForFilling } from "../tests/harness/fill-store.ts";

/** A store of any size for the bench: 10,000 requests are open at most, the others ended over two years. */

const mostOpen = 10_000;
const days = 700;

/** Where a store is: in a file of the folder, or in PostgreSQL, with the keys in the folder. */
export type Place = { dataDir: string; url?: string | undefined };

export async function openOffice({ dataDir, url }: Place, clock: () => Temporal.Instant) {
  const opened = await openDatabase({ dataDir, url });
  if (!opened.ok) throw new Error(opened.problem);
  const { database } = opened;
  const loaded = await loadKeys({ secretKeys: undefined, dataDir });
  if (!loaded.ok) throw new Error(loaded.problem);
  const { keys } = loaded;
  const forgetting = createForgetting({ database, removeMailFiles: async () => {} });
  // Nobody completes by a checklist here.
  const dataList = { stores: [], backupDays: 0, kinds: [], ownershipProofs: [] };
  const services = { database, keys, clock, calendar, dataList, businessDays: 10, forgetting };
  return {
    database,
    keys,
    submitting: createSubmitting({ ...services, maxUnconfirmed: 10_000_000 }),
    visits: createVisits(services),
    desk: createDesk(services),
    upkeep: createUpkeep(services),
  };
}

/** SQL in which the two databases differ. `copy.i` and `m.i` count copies and months from 1 on. */
const words = {
  file: {
    back: (column: string) =>
      `strftime('%Y-%m-%dT%H:%M:%fZ', t.${column}, '-' || (40 + copy.i % ${days}) || ' days')`,
    backDate: (column: string) => `date(t.${column}, '-' || (40 + copy.i % ${days}) || ' days')`,
    month: "strftime('%Y-%m', 'now', '-' || m.i || ' months')",
    columns: "select name from pragma_table_info('TABLE')",
    tidy: undefined,
  },
  postgres: {
    back: (column: string) =>
      `to_char((t.${column}::timestamptz - (40 + copy.i % ${days}) * interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    backDate: (column: string) => `(t.${column}::date - (40 + copy.i % ${days}))::text`,
    month: "to_char(now() - m.i * interval '1 month', 'YYYY-MM')",
    columns:
      "select column_name as name from information_schema.columns where table_name = 'TABLE' and table_schema = current_schema()",
    // As autovacuum does soon after so many rows were added.
    tidy: "vacuum analyze",
  },
};

async function openFilling({ dataDir, url }: Place) {
  if (url !== undefined) return { ...(await openPostgresForFilling(url)), words: words.postgres };
  const { sqlite, multiply, close } = openForFilling(dataDir);
  return {
    words: words.file,
    ask: async (sql: string): Promise<Record<string, unknown>[]> => sqlite.prepare(sql).all(),
    multiply: async (copies: Parameters<typeof multiply>[0]) => multiply(copies),
    close: async () => close(),
  };
}

/** Lets requests live each kind of life once, by the service itself, and copies them. */
export async function fill(place: Place, size: number): Promise<void> {
  await liveOnce(place);
  const store = await openFilling(place);
  const { ask, multiply } = store;
  const idOf = async (email: string) =>
    Number((await ask(`select id from requests where email = '${email}@uni.example'`))[0]?.id);
  const ended = await idOf("completed");
  const open = Math.min(mostOpen, size / 10);
  // The ended one has been erased, as those are that ended more than thirty days ago.
  for (const sql of [
    `update requests set email = '', email_match = '', erased_at = ended_at where id = ${ended}`,
    `update submissions set email = '', feedback = '' where request_id = ${ended}`,
    `delete from tokens where request_id = ${ended}`,
    `delete from outbox where request_id = ${ended}`,
  ]) {
    await ask(sql);
  }
  await multiply({ of: await idOf("received"), count: open / 2 });
  await multiply({ of: await idOf("confirmed"), count: open / 2 });
  const orNull = (column: string, value: string) =>
    `case when t.${column} is null then null else ${value} end`;
  async function shifted(table: string): Promise<Record<string, string>> {
    const names = (await ask(store.words.columns.replace("TABLE", table))).map(({ name }) =>
      String(name),
    );
    return Object.fromEntries(
      names.flatMap((name) => {
        if (/^(at|.*_at)$/.test(name)) return [[name, orNull(name, store.words.back(name))]];
        return /_on$|^due_(from|to)$/.test(name)
          ? [[name, orNull(name, store.words.backDate(name))]]
          : [];
      }),
    );
  }
  await multiply({
    of: ended,
    count: size - open,
    change: {
      requests: await shifted("requests"),
      submissions: await shifted("submissions"),
      request_events: await shifted("request_events"),
    },
  });
  // What a month's figures are read from, for as many months.
  await ask(`
    insert into tallies (month, name, count)
    with recursive m(i) as (select 1 union all select i + 1 from m where i < 24)
    select ${store.words.month}, t.name, t.count * ${Math.ceil(size / 24)}
    from m cross join (select name, max(count) as count from tallies group by name) t where true
    on conflict (month, name) do update set count = excluded.count
  `);
  if (store.words.tidy) await ask(store.words.tidy);
  await store.close();
}

async function liveOnce(place: Place): Promise<void> {
  const now = Temporal.Now.instant().subtract({ hours: 24 });
  const { database, keys, desk, submitting, visits } = await openOffice(place, () => now);

  async function settle(): Promise<string[]> {
    const tokens: string[] = [];
    for (;;) {
      const items = [
        ...(await claimMessages(database, keys, now, "person", 50)),
        ...(await claimMessages(database, keys, now, "operators", 50)),
      ];
      if (items.length === 0) return tokens;
      for (const item of items) {
        const token = (item.message as { token?: string } | undefined)?.token;
        if (token) tokens.push(token);
        await database.write((transaction) =>
          settleMessage(transaction, { id: item.id, state: "delivered", now }),
        );
      }
    }
  }
  async function receive(email: string): Promise<void> {
    await submitting.submit(filledForm({ email }));
  }
  async function confirm(email: string): Promise<string> {
    await receive(email);
    const [token] = await settle();
    const link = await visits.openLink(token);
    if (link.kind !== "visit") throw new Error("A mail's link led nowhere");
    await visits.confirm(link.visit);
    await settle();
    const found = await desk.search(email);
    return found.at(-1)?.reference ?? "";
  }

  await receive("received@uni.example");
  await settle();
  await confirm("confirmed@uni.example");
  const completed = await confirm("completed@uni.example");
  await desk.act(completed, { type: "take" }, "Nadia");
  await desk.report(completed, { type: "complete", completion: sampleCompletion });
  await settle();
  await database.close();
}
