import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../harness/campus.ts";
import { endsWithUs } from "../harness/ends-with-us.ts";
import { findFreePort } from "../harness/free-port.ts";
import type { Attack } from "./attacks.ts";

/** Memory of the small machine that the server has to itself; whoever takes more is ended, as a kernel would. */
const machineMb = 512;
/** What Node chooses by itself for what is old and what is new, in MB, where it finds `machineMb`. */
const heapMb = { old: machineMb / 2, semiSpace: 4 };

/** Which processors are whose, where `taskset` can keep them apart: the server's one, and all others. */
const cores = findCores();

export type AttackedServer = Awaited<ReturnType<typeof startAttackedServer>>;

/**
 * The real server on the production build, as it runs on a small machine: one core and 512 MB. Its log goes to a file,
 * because a pipe would have to be read by the processes that measure.
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
    /** Largest resident memory until now, 0 where the system does not tell. */
    peakMb: () => Math.round(Math.max(peakMb, readPeakMb(child.pid))),
    /** How it ended, if it ended by itself. */
    ending: () => ending,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Role = "server" | "measurer" | "attacker";

/**
 * Starts Node where the system lets us choose: a server with the memory of a small machine, on a core of its own, before
 * everything else that the machine does, as whoever measures; attackers behind.
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
  return endsWithUs(child);
}

/** One of our own programs, beside this file or by its whole path, which tells its parent what it has to tell. */
export function startProgram(role: Role, file: string, ...args: string[]) {
  const program = [resolve(import.meta.dirname, file), ...args];
  return spawnAs(role, program, {}, ["ignore", "inherit", "inherit", "ipc"]);
}

export function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (value) => resolve(value as T));
    child.once("exit", (code) => reject(new Error(`A program ended with code ${code}`)));
  });
}

async function untilHealthy(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The kernel's own record of the largest resident memory; 0 of what has ended, and where the system does not tell. */
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
  const [first, ...others] = list.flatMap((part) => {
    const [from = 0, to = from] = part.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
  });
  if (first === undefined) return undefined;
  return { server: first, others: others.length > 0 ? others.join(",") : first };
}
