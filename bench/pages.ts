import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import type { BarePage } from "./bare-pages.ts";
import { load, type Serving, startServing } from "./processes.ts";
import { atLeast, atMost, median, type Part, type Row, ratio } from "./report.ts";

/** Kept pages beside a bare handler that sends the same bytes, the site's log on. */
const paths = ["/", "/blog", "/blog/12"];
const connections = 32;
const leastRatio = 0.7;
const mostSpread = 3;

export async function benchPages(): Promise<Part> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const start = (name: string, clockSpeed?: number) =>
    startAttackedServer({
      dataDir: join(folder.path, name),
      logFile: join(folder.path, `${name}.log`),
      clockSpeed,
    });
  const rows: Row[] = [];
  const ours = await start("data");
  const pages: BarePage[] = [];
  for (const path of paths) pages.push(await capture(ours.port, path));
  const file = join(folder.path, "pages.json");
  writeFileSync(file, JSON.stringify(pages));
  const bare = await startServing("bare-pages.ts", [file]);
  for (const page of paths) {
    const found = await compare(ours, bare, page);
    rows.push(costRow(page, found), spreadRow(`\`${page}\``, found));
  }
  await ours.stop();
  // Five minutes of a page's life pass in five seconds, so that it is renewed under the load.
  const renewing = await start("renewing", 60);
  const found = await compare(renewing, bare, "/", { rounds: 3, seconds: 6 });
  rows.push(spreadRow("`/` through a renewal", found));
  await renewing.stop();
  bare.stop();
  return { name: "pages", rows };
}

/** Both servers loaded by turns, each for so many seconds a round. */
async function compare(
  ours: Serving,
  bare: Serving,
  page: string,
  { rounds = 16, seconds = 1 } = {},
) {
  const requests = [{ path: page, headers: { "Accept-Encoding": "br" } }];
  const order = { connections, duration: seconds, requests };
  const found: { our: Loaded; least: Loaded }[] = [];
  await load(ours, order);
  await load(bare, order);
  for (let round = 0; round < rounds; round++) {
    found.push({ our: await load(ours, order), least: await load(bare, order) });
  }
  return found;
}

type Loaded = Awaited<ReturnType<typeof load>>;
type Found = Awaited<ReturnType<typeof compare>>;

/** One round beside the other differs by a half either way, with what else the machine does: all of them together tell. */
function costRow(page: string, found: Found): Row {
  const cost = (of: (one: Found[number]) => Loaded) =>
    found.reduce((sum, one) => sum + of(one).perAnswer, 0);
  const figure = cost(({ least }) => least) / cost(({ our }) => our);
  const byClock = median(found.map(({ our, least }) => our.perSecond / least.perSecond));
  return atLeast(
    `\`${page}\`: answers for the same processor time, beside a bare handler`,
    figure,
    leastRatio,
    `${ratio(figure)} (by the clock: ${ratio(byClock)})`,
  );
}

/**
 * The bare handler's own spread stands beside ours: it is what the machine does to everybody, and no page of ours leaves
 * more evenly than that (decision 0022).
 */
function spreadRow(what: string, found: Found): Row {
  const figure = median(found.map(({ our }) => our.p99 / our.p50));
  const bare = median(found.map(({ least }) => least.p99 / least.p50));
  return {
    ...atMost(`${what}: 99th percentile beside the median`, figure, Math.max(mostSpread, bare)),
    figure: `${ratio(figure)} (bare handler: ${ratio(bare)})`,
    limit: `${mostSpread} at most, or the bare handler's`,
  };
}

/** The page as it leaves, with its headers in the order and spelling in which they leave. */
async function capture(port: number, path: string): Promise<BarePage> {
  const headers = { "Accept-Encoding": "br" };
  const [answer] = await once(get({ port, path, host: "127.0.0.1", headers }), "response");
  const { rawHeaders }: IncomingMessage = answer;
  const own = /^(date|connection|keep-alive)$/i;
  const kept = rawHeaders.filter((_, at) => !own.test(rawHeaders[at - (at % 2)] ?? ""));
  return { path, headers: kept, body: (await buffer(answer)).toString("base64") };
}
