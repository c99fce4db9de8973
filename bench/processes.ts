import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nextMessage, startProgram } from "../tests/siege/besieged-server.ts";
import type { Loaded, Order } from "./load.ts";

export type Serving = { port: number; pid: number };

/** A server that tells its port once it serves. */
export async function startServing(file: string, args: string[]) {
  const child = startProgram("server", join(import.meta.dirname, file), args);
  const port = await nextMessage<number>(child);
  return { port, pid: child.pid ?? 0, stop: () => child.kill("SIGKILL") };
}

/**
 * Loads a server and tells what it cost. `perAnswer` is the processor time that the server spent on an answer, which
 * other programs on the machine hardly disturb; where the system does not tell, it is the time that passed.
 */
export async function load(server: Serving, order: Omit<Order, "port">) {
  const before = processorSeconds(server.pid);
  const child = startProgram("measurer", join(import.meta.dirname, "load.ts"), [
    JSON.stringify({ ...order, port: server.port } satisfies Order),
  ]);
  const loaded = await nextMessage<Loaded>(child);
  const after = processorSeconds(server.pid);
  const spent = before === undefined || after === undefined ? loaded.seconds : after - before;
  if (loaded.others > 0) throw new Error(`${loaded.others} answers were not what was asked for`);
  return {
    ...loaded,
    perAnswer: spent / loaded.answers,
    perSecond: loaded.answers / loaded.seconds,
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
