import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../harness/free-port.ts";
import { nobody } from "../harness/postgres.ts";

const program = process.env.PGBOUNCER_PATH ?? "/usr/sbin/pgbouncer";

/** Version of the installed pgbouncer, such as 1.18, or undefined if it isn't installed. */
export const pgbouncerVersion = existsSync(program)
  ? /PgBouncer (\d+\.\d+)/.exec(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout)?.[1]
  : undefined;

/** Whether this pgbouncer keeps prepared statements across transactions. */
export const keepsStatements = Number(pgbouncerVersion?.split(".")[1] ?? 0) >= 21;

/**
 * Starts a real pgbouncer in front of a PostgreSQL server. Each database has only two sessions, so
 * transactions often change sessions.
 * @param url the URL of a database
 * @returns the URL of the same database through the pooler
 */
export async function startPgbouncer(url: string, settings: Record<string, string | number> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const { hostname, port: to, username, password } = new URL(url);
  const port = await findFreePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users"),
    pool_mode: "transaction",
    default_pool_size: 2,
    max_client_conn: 200,
    // pgbouncer refuses to run as root. It changes to this user itself, because the user may not
    // open the folder that holds the program.
    ...(nobody && { user: "nobody" }),
    ...(keepsStatements && { max_prepared_statements: 200 }),
    ...settings,
  };
  writeFileSync(join(folder, "users"), `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    [
      "[databases]",
      `* = host=${hostname} port=${to}`,
      "[pgbouncer]",
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
      "",
    ].join("\n"),
  );
  if (nobody) chownSync(folder, nobody.uid, nobody.gid);
  const child = spawn(program, [join(folder, "pgbouncer.ini")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("process up")) resolve();
    });
    child.on("error", reject);
    child.on("exit", () => reject(new Error(`pgbouncer did not start: ${output}`)));
  });
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    close: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
