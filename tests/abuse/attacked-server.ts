import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../harness/campus.ts";
import { findFreePort } from "../harness/free-port.ts";
import { killOnExit } from "../harness/kill-on-exit.ts";
import type { Attack } from "./attacks.ts";

/**
 * Memory of the simulated machine, in MB. A server that exceeds this is killed, as the kernel's OOM
 * killer would do.
 */
const machineMb = 512;
/** Heap limits in MB that Node.js would choose on a machine with `machineMb`. */
const heapMb = { old: machineMb / 2, semiSpace: 4 };
/** The limit that our units and our image set instead. */
const ourSemiSpaceMb = 16;

/**
 * CPU cores for the server and for all other processes. `undefined` if `taskset` can't pin
 * processes.
 */
const cores = findCores();

export type AttackedServer = Awaited<ReturnType<typeof startAttackedServer>>;

/**
 * Starts the real server on the production build with one core and 512 MB. The log goes to a file,
 * because draining a pipe would disturb the measurement.
 */
export async function startAttackedServer(
  options: Pick<Attack, "clockSpeed" | "settings"> & { dataDir: string; logFile: string },
) {
  const port = await findFreePort();
  const log = openSync(options.logFile, "a");
  const child = spawnAs(
    "server",
    [
      ...(options.clockSpeed ? ["--import", join(import.meta.dirname, "fast-clock.ts")] : []),
      `--max-semi-space-size=${ourSemiSpaceMb}`,
      join(root, "server/main.ts"),
    ],
    {
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: options.dataDir,
      CLOCK_SPEED: String(options.clockSpeed ?? 1),
      ...options.settings,
    },
    ["ignore", log, log],
  );
  closeSync(log);
  let ending: string | undefined;
  const ended = once(child, "exit").then(([code, signal]) => {
    ending ??= signal ? `ended by ${signal}` : `ended with code ${code}`;
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(child.pid));
    if (peakMb > machineMb) {
      ending ??= `ended at ${machineMb} MB`;
      child.kill("SIGKILL");
    }
  }, 50);
  await Promise.race([ended, untilHealthy(port)]);
  async function stop(): Promise<void> {
    clearInterval(watch);
    ending ??= "stopped";
    child.kill("SIGKILL");
    await ended;
  }
  return {
    port,
    pid: child.pid ?? 0,
    /** Returns the peak resident memory in MB, or 0 if the system doesn't report it. */
    peakMb: () => Math.round(Math.max(peakMb, readPeakMb(child.pid))),
    /** Returns why the server ended, or undefined while it is running. */
    ending: () => ending,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Role = "server" | "measurer" | "attacker";

/**
 * Starts Node.js with the CPU core and priority of its role, if the system permits. The server has
 * a core to itself and the heap limits of the simulated machine. The server and measuring processes
 * have high priority, attackers low.
 */
function spawnAs(
  role: Role,
  args: string[],
  settings: Record<string, string>,
  stdio: StdioOptions,
): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const core = role === "server" ? cores?.server : cores?.others;
  const nice = role === "attacker" ? "10" : process.getuid?.() === 0 ? "-10" : undefined;
  const command = [
    ...(cores && nice ? ["nice", "-n", nice] : []),
    ...(core ? ["taskset", "-c", core] : []),
    process.execPath,
    ...(role === "server"
      ? [`--max-old-space-size=${heapMb.old}`, `--max-semi-space-size=${heapMb.semiSpace}`]
      : []),
    ...args,
  ];
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...settings },
    stdio,
  });
  return killOnExit(child);
}

/**
 * Starts one of our programs with an IPC channel. The path is absolute or relative to this folder.
 */
export function startProgram(role: Role, file: string, ...args: string[]) {
  const program = [resolve(import.meta.dirname, file), ...args];
  return spawnAs(role, program, {}, ["ignore", "inherit", "inherit", "ipc"]);
}

export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`A program ended with code ${code}`));
    child.once("exit", fail);
    child.once("message", (value) => {
      child.off("exit", fail);
      resolve(value as T);
    });
  });
}

async function untilHealthy(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Reads a process's peak resident memory in MB. Returns 0 if the process has ended or the system
 * doesn't report it.
 */
function readPeakMb(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function findCores(): { server: string; others: string } | undefined {
  const allowed = spawnSync("taskset", ["-cp", String(process.pid)], { encoding: "utf8" }).stdout;
  const list = /list: ([\d,-]+)/.exec(allowed ?? "")?.[1]?.split(",") ?? [];
  const [first, ...otherCores] = list.flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
  if (first === undefined) return undefined;
  return { server: first, others: otherCores.length > 0 ? otherCores.join(",") : first };
}
