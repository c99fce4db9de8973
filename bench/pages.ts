import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAttackedServer } from "../tests/abuse/attacked-server.ts";
import { compare, startServing } from "./processes.ts";
import { atLeast, median, type Row, ratio } from "./report.ts";

const paths = ["/", "/blog", "/blog/12"];
const leastRatio = 0.7;

/**
 * Compares the site's cached pages, with request logging on, with a bare handler that sends the
 * same bytes.
 */
export async function measurePages(): Promise<Row[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), "bench-"));
  const ours = await startAttackedServer({
    dataDir: join(folder.path, "data"),
    logFile: join(folder.path, "log"),
  });
  const bare = await startServing("bare-pages.ts", String(ours.port), ...paths);
  const rows: Row[] = [];
  for (const path of paths) {
    const requests = [{ path, headers: { "Accept-Encoding": "br" } }];
    const found = await compare(ours, bare, 5, { connections: 32, duration: 3, requests });
    const cost = median(found.map(({ our, bare }) => bare.perAnswer / our.perAnswer));
    const byClock = median(found.map(({ our, bare }) => our.perSecond / bare.perSecond));
    const figure = `${ratio(cost)} (by the clock: ${ratio(byClock)})`;
    rows.push(atLeast(`${path}: answers for the same processor time`, cost, leastRatio, figure));
  }
  await ours.stop();
  bare.stop();
  return rows;
}
