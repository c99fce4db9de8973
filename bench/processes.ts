import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHistogram } from "node:perf_hooks";
import autocannon from "autocannon";
import { nextMessage, startProgram } from "../tests/abuse/attacked-server.ts";

export type Serving = { port: number; pid: number };

/** A server that tells its port once it serves. */
export async function startServing(file: string, args: string[]) {
  const child = startProgram("server", join(import.meta.dirname, file), ...args);
  const port = await nextMessage<number>(child);
  return { port, pid: child.pid ?? 0, stop: () => child.kill("SIGKILL") };
}

/**
 * Asks a server as fast as it answers, and tells what that cost. `perAnswer` is the processor time that the server spent on
 * an answer, which other programs on the machine hardly disturb; where the system does not tell, it is the time that passed.
 */
export async function load({ port, pid }: Serving, order: Omit<autocannon.Options, "url">) {
  const waits = createHistogram();
  const before = processorSeconds(pid);
  const { requests, duration, errors, non2xx } = await autocannon({
    ...order,
    // It does not hear that an answer is the last of its connection, which the thousandth of ours is.
    reconnectRate: 1_000,
    url: `http://127.0.0.1:${port}`,
    setupClient: (client) =>
      client.on("response", (_status, _bytes, ms) => waits.record(Math.ceil(ms * 1e6))),
  });
  const after = processorSeconds(pid);
  const spent = before === undefined || after === undefined ? duration : after - before;
  const others = errors + non2xx;
  if (others > 0) throw new Error(`${others} answers were not what was asked for`);
  return {
    p50: waits.percentile(50),
    p99: waits.percentile(99),
    perAnswer: spent / requests.total,
    perSecond: requests.total / duration,
  };
}

function processorSeconds(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  // User and system time in ticks, of which Linux tells a hundred a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
