import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { root } from "../tests/harness/campus.ts";
import { spawnAs } from "../tests/siege/besieged-server.ts";
import type { Loaded, Order } from "./load.ts";

export type Serving = { port: number; pid: number };

/** Starts one of the bench's own programs; those that serve get the core that the site gets. */
function startProgram(role: "server" | "measurer", file: string, args: string[]): ChildProcess {
  const program = [join(import.meta.dirname, file), ...args];
  return spawnAs(role, program, {}, ["ignore", "inherit", "inherit", "ipc"]);
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (value) => resolve(value as T));
    child.once("exit", (code) => reject(new Error(`A program of the bench ended: ${code}`)));
  });
}

/** A server that tells its port once it serves. */
export async function startServing(file: string, args: string[]) {
  const child = startProgram("server", file, args);
  const port = await nextMessage<number>(child);
  return { port, pid: child.pid ?? 0, stop: () => child.kill("SIGKILL") };
}

/**
 * Loads a server and tells what it cost. `perAnswer` is the processor time that the server spent on an answer, which
 * other programs on the machine hardly disturb; where the system does not tell, it is the time that passed.
 */
export async function load(server: Serving, order: Omit<Order, "port">) {
  const before = processorSeconds(server.pid);
  const child = startProgram("measurer", "load.ts", [
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

/**
 * Runs one of the project's programs to its end.
 * @returns how long it took, and the most memory that it took or one that it started
 * @throws with what it said, when it fails
 */
export async function measureProgram(
  args: string[],
  settings: Record<string, string>,
): Promise<{ seconds: number; mb: number }> {
  const started = performance.now();
  const teller = join(import.meta.dirname, "tell-memory.ts");
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...settings, NODE_OPTIONS: `--import=${teller}` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${said}`);
  const peaks = [...said.matchAll(/peak (\d+)/g)].map(([, kilobytes]) => Number(kilobytes));
  return { seconds: (performance.now() - started) / 1_000, mb: Math.max(...peaks) / 1_024 };
}
