import { once } from "node:events";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import type { BarePage } from "./bare-pages.ts";
import { compare, startServing } from "./processes.ts";
import { atLeast, atMost, median, type Row, ratio } from "./report.ts";

const paths = ["/", "/blog", "/blog/12"];
const leastRatio = 0.7;
const mostSpread = 3;

type Found = Awaited<ReturnType<typeof compare>>;

/**
 * Compares the site's cached pages, with request logging on, with a bare handler that sends the
 * same bytes.
 */
export async function measurePages(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const start = (name: string, clockSpeed?: number) =>
    startAttackedServer({
      dataDir: join(folder.path, name),
      logFile: join(folder.path, `${name}.log`),
      clockSpeed,
    });
  const ours = await start("data");
  const file = join(folder.path, "pages.json");
  writeFileSync(
    file,
    JSON.stringify(await Promise.all(paths.map((path) => fetchRaw(ours.port, path)))),
  );
  const bare = await startServing("bare-pages.ts", file);
  const order = (path: string, duration: number) => ({
    connections: 32,
    duration,
    requests: [{ path, headers: { "Accept-Encoding": "br" } }],
  });
  const rows: Row[] = [];
  for (const path of paths) {
    const found = await compare(ours, bare, 16, order(path, 1));
    rows.push(costRow(path, found), spreadRow(path, found));
  }
  await ours.stop();
  // Runs the server's clock 60 times as fast so that the cached page is renewed under load.
  const renewing = await start("renewing", 60);
  rows.push(spreadRow("/ through a renewal", await compare(renewing, bare, 3, order("/", 6))));
  await renewing.stop();
  bare.stop();
  return rows;
}

function costRow(path: string, found: Found): Row {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  // Sum over all rounds, because single rounds differ by up to half.
  const cost =
    sum(found.map(({ bare }) => bare.perAnswer)) / sum(found.map(({ our }) => our.perAnswer));
  const byClock = median(found.map(({ our, bare }) => our.perSecond / bare.perSecond));
  const figure = `${ratio(cost)} (by the clock: ${ratio(byClock)})`;
  return atLeast(`${path}: answers for the same processor time`, cost, leastRatio, figure);
}

/**
 * Compares the 99th percentile of our latency with its median. The limit is never below the bare
 * handler's ratio, because that much variation comes from the machine (decision 0022).
 */
function spreadRow(path: string, found: Found): Row {
  const our = median(found.map((round) => round.our.spread));
  const bare = median(found.map((round) => round.bare.spread));
  const figure = `${ratio(our)} (bare handler: ${ratio(bare)})`;
  return atMost(
    `${path}: 99th percentile relative to the median`,
    our,
    Math.max(mostSpread, bare),
    figure,
  );
}

/** Fetches a page from our server, with its headers in their original order and case. */
async function fetchRaw(port: number, path: string): Promise<BarePage> {
  const headers = { "Accept-Encoding": "br" };
  const [answer] = await once(get({ port, path, host: "127.0.0.1", headers }), "response");
  const { rawHeaders }: IncomingMessage = answer;
  const varying = /^(date|connection|keep-alive)$/i;
  const kept = rawHeaders.filter((_, at) => !varying.test(rawHeaders[at - (at % 2)] ?? ""));
  return { path, headers: kept, body: (await buffer(answer)).toString("base64") };
}
