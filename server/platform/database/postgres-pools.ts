import type { Writable } from "node:stream";
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import { isConnectionLost, isSpoilt } from "./postgres-errors.ts";
import { errorCode } from "./storage-errors.ts";

/**
 * Connections to PostgreSQL. A pooler such as pgbouncer may give each transaction another session,
 * so settings apply to a transaction only, and are sent in one packet with its `begin`. Advisory
 * locks are per transaction for the same reason, and LISTEN would need a direct connection.
 */

/** Connections per server in each pool that serves visitors. */
export const connections = 4;
/** Timeout for connecting, and for waiting for a free connection in the pool. */
const connectingMs = 10_000;
/** Ends an abandoned transaction before the transactions that wait for it give up. */
const idleInTransactionMs = 5000;
/**
 * Timeout for statements, long enough for the longest one, which reads a batch of fifty requests.
 */
const statementMs = 15_000;
/**
 * Timeout for network reads. It is longer than the statement timeout, so that the database can
 * report the cause.
 */
const networkMs = 20_000;
/** After this timeout, the server applies rate limits from its own memory. */
const countingMs = 2000;
/**
 * Timeout for a migration's locks. It is short, because a migration that waits to alter a table
 * blocks all other clients of that table.
 */
const upgradingMs = 500;

/** Returns the text that begins a transaction with these settings. */
const begin = (mode: string, settings: Record<string, string | number>) =>
  [
    `begin ${mode}`,
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`),
  ].join("; ");

export const setUpgrading = `set local lock_timeout = ${upgradingMs}`;

export type Pools = ReturnType<typeof openPools>;

export function openPools(address: PostgresAddress, lockWaitMs: number) {
  const hosts = createHosts(address);
  const open = (max: number, timeoutMs: number, more: ClientConfig = {}) =>
    openPool(hosts, { ...address.client, max, query_timeout: timeoutMs, ...more });
  const waits = { lock_timeout: lockWaitMs, statement_timeout: statementMs };
  const pipelined = { pipeline: true };
  return {
    pools: {
      readers: open(connections, networkMs, pipelined),
      writers: open(connections, networkMs, pipelined),
      upgrading: open(2, 0),
      /** Vacuuming, moves and copies have no timeout. */
      slow: open(3, 0),
      counting: open(connections, countingMs, pipelined),
    },
    begins: {
      reading: begin("read only", waits),
      // Doesn't request "read write", because a replica or a read-only database would then fail
      // here instead of at the first change.
      writing: begin("isolation level read committed", {
        ...waits,
        idle_in_transaction_session_timeout: idleInTransactionMs,
      }),
      /** Changes that a crash may lose don't wait for the disk. */
      losing: begin("isolation level read committed", { ...waits, synchronous_commit: "off" }),
      /** Rate limiting must neither delay a request nor wait for the disk. */
      counting: begin("isolation level read committed", {
        lock_timeout: countingMs,
        statement_timeout: countingMs,
        synchronous_commit: "off",
      }),
    },
  };
}

function openPool(hosts: Hosts, config: ClientConfig & { max: number }): Pool {
  class HostedClient extends Client {
    constructor(options: ClientConfig) {
      // The pool hides the password from copies of its options.
      super({ ...options, password: options.password, ...hosts.current() });
    }
  }
  class HostedPool extends Pool {
    // Every caller of the pool connects through this method.
    override connect(): never {
      return hosts.connect(() => super.connect()) as never;
    }
  }
  const pool = new HostedPool({
    ...config,
    Client: HostedClient as never,
    application_name: "campus-site",
    connectionTimeoutMillis: connectingMs,
    keepAlive: true,
    types: { getTypeParser },
    onConnect: (client) => hosts.check(client as Client) as never,
  });
  // If an idle connection is cut, the pool replaces it.
  pool.on("error", () => {});
  // A query on a cut connection fails anyway. Without this listener, the event would crash the
  // process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

type Hosts = ReturnType<typeof createHosts>;

/** Thrown if a server can be read but not changed, such as a replica. */
export class ReadOnlyServerError extends Error {
  override name = "ReadOnlyServerError";
  readonly code = "25006";
}

/**
 * Chooses among the address's servers. If connecting to a server fails, or if it accepts no
 * changes, the next connection goes to the next server, until each has been tried once.
 */
function createHosts({ hosts }: PostgresAddress) {
  let chosen = 0;
  return {
    current: () => hosts[chosen % hosts.length] ?? {},
    async connect<T>(once: () => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries++) {
        const tried = chosen;
        try {
          return await once();
        } catch (error) {
          if (tries >= hosts.length || !isOfThisServer(error)) throw error;
          // Another connection may already have moved on.
          if (chosen === tried) chosen = tried + 1;
        }
      }
    },
    async check(client: Client): Promise<void> {
      if (hosts.length === 1) return;
      const { rows } = await client.query(
        "select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as only_reads",
      );
      if (rows[0]?.only_reads) throw new ReadOnlyServerError("the server only reads");
    },
  };
}

/** Checks for an error that another server of the same database may not have. */
function isOfThisServer(error: unknown): boolean {
  return isConnectionLost(error) || errorCode(error) === "25006";
}

export type Query = { name?: string; text: string; values?: unknown[] };

/**
 * Sends a query without waiting for the answers to earlier queries. All queries from one turn of
 * the event loop are sent in one packet.
 */
export function send(client: PoolClient, query: string | Query): Promise<QueryResult> {
  const { connection } = client as { connection?: { stream?: Writable } };
  const stream = connection?.stream;
  stream?.cork();
  process.nextTick(() => stream?.uncork());
  return client.query(query as Query);
}

/** Runs one statement as a transaction, in one round trip. */
export async function runAlone(pool: Pool, begin: string, query: Query): Promise<QueryResult> {
  const client = await pool.connect();
  const [begun, found, ended] = await Promise.allSettled([
    send(client, begin),
    send(client, query),
    send(client, "commit"),
  ]);
  for (const answer of [begun, found, ended]) {
    if (answer.status === "fulfilled") continue;
    client.release(isSpoilt(answer.reason));
    throw answer.reason;
  }
  client.release();
  return (found as PromiseFulfilledResult<QueryResult>).value;
}

/**
 * Types, by OID, that are parsed as numbers, such as counts and ids. All other types are parsed as
 * text.
 */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);
const boolean = 16;

function getTypeParser(type: number): (text: string) => unknown {
  if (numbers.has(type)) return toNumber;
  return type === boolean ? (text) => (text === "t" ? 1 : 0) : (text) => text;
}

function toNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
    throw new Error("A number in the database is too large");
  }
  return number;
}
