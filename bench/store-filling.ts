import { mkdirSync } from "node:fs";
import { openOffice } from "../server/deletion-requests/office.fixture.ts";
import { loadKeys } from "../server/keys/keys.ts";
import { openForFilling, openPostgresForFilling } from "../tests/harness/fill-store.ts";

/** A store of any size for the bench: 10,000 requests are open at most, the others ended over two years. */

const mostOpen = 10_000;
const days = 700;

/** Where a store is: in a file of the folder, or in PostgreSQL, with the keys in the folder. */
export type Place = { dataDir: string; url?: string };

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
  const idOf = async (state: string) =>
    Number((await ask(`select id from requests where state = '${state}'`))[0]?.id);
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

async function liveOnce({ dataDir, url }: Place): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const loaded = await loadKeys({ secretKeys: undefined, dataDir });
  if (!loaded.ok) throw new Error(loaded.problem);
  const yesterday = Temporal.Now.instant().subtract({ hours: 24 }).toString();
  const inherited = { folder: dataDir, keys: loaded.keys, ...(url && { url }) };
  const office = await openOffice(yesterday, inherited);
  await office.submit({ email: "received@uni.example" });
  await office.submitConfirmed({ email: "confirmed@uni.example" });
  await office.complete(await office.submitConfirmed({ email: "completed@uni.example" }));
  await office.rounds.runOnce();
  await office.database.close();
}
