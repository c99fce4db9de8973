import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  returnTestDatabase,
  settingsFor,
} from "../../server/platform/database/database.fixture.ts";
import { buildDir, campusDir, root } from "./campus.ts";
import { findFreePort } from "./free-port.ts";
import { killOnExit } from "./kill-on-exit.ts";

export type ServerProcess = Awaited<ReturnType<typeof startServerProcess>>;

type Ending = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

/**
 * Runs a script with only a few of this process's environment variables.
 * @param file path relative to the project root, or an absolute path
 * @param stdout an open file to use instead of a pipe
 */
export function spawnProgram(
  file: string,
  settings: Record<string, string>,
  args: string[] = [],
  stdout: number | "pipe" = "pipe",
): ChildProcess {
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const env = {
    ...{ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, NODE_ENV: "production" },
    ...{ CAMPUS_DIR: campusDir, BUILD_DIR: buildDir, HOST: "127.0.0.1" },
    ...settings,
  };
  const stdio: StdioOptions = ["pipe", stdout, "pipe"];
  return killOnExit(
    spawn(process.execPath, [resolve(root, file), ...args], { cwd: root, env, stdio }),
  );
}

/** Runs a script and waits until it exits. */
export async function runToEnd(
  file: string,
  settings: Record<string, string>,
  args: string[] = [],
): Promise<Ending> {
  return watchEnding(spawnProgram(file, settings, args)).ended;
}

/**
 * Starts the real server in a separate process and waits until it accepts requests.
 * @param dataDirToUse a folder that outlives the server, by default a temporary one
 */
export async function startServerProcess(
  settings: Record<string, string> = {},
  dataDirToUse?: string,
  file = "server/main.ts",
) {
  const dataDir = dataDirToUse ?? (await mkdtemp(join(tmpdir(), "server-")));
  const { port, child, output, ended } = await serveOnFreePort(file, {
    DATA_DIR: dataDir,
    ...settings,
  });
  return {
    port,
    url: `http://localhost:${port}`,
    dataDir,
    /** Output so far. */
    output,
    ended,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async health() {
      const answer = await fetch(`http://localhost:${port}/healthz`);
      const body = (await answer.json()) as { status: string; problems?: string[] };
      return { status: answer.status, body };
    },
    /**
     * Stops the server and waits until it exits. Removes the data folder if this function created
     * it.
     */
    async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<Ending> {
      child.kill(signal);
      const ending = await ended;
      if (!dataDirToUse) await rm(dataDir, { recursive: true, force: true });
      return ending;
    },
  };
}

/**
 * Creates a data folder and a database for a server that the test restarts. The database is of the
 * kind under test.
 */
export async function openDataFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "data-"));
  const settings = await settingsFor(dataDir);
  return {
    dataDir,
    /** Environment variables for a program that uses this folder and database. */
    settings,
    serve: (more: Record<string, string> = {}) =>
      startServerProcess({ ...settings, ...more }, dataDir),
    async [Symbol.asyncDispose]() {
      await returnTestDatabase(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the server. Retries on another port if a program has taken the first one in the meantime.
 */
async function serveOnFreePort(file: string, settings: Record<string, string>) {
  for (;;) {
    const port = await findFreePort();
    const child = spawnProgram(file, { PORT: String(port), ...settings });
    const { ended, output } = watchEnding(child);
    const serving = new Promise<void>((resolve) => {
      child.stdout?.on("data", () => {
        if (output.stdout.includes("Serving ")) resolve();
      });
    });
    const early = await Promise.race([serving, ended]);
    if (!early) return { port, child, output, ended };
    if (!early.stderr.includes("already taken")) {
      throw new Error(`The server ended early: ${early.stderr}${early.stdout}`);
    }
  }
}

function watchEnding(child: ChildProcess) {
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...output }));
  });
  return { output, ended };
}
