import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBesiegedServer } from "../tests/siege/besieged-server.ts";
import type { BarePage } from "./bare-pages.ts";
import { load, startServing } from "./processes.ts";
import { median, type Part, type Row, ratio } from "./report.ts";

/** Kept pages beside a bare handler that sends the same bytes, the site's log on. */
const paths = ["/", "/blog", "/blog/12"];
const connections = 32;
const manyConnections = 128;
const rounds = 16;
const spreadRounds = 3;
const leastRatio = 0.7;
const mostSpread = 3;

export async function benchPages(): Promise<Part> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const start = (name: string, clockSpeed?: number) =>
    startBesiegedServer({
      dataDir: join(folder, name),
      logFile: join(folder, `${name}.log`),
      clockSpeed,
    });
  const rows: Row[] = [];
  try {
    const ours = await start("data");
    const pages: BarePage[] = [];
    for (const path of paths) pages.push(await capture(ours.port, path));
    const file = join(folder, "pages.json");
    writeFileSync(file, JSON.stringify(pages));
    const bare = await startServing("bare-pages.ts", [file]);
    for (const path of paths) {
      const costs: number[] = [];
      const bareCosts: number[] = [];
      const clockRatios: number[] = [];
      const spreads: number[] = [];
      const bareSpreads: number[] = [];
      await load(ours, { connections, seconds: 3, ask: { page: path } });
      await load(bare, { connections, seconds: 3, ask: { page: path } });
      for (let round = 0; round < rounds; round++) {
        const our = await load(ours, { connections, seconds: 1, ask: { page: path } });
        const least = await load(bare, { connections, seconds: 1, ask: { page: path } });
        costs.push(our.perAnswer);
        bareCosts.push(least.perAnswer);
        clockRatios.push(our.perSecond / least.perSecond);
        spreads.push(our.p99 / our.p50);
        bareSpreads.push(least.p99 / least.p50);
      }
      // One round beside the other differs by a half either way, with what else the machine does: all of them together tell.
      const figure = sum(bareCosts) / sum(costs);
      rows.push({
        what: `\`${path}\`: answers for the same processor time, beside a bare handler`,
        figure: `${ratio(figure)} (by the clock: ${ratio(median(clockRatios))})`,
        limit: `${leastRatio}x at least`,
        held: figure >= leastRatio,
      });
      rows.push(spreadRow(`\`${path}\`: 99th percentile beside the median`, spreads, bareSpreads));
    }
    const crowd = { spreads: [] as number[], bareSpreads: [] as number[] };
    for (let round = 0; round < spreadRounds; round++) {
      const ask = { connections: manyConnections, seconds: 2, ask: { page: "/" } };
      const our = await load(ours, ask);
      const least = await load(bare, ask);
      crowd.spreads.push(our.p99 / our.p50);
      crowd.bareSpreads.push(least.p99 / least.p50);
    }
    rows.push(
      spreadRow(
        `\`/\` on ${manyConnections} connections: 99th percentile beside the median`,
        crowd.spreads,
        crowd.bareSpreads,
      ),
    );
    await ours.stop();

    // Five minutes of a page's life pass in five seconds, so that it is renewed under the load.
    const renewing = await start("renewing", 60);
    const spreads: number[] = [];
    const bareSpreads: number[] = [];
    await load(renewing, { connections, seconds: 1, ask: { page: "/" } });
    for (let round = 0; round < spreadRounds; round++) {
      const ask = { connections, seconds: 6, ask: { page: "/" } };
      const our = await load(renewing, ask);
      const least = await load(bare, { ...ask, seconds: 2 });
      spreads.push(our.p99 / our.p50);
      bareSpreads.push(least.p99 / least.p50);
    }
    rows.push(
      spreadRow("`/` through a renewal: 99th percentile beside the median", spreads, bareSpreads),
    );
    await renewing.stop();
    bare.stop();
    return { name: "pages", rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The bare handler's own spread stands beside ours: it is what the machine does to everybody, and no page of ours leaves
 * more evenly than that (decision 0022).
 */
function spreadRow(what: string, spreads: number[], bareSpreads: number[]): Row {
  const figure = median(spreads);
  const bare = median(bareSpreads);
  return {
    what,
    figure: `${ratio(figure)} (bare handler: ${ratio(bare)})`,
    limit: `${mostSpread}x at most, or the bare handler's`,
    held: figure <= Math.max(mostSpread, bare),
  };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The page as it leaves, with its headers in the order and spelling in which they leave. */
function capture(port: number, path: string): Promise<BarePage> {
  const own = /^(date|connection|keep-alive)$/i;
  return new Promise((resolve, reject) => {
    get({ port, path, host: "127.0.0.1", headers: { "Accept-Encoding": "br" } }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const headers = answer.rawHeaders.filter(
        (_, index) => !own.test(answer.rawHeaders[index - (index % 2)] ?? ""),
      );
      resolve({ path, headers, body: Buffer.concat(chunks).toString("base64") });
    }).on("error", reject);
  });
}
