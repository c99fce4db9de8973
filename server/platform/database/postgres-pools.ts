import type { Writable } from "node:stream";
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import { breaksConnection, isConnectionLost } from "./postgres-errors.ts";
import { errorCode } from "./storage-errors.ts";

/**
 * Connection pools for PostgreSQL. A pooler such as pgbouncer may run each transaction in a
 * different session. Settings therefore apply only to a transaction and are sent in one packet with
 * its `begin`. Advisory locks are also per transaction, and LISTEN would need a direct connection.
 */

/** Number of connections in each pool that serves visitors. Each server has its own pools. */
export const connections = 4;
/** Timeout for connecting and for waiting for a free connection in the pool. */
const connectingMs = 10_000;
/** Ends an abandoned transaction before the transactions that wait for its locks time out. */
const idleInTransactionMs = 5000;
/** Timeout for statements. The slowest statement reads a batch of fifty requests. */
const statementMs = 15_000;
/**
 * Timeout for network reads. It exceeds the statement timeout so that the database can report the
 * cause first.
 */
const networkMs = 20_000;
/** Timeout for rate limiting in the database, after which the server counts in memory. */
const countingMs = 2000;
/**
 * Lock timeout for migrations. It is short, because a migration that waits for a table's lock
 * blocks all other clients of that table.
 */
const upgradingMs = 500;

/**
 * How PostgreSQL plans statements. They use indexes whatever the statistics say: a connection keeps
 * the plan of a prepared statement until PostgreSQL analyzes the table again, and a plan for a
 * nearly empty table would read every row of a table that has grown since. One plan serves all
 * values: otherwise, PostgreSQL plans the statement of the limits anew for each form, which took a
 * tenth of its CPU time.
 */
const planning = { enable_seqscan: "off", plan_cache_mode: "force_generic_plan" };

const begin = (mode: string, settings: Record<string, string | number>) =>
  [
    `begin ${mode}`,
    ...Object.entries({ ...planning, ...settings }).map(
      ([name, value]) => `set local ${name} = ${value}`,
    ),
  ].join("; ");

export const setUpgrading = `set local lock_timeout = ${upgradingMs}`;

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
      /** For vacuums, moves and copies, which have no timeout. */
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
      /** For changes that needn't survive a crash and therefore don't wait for the disk. */
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
      // Copies the password explicitly, because pg makes it non-enumerable.
      super({ ...options, password: options.password, ...hosts.current() });
    }
  }
  class HostedPool extends Pool {
    // All users of the pool connect through this method.
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
  // If an idle connection fails, the pool replaces the connection, so the error can be ignored.
  pool.on("error", () => {});
  // A query on a cut connection fails anyway. Without this listener, the event would crash the
  // process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

type Hosts = ReturnType<typeof createHosts>;

/** Thrown if a server is read-only, such as a replica. */
export class ReadOnlyServerError extends Error {
  override name = "ReadOnlyServerError";
  readonly code = "25006";
}

/**
 * Chooses among the address's servers. If a server can't be reached or is read-only, tries the next
 * server. Tries each server at most once.
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
          // Another connection may already have switched to the next server.
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

/** Checks whether an error may affect only the current server. */
function isOfThisServer(error: unknown): boolean {
  return isConnectionLost(error) || errorCode(error) === "25006";
}

export type Query = { name?: string; text: string; values?: unknown[] };

/**
 * Sends a query without waiting for the answers to earlier queries (pipelining). Queries from one
 * turn of the event loop are sent in one packet.
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
  const [started, found, ended] = await Promise.allSettled([
    send(client, begin),
    send(client, query),
    send(client, "commit"),
  ]);
  for (const answer of [started, found, ended]) {
    if (answer.status === "fulfilled") continue;
    client.release(breaksConnection(answer.reason));
    throw answer.reason;
  }
  client.release();
  return (found as PromiseFulfilledResult<QueryResult>).value;
}

/**
 * OIDs of the types that are parsed as numbers, such as counts and ids. All other types except
 * booleans are parsed as text.
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
