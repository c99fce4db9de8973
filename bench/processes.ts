import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";
import { nextMessage, startProgram } from "../tests/abuse/attacked-server.ts";

export type Serving = { port: number; pid: number };

/**
 * Starts a program in this folder. Resolves when the program has sent its port and accepts
 * connections.
 */
export async function startServing(file: string, ...args: string[]) {
  const child = startProgram("server", join(import.meta.dirname, file), ...args);
  const port = await nextMessage<number>(child);
  return {
    port,
    pid: child.pid ?? 0,
    stop: () => child.kill("SIGKILL"),
    /** Requests a number from the program. */
    ask(): Promise<number> {
      child.send("ask");
      return nextMessage<number>(child);
    },
  };
}

/**
 * Loads our server and the bare server alternately, and discards the first round as a warm-up.
 * @param untilIdle called after each load, so that work after the responses doesn't slow the other
 * server. Returns how long that work took, in seconds.
 */
export async function compare(
  ours: Serving,
  bare: Serving,
  rounds: number,
  options: Omit<autocannon.Options, "url">,
  untilIdle = async () => 0,
) {
  const loadFully = async (serving: Serving) => ({
    ...(await load(serving, options)),
    laterSeconds: await untilIdle(),
  });
  const found = [];
  for (let round = 0; round <= rounds; round++) {
    const result = { our: await loadFully(ours), bare: await loadFully(bare) };
    if (round > 0) found.push(result);
  }
  return found;
}

/**
 * Loads a server and measures its CPU time per response, throughput and latency. Other programs on
 * the machine hardly affect the CPU time.
 */
async function load({ port, pid }: Serving, options: Omit<autocannon.Options, "url">) {
  // Record latencies here, because autocannon rounds them to milliseconds.
  const waits = createHistogram();
  const before = processorSeconds(pid);
  const { requests, duration, errors, non2xx } = await autocannon({
    ...options,
    // Our server closes a connection after a thousand responses, and autocannon doesn't notice.
    reconnectRate: 1_000,
    url: `http://127.0.0.1:${port}`,
    setupClient: (client) =>
      client.on("response", (_status, _bytes, ms) => waits.record(Math.ceil(ms * 1e6))),
  });
  if (errors + non2xx > 0) throw new Error(`${errors + non2xx} responses were errors`);
  const spent = processorSeconds(pid) - before;
  return {
    perAnswer: (spent || duration) / requests.total,
    perSecond: requests.total / duration,
    medianMs: waits.percentile(50) / 1e6,
  };
}

/**
 * Returns a process's user and system CPU time in seconds, at Linux's usual hundred clock ticks per
 * second. Returns 0 on other operating systems.
 */
function processorSeconds(pid: number): number {
  if (process.platform !== "linux") return 0;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
