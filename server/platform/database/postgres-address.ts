import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";

/** Connection settings for PostgreSQL, parsed from `DATABASE_URL`. */
export type PostgresAddress = {
  client: Pick<ClientConfig, "user" | "password" | "database" | "ssl">;
  /** Servers of one database. Only one of them accepts writes at any time. */
  hosts: readonly PostgresHost[];
  /** Name of the database for messages. Never contains a password. */
  name: string;
};

type PostgresHost = { host: string; port: number };

/** Advice for an operator who pasted a password into a URL without encoding it. */
export const percentEncode = "percent-encode / ? # @ and % in a user or password";

const form = `must be an address such as postgres://site:password@db.example/requests, or postgres:///requests?host=/run/postgresql&user=site for a socket, or postgres://site:password@db1.example:5432,db2.example:5432/requests for several servers of one database; ${percentEncode}`;

const wrong = (problem: string) => ({ ok: false, problem }) as const;

/**
 * Parses a database URL. Connections to other machines are always encrypted with a verified
 * certificate, regardless of the URL's parameters, because they carry personal data.
 * @returns the address, or a problem to append to the setting's name. The problem never contains the
 * password.
 */
export function parsePostgresAddress(
  text: string,
): { ok: true; address: PostgresAddress } | { ok: false; problem: string } {
  // `URL` supports only one host, so further servers are parsed separately.
  const [, start = "", places = "", rest = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const [first = "", ...more] = places.split(",");
  const url = URL.parse(`${start}${first}${rest}`);
  if (!url || url.hash) return wrong(form);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    // The question mark probably belongs to an unencoded password.
    if (url.search.includes("@")) return wrong(form);
    return wrong(`accepts only the parameters ${parameters.join(", ")}`);
  }
  const attributes = url.searchParams.get("target_session_attrs") ?? "read-write";
  if (!["read-write", "primary"].includes(attributes)) {
    return wrong("accepts only target_session_attrs=read-write, because the site writes");
  }
  const parts = decode(url);
  if (!parts?.database || parts.database.includes("/")) return wrong(form);
  const hosts = readHosts([url, ...more.map((place) => URL.parse(`postgres://${place}`))]);
  if (!hosts) return wrong(form);
  const user = url.searchParams.get("user") ?? parts.user;
  const { password, database } = parts;
  const tls = readTls(hosts, url.searchParams);
  if (!tls.ok) return tls;
  const names = hosts.map(({ host, port }) => (host.startsWith("/") ? host : `${host}:${port}`));
  return {
    ok: true,
    address: {
      client: { user, password, database, ssl: tls.ssl },
      hosts,
      name: `${database} at ${names.join(",")}`,
    },
  };
}

const parameters = ["host", "port", "user", "sslmode", "sslrootcert", "target_session_attrs"];

function decode(url: URL) {
  try {
    return {
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: decodeURIComponent(url.pathname.slice(1)),
    };
  } catch {
    return undefined;
  }
}

/**
 * Reads the servers from the parameters `host` and `port`, which may be lists, or else from the
 * part before the path. Returns `undefined` if a host or port is invalid.
 */
function readHosts(places: readonly (URL | null)[]): PostgresHost[] | undefined {
  const parameters = places[0]?.searchParams;
  const given = parameters?.get("host")?.split(",");
  const ports = parameters?.get("port")?.split(",") ?? [];
  const hosts = (given ?? places).map((place, index) => {
    const port = ports[ports.length === 1 ? 0 : index];
    if (typeof place === "string") return { host: place, port: Number(port ?? 5432) };
    const host = place?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
    return { host, port: Number(port ?? (place?.port || 5432)) };
  });
  const isWhole = hosts.every(
    ({ host, port }) => host !== "" && Number.isInteger(port) && port >= 1 && port <= 65_535,
  );
  return isWhole ? hosts : undefined;
}

function readTls(
  hosts: readonly PostgresHost[],
  parameters: URLSearchParams,
): { ok: true; ssl: ClientConfig["ssl"] } | { ok: false; problem: string } {
  const mode = parameters.get("sslmode");
  const path = parameters.get("sslrootcert");
  if (mode !== null && !["disable", "verify-full"].includes(mode)) {
    return wrong(
      "accepts only sslmode=verify-full or, for a database on this machine, sslmode=disable",
    );
  }
  const near = hosts.every(({ host }) => isThisMachine(host));
  if (mode === "disable" && !near) {
    return wrong(
      "cannot use sslmode=disable for a database on another machine, because others could read the data",
    );
  }
  const encrypted = mode === "verify-full" || path !== null || !near;
  if (!encrypted || mode === "disable") return { ok: true, ssl: false };
  if (hosts.some(({ host }) => host.startsWith("/")))
    return wrong("cannot encrypt a socket connection: leave out sslmode and sslrootcert");
  try {
    const ca = path === null ? undefined : readFileSync(path, "utf8");
    return { ok: true, ssl: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(`has a certificate in sslrootcert that cannot be read (${code})`);
  }
}

/** Checks whether a host name, IP address or socket folder is certainly on this machine. */
export function isThisMachine(host: string): boolean {
  return (
    host.startsWith("/") || host === "localhost" || host === "::1" || /^127(?:\.\d+){3}$/.test(host)
  );
}
