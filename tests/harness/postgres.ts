import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { askPostgres } from "../../server/database/database.fixture.ts";

export type PostgresServer = {
  /** Of an account that may do everything, on a database that no test uses. */
  url: string;
  /** Ends every connection and stops it, as an administrator does. */
  halt(): Promise<void>;
  /** Ends it without a word and without tidying up. */
  crash(): Promise<void>;
  /** At the same address again. */
  start(): Promise<void>;
  /** Stops it for good and removes what it kept. */
  close(): Promise<void>;
};

/**
 * Starts a real PostgreSQL server of our own. It goes away with this process, however that ends.
 * @param options.durable whether to wait for the disk, for whoever measures
 */
export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const keeper = spawn(
    process.execPath,
    [join(import.meta.dirname, "postgres-keeper.ts"), ...(options.durable ? ["durable"] : [])],
    // Ctrl-C reaches only whoever started it; the closed pipe tells the keeper.
    { stdio: ["pipe", "pipe", "inherit"], detached: true },
  );
  const lines = createInterface({ input: keeper.stdout });
  const ended = new Promise<void>((resolve) => keeper.once("close", () => resolve()));
  const answers: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  lines.on("line", (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else answers.push(line);
  });
  lines.on("close", () => {
    for (const next of waiting.splice(0)) next("failed The server's keeper ended.");
  });

  async function hear(wanted: string): Promise<string> {
    const line = answers.shift() ?? (await new Promise<string>((next) => waiting.push(next)));
    if (!line.startsWith(wanted)) throw new Error(line.replace(/^failed /, ""));
    return line.slice(wanted.length).trim();
  }
  async function tell(command: "stop" | "kill" | "start", wanted: string): Promise<void> {
    keeper.stdin.write(`${command}\n`);
    await hear(wanted);
  }

  const url = await hear("ready");
  return {
    url,
    halt: () => tell("stop", "stopped"),
    crash: () => tell("kill", "stopped"),
    start: () => tell("start", "ready"),
    async close() {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Address of a database on the same server. */
function addressOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** An empty database of its own; `drop` removes it, whoever is still connected. */
export async function createTestDatabase(server = requireServer()) {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await askPostgres(server, `CREATE DATABASE ${name}`);
  return {
    name,
    url: addressOf(server, name),
    drop: async () => {
      await askPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The server of this test run: the one that was started for it, or the one that TEST_DATABASE_URL names. */
export function requireServer(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (!url) throw new Error("This test runs in a project whose setup starts PostgreSQL");
  return url;
}
