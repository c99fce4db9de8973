import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "./free-port.ts";
import { findPackagedServer } from "./packaged-postgres.ts";

/**
 * A process that keeps a PostgreSQL server of its own, in a folder under the system's for temporary files, for exactly
 * as long as its standard input is open: whoever started it may end as it likes, even killed, and no server and no
 * folder is left behind. Says `ready URL` or `failed SENTENCE`; takes the lines `stop`, `kill` and `start`, each
 * answered with `stopped` or `ready URL`. Argument `durable`: as careful with the disk as a real one.
 */

const prefix = "test-postgres-";
const durable = process.argv.includes("durable");
const password = randomBytes(16).toString("hex");

const folder = mkdtempSync(join(tmpdir(), prefix));
const data = join(folder, "data");
const native = join(folder, "native");
/** PostgreSQL refuses to run as root: this account owns nothing, and exists everywhere. */
const nobody = process.getuid?.() === 0 ? findAccount("nobody") : undefined;

let server: ChildProcess | undefined;
let port = 0;
let closing = false;

process.on("exit", () => {
  server?.kill("SIGQUIT");
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, close);

const commands = createInterface({ input: process.stdin });
commands.on("close", close);
try {
  prepare();
  await start();
} catch (error) {
  say(`failed ${(error as Error).message.replace(/\s+/g, " ")}`);
  process.exit(1);
}
commands.on("line", async (line) => {
  if (line === "stop") await stop("SIGINT");
  if (line === "kill") await stop("SIGQUIT");
  if (line === "start") await start();
});

/** A copy of the packaged server, whose libraries get the links that npm cannot carry, and an empty cluster. */
function prepare(): void {
  const packaged = findPackagedServer();
  if (!packaged.ok) throw new Error(packaged.problem);
  cpSync(packaged.native, native, { recursive: true, filter: (path) => !path.endsWith(".a") });
  const links = join(native, "pg-symlinks.json");
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, "utf8")) as Link[]) {
      const at = join(folder, target);
      if (!existsSync(at) && dirname(source) === dirname(target)) {
        symlinkSync(basename(source), at);
      }
    }
  }
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password, { mode: 0o644 });
  if (nobody) chownSync(folder, nobody.uid, nobody.gid);
  const made = spawnSync(
    join(native, "bin/initdb"),
    [
      `--pgdata=${data}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // As most distributions set it up: words are sorted by a language's rules and not by bytes.
      "--locale=C",
      "--locale-provider=icu",
      "--icu-locale=en-US",
      ...(durable ? [] : ["--no-sync"]),
    ],
    { encoding: "utf8", cwd: folder, ...nobody },
  );
  rmSync(passwordFile);
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`);
  }
}

type Link = { source: string; target: string };

async function start(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    // The same port again after a stop, as a real one has.
    port ||= await findFreePort();
    const problem = await serve();
    if (problem === undefined) break;
    if (attempt === 5) throw new Error(`The server did not start: ${problem}`);
    port = 0;
  }
  say(`ready postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
}

/** Resolves to undefined once it takes connections, to what it said when it ended before. */
function serve(): Promise<string | undefined> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    // Three servers' at once, and those of killed ones until that has been noticed.
    max_connections: 200,
    timezone: "Asia/Thimphu",
    shared_buffers: "32MB",
    // Nothing that is tested here survives a power cut of the machine that tests.
    ...(!durable && { fsync: "off", full_page_writes: "off" }),
  };
  const child = spawn(
    join(native, "bin/postgres"),
    [
      "-D",
      data,
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder, ...nobody },
  );
  server = child;
  let said = "";
  return new Promise((resolve) => {
    child.stderr.on("data", (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString();
      // One that follows another takes connections that read.
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve(undefined);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", () => {
      if (server === child) server = undefined;
      resolve(said.trim().slice(-500));
    });
  });
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const child = server;
  if (child) {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }
  say("stopped");
}

async function close(): Promise<void> {
  if (closing) return;
  closing = true;
  await stop("SIGQUIT");
  process.exit(0);
}

function findAccount(name: string): { uid: number; gid: number } {
  const [uid, gid] = ["-u", "-g"].map((which) =>
    Number(spawnSync("id", [which, name], { encoding: "utf8" }).stdout),
  );
  return { uid: uid || 65534, gid: gid || 65534 };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
