import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { PostgresStore } from "./postgres.ts";
import type { PostgresAddress } from "./postgres-address.ts";

/** PostgreSQL's own copy, by its own program: what to run for it here. */

/** Where distributions keep the authorities that browsers trust, too; from version 16 on pg_dump finds them itself. */
const trusted = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/cert.pem",
];
const findsTrusted = 16;

/**
 * The whole command, without the password, and what keeps the pg_dump of this machine from it.
 * @param findClient tells the version of that pg_dump
 */
export async function tellDump(
  address: PostgresAddress,
  store: Pick<PostgresStore, "command">,
  findClient = findVersion,
): Promise<string> {
  const [found] = await store.command("select current_setting('server_version_num') as version");
  const server = Math.floor(Number(found?.version) / 10_000);
  const client = await findClient();
  const needed = `PostgreSQL's client programs of version ${server} or newer (postgresql-client-${server})`;
  const hindrance =
    client === undefined
      ? ` There is no pg_dump on this machine: install ${needed}.`
      : client < server
        ? ` The pg_dump of this machine is of version ${client} and refuses a server of version ${server}: install ${needed}.`
        : "";
  const connection = toConnection(address, client ?? server);
  return `PostgreSQL's own copy of it, which is not sealed, is made by:\n\n  pg_dump --format=custom --no-owner --file=FILE '${connection}'\n\nIt asks for the password, or finds it in ~/.pgpass.${hindrance}`;
}

/** As PostgreSQL's own programs read an address. */
function toConnection({ client, trustFile }: PostgresAddress, version: number): string {
  const { host = "", port, user, database = "", ssl } = client;
  const url = new URL("postgresql://localhost");
  const isSocket = host.startsWith("/");
  if (!isSocket) {
    url.hostname = host.includes(":") ? `[${host}]` : host;
    url.port = String(port);
  }
  url.username = encodeURIComponent(user ?? "");
  url.pathname = `/${encodeURIComponent(database)}`;
  const more: [string, string][] = isSocket
    ? [
        ["host", host],
        ["port", String(port)],
      ]
    : [];
  if (ssl) {
    const system = version >= findsTrusted ? "system" : trusted.find((path) => existsSync(path));
    const authority = trustFile ?? system;
    more.push(["sslmode", "verify-full"]);
    if (authority !== undefined) more.push(["sslrootcert", authority]);
  }
  // A quote would end the shell's word.
  const search = more.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  return `${url.href}${search && `?${search}`}`.replaceAll("'", "%27");
}

/** The major version of this machine's pg_dump; undefined where there is none. */
async function findVersion(): Promise<number | undefined> {
  try {
    const { stdout } = await promisify(execFile)("pg_dump", ["--version"]);
    const version = /\b(\d+)(?:\.|\b)/.exec(stdout.replace(/^\S+/, ""))?.[1];
    return version === undefined ? undefined : Number(version);
  } catch {
    return undefined;
  }
}
