import { readFileSync } from "node:fs";
import type { ClientConfig } from "pg";

/** Connection settings for PostgreSQL, parsed from `DATABASE_URL`. */
export type PostgresAddress = {
  client: Pick<ClientConfig, "host" | "port" | "user" | "password" | "database" | "ssl">;
  /** Name of the database for use in messages; never contains a password. */
  name: string;
};

/** Advice for someone who pasted a password into a URL without encoding it. */
export const percentEncode = "percent-encode / ? # @ and % in a user or password";

const form = `must be an address such as postgres://site:password@db.example/requests, or postgres:///requests?host=/run/postgresql&user=site for a socket; ${percentEncode}`;

const wrong = (problem: string) => ({ ok: false, problem }) as const;

/**
 * Parses a database URL. A connection to another machine is always encrypted and its certificate
 * verified, whatever the URL says, because it carries personal data.
 * @returns a problem, worded to follow the setting's name, that never repeats the password
 */
export function parsePostgresAddress(
  text: string,
): { ok: true; address: PostgresAddress } | { ok: false; problem: string } {
  // In a URL whose scheme isn't http, the host may be missing; such a URL can't have a port.
  const url = URL.parse(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol) || url.hash) return wrong(form);
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    // The question mark is part of an unencoded password.
    if (url.search.includes("@")) return wrong(form);
    return wrong(`can say ${parameters.join(", ")} behind its question mark, and nothing else`);
  }
  const parts = decode(url);
  if (!parts?.database || parts.database.includes("/")) return wrong(form);
  const host = url.searchParams.get("host") ?? parts.host;
  if (!host) return wrong(form);
  const port = Number(url.searchParams.get("port") ?? parts.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return wrong(form);
  const user = url.searchParams.get("user") ?? parts.user;
  const { password, database } = parts;
  const tls = readTls(host, url.searchParams);
  if (!tls.ok) return tls;
  return {
    ok: true,
    address: {
      client: { host, port, user, password, database, ssl: tls.ssl },
      name: `${database} at ${host.startsWith("/") ? host : `${host}:${port}`}`,
    },
  };
}

const parameters = ["host", "port", "user", "sslmode", "sslrootcert"];

function decode(url: URL) {
  try {
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? 5432 : Number(url.port),
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      database: decodeURIComponent(url.pathname.slice(1)),
    };
  } catch {
    return undefined;
  }
}

function readTls(
  host: string,
  parameters: URLSearchParams,
): { ok: true; ssl: ClientConfig["ssl"] } | { ok: false; problem: string } {
  const mode = parameters.get("sslmode");
  const path = parameters.get("sslrootcert");
  if (mode !== null && !["disable", "verify-full"].includes(mode)) {
    return wrong("can say sslmode=verify-full, or sslmode=disable on this machine alone");
  }
  const near = isThisMachine(host);
  if (mode === "disable" && !near) {
    return wrong(
      "cannot say sslmode=disable for a database on another machine: it would be read along",
    );
  }
  const encrypted = mode === "verify-full" || path !== null || !near;
  if (!encrypted || mode === "disable") return { ok: true, ssl: false };
  if (host.startsWith("/"))
    return wrong("cannot encrypt a socket: leave out sslmode and sslrootcert");
  try {
    const ca = path === null ? undefined : readFileSync(path, "utf8");
    return { ok: true, ssl: { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(`names a certificate in sslrootcert that cannot be read (${code})`);
  }
}

/** Returns true if a host name, an IP address or a socket's folder is certainly on this machine. */
export function isThisMachine(host: string): boolean {
  return (
    host.startsWith("/") || host === "localhost" || host === "::1" || /^127(?:\.\d+){3}$/.test(host)
  );
}
