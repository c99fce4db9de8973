import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../server/database/database.ts";
import { createDesk } from "../server/deletion-requests/desk.ts";
import { createForgetting } from "../server/deletion-requests/forgetting.ts";
import { sampleCompletion } from "../server/deletion-requests/sample-messages.ts";
import { createSubmitting } from "../server/deletion-requests/submitting.ts";
import { createUpkeep } from "../server/deletion-requests/upkeep.ts";
import { createVisits } from "../server/deletion-requests/visits.ts";
import { loadKeys } from "../server/keys/keys.ts";
import { claimMessages, findNextDue, settleMessage } from "../server/outbox/outbox.ts";
import { calendar } from "../tests/harness/campus.ts";
import { filledForm } from "../tests/harness/deletion-form.ts";
import { openForFilling } from "../tests/harness/fill-store.ts";
import { median, type Part, type Row, ratio } from "./report.ts";

/** The same acts in a store of a thousand requests and of a million: 10,000 open, the rest ended over two years. */
const sizes = { small: 1_000, large: 1_000_000 };
const mostOpen = 10_000;
const mostRatio = 1.5;
const days = 700;
const mostSeconds = 1;
const mostMb = 200;

type Times = Record<string, number>;

export async function benchStore(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const small = await measure(join(folder, "small"), sizes.small);
    const large = await measure(join(folder, "large"), sizes.large);
    const rows: Row[] = Object.keys(small).map((act) => {
      const figure = (large[act] ?? Number.NaN) / (small[act] ?? Number.NaN);
      return {
        what: `${act}: ${sizes.large.toLocaleString("en")} beside ${sizes.small.toLocaleString("en")} requests`,
        figure: `${ratio(figure)} (${large[act]?.toFixed(2)} ms)`,
        limit: `${mostRatio}x at most`,
        held: figure <= mostRatio,
      };
    });
    for (const words of [["list"], ["figures"]]) {
      const { seconds, mb } = await runCommand(join(folder, "large"), words);
      rows.push({
        what: `\`requests ${words.join(" ")}\` with ${sizes.large.toLocaleString("en")} requests`,
        figure: `${seconds.toFixed(2)} s, ${Math.round(mb)} MB`,
        limit: `${mostSeconds} s, ${mostMb} MB`,
        held: seconds <= mostSeconds && mb <= mostMb,
      });
    }
    return { name: "store", rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(dataDir: string, size: number): Promise<Times> {
  await fill(dataDir, size);
  const office = await openOffice(dataDir, () => Temporal.Now.instant());
  const { submitting, desk, upkeep, database } = office;
  // What is due in a store like this is done once; then there is nothing to do.
  await upkeep.run();
  const last = (await desk.list(["working"], 50))?.requests.at(-1);
  if (!last?.email) throw new Error("The filled store has no open request");
  const month = Temporal.Now.plainDateISO().subtract({ months: 6 }).toPlainYearMonth();
  let turn = 0;
  const acts: Record<string, () => Promise<unknown>> = {
    "a form stored": () =>
      submitting.submit(filledForm({ email: `new${turn++}-${size}@uni.example` })),
    "the next due message": () => findNextDue(database.read, ["person", "operators"]),
    "upkeep with nothing to do": () => upkeep.run(),
    "the queue's first page": () => desk.list(["working", "received"], 50),
    "search by reference": () => desk.find(last.reference),
    "search by address": () => desk.search(last.email ?? ""),
    "search by an address that is unknown": () => desk.search("nobody@uni.example"),
    "figures of a month": () => desk.happened(month),
  };
  const times: Times = {};
  for (const [name, act] of Object.entries(acts)) {
    const taken: number[] = [];
    for (let index = 0; index < 60; index++) {
      const started = performance.now();
      await act();
      if (index >= 10) taken.push(performance.now() - started);
    }
    times[name] = median(taken);
  }
  await database.close();
  return times;
}

async function openOffice(dataDir: string, clock: () => Temporal.Instant) {
  const opened = await openDatabase({ dataDir });
  if (!opened.ok) throw new Error(opened.problem);
  const { database } = opened;
  const loaded = await loadKeys({ secretKeys: undefined, dataDir });
  if (!loaded.ok) throw new Error(loaded.problem);
  const { keys } = loaded;
  const forgetting = createForgetting({ database, removeMailFiles: async () => {} });
  const services = { database, keys, clock, calendar, businessDays: 10, forgetting };
  return {
    database,
    keys,
    submitting: createSubmitting({ ...services, maxUnconfirmed: 10_000_000 }),
    visits: createVisits(services),
    desk: createDesk(services),
    upkeep: createUpkeep(services),
  };
}

/** Lets requests live each kind of life once, by the service itself, and copies them. */
async function fill(dataDir: string, size: number): Promise<void> {
  const now = Temporal.Now.instant().subtract({ hours: 24 });
  const office = await openOffice(dataDir, () => now);
  const { database, desk, submitting, visits } = office;

  async function settle(): Promise<string[]> {
    const tokens: string[] = [];
    for (;;) {
      const items = [
        ...(await claimMessages(database, office.keys, now, "person", 50)),
        ...(await claimMessages(database, office.keys, now, "operators", 50)),
      ];
      if (items.length === 0) return tokens;
      for (const item of items) {
        const token = (item.message as { token?: string } | undefined)?.token;
        if (token) tokens.push(token);
        await database.write((transaction) =>
          settleMessage(transaction, item.id, "delivered", now),
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

  const store = openForFilling(dataDir);
  const { sqlite } = store;
  const idOf = (email: string) =>
    Number(sqlite.prepare("select id from requests where email = ?").get(email)?.id);
  const [received, confirmed, ended] = ["received", "confirmed", "completed"].map((name) =>
    idOf(`${name}@uni.example`),
  ) as [number, number, number];
  const open = Math.min(mostOpen, size / 10);
  const back = (column: string) =>
    `case when t.${column} is null then null else strftime('%Y-%m-%dT%H:%M:%fZ', t.${column}, '-' || (40 + copy.i % ${days}) || ' days') end`;
  const backDate = (column: string) =>
    `case when t.${column} is null then null else date(t.${column}, '-' || (40 + copy.i % ${days}) || ' days') end`;
  // The ended one has been erased, as those are that ended more than thirty days ago.
  sqlite.exec(`
    update requests set email = '', email_match = '', erased_at = ended_at where id = ${ended};
    update submissions set email = '', feedback = '' where request_id = ${ended};
    delete from tokens where request_id = ${ended};
    delete from outbox where request_id = ${ended};
  `);
  store.multiply({ of: received, count: open / 2 });
  store.multiply({ of: confirmed, count: open / 2 });
  const columns = (table: string) =>
    (sqlite.prepare("select name from pragma_table_info(?)").all(table) as { name: string }[]).map(
      (column) => column.name,
    );
  const shifted = (table: string) =>
    Object.fromEntries(
      columns(table).flatMap((column) => {
        if (/^(at|.*_at)$/.test(column)) return [[column, back(column)]];
        return /_on$|^due_(from|to)$/.test(column) ? [[column, backDate(column)]] : [];
      }),
    );
  store.multiply({
    of: ended,
    count: size - open,
    change: {
      requests: shifted("requests"),
      submissions: shifted("submissions"),
      request_events: shifted("request_events"),
    },
  });
  // What a month's figures are read from, for as many months.
  sqlite.exec(`
    insert or replace into tallies (month, name, count)
    with recursive m(i) as (select 1 union all select i + 1 from m where i < 24)
    select strftime('%Y-%m', 'now', '-' || m.i || ' months'), t.name, t.count * ${size / 24}
    from m cross join (select name, max(count) as count from tallies group by name) t;
  `);
  store.close();
}

/** One of the commands as operators run it, with the most memory it took. */
function runCommand(dataDir: string, words: string[]): Promise<{ seconds: number; mb: number }> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(
      process.execPath,
      [
        "--import",
        join(import.meta.dirname, "tell-memory.ts"),
        "server/command-line/requests.ts",
        ...words,
      ],
      {
        cwd: join(import.meta.dirname, ".."),
        env: { ...process.env, DATA_DIR: dataDir },
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("error", reject);
    child.on("close", (code) => {
      const peak = /peak (\d+)/.exec(said)?.[1];
      if (code !== 0 || !peak) return reject(new Error(`requests ${words}: ${said}`));
      resolve({ seconds: (performance.now() - started) / 1_000, mb: Number(peak) / 1024 });
    });
  });
}
