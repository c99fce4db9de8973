import { setTimeout } from "node:timers/promises";
import {
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  isConnectionLost,
  isSpoilt,
  isStorageCode,
  isWorthAnotherTry,
  wasNeverSent,
} from "./postgres-errors.ts";
import { lockRows } from "./postgres-locks.ts";
import {
  type AnyStatement,
  type Compiled,
  createCompiler,
  type Read,
  type Write,
} from "./statement.ts";
import {
  errorCode,
  type StoreTrouble,
  StoreUnavailableError,
  usualLockWaitMs,
} from "./storage-errors.ts";
import { createSharedBuckets, takeTokens } from "./token-buckets.ts";

export type PostgresStore = ReturnType<typeof openPostgres>;

/** A lease on work that only one server may do at a time; `holder` is a random id. */
export type Lease = { name: string; holder: string };

/** How long a lease lasts: half a minute longer than the renewal interval. */
const leaseMs = 90_000;

/** Connections per server in each pool. */
export const connections = 8;
/** Timeout for connecting, and for waiting until the pool has a free connection. */
const connectingMs = 10_000;
/** Ends an abandoned transaction before the transactions that wait for it give up. */
const idleInTransactionMs = 5000;
/** Timeout of the health check. */
const lookingMs = 2000;
/** Timeout for statements; enough for the longest one, which reads a batch of fifty requests. */
const statementMs = 15_000;
/**
 * Timeout for network reads; longer than the statement timeout, so that the database can report the
 * cause itself.
 */
const networkMs = 20_000;
/** After this timeout, the server applies rate limits in its own memory. */
const countingMs = 2000;
/** How long to keep retrying a transaction. */
const retryForMs = 8000;

/**
 * Opens PostgreSQL. Reads and writes have separate pools, so that neither waits for the other, and
 * the read pool can't write.
 */
export function openPostgres(address: PostgresAddress, lockWaitMs = usualLockWaitMs) {
  const pools = openPools(address, lockWaitMs);
  const state = { isClosed: false, isWritingFailing: false };
  const prepared = createPreparing();
  const { clock, readClock } = createClock(pools.readers);

  async function changeLease(query: QueryConfig): Promise<boolean> {
    try {
      return ((await pools.writers.query(query)).rowCount ?? 0) > 0;
    } catch (error) {
      throw toStorageError(error, state);
    }
  }

  const read: Read = {
    all: async (statement, ...values) =>
      (await runQuery(pools.readers, prepared(statement, values[0]), state)).rows,
  };
  return {
    read,
    /**
     * @param lease must be held by this server throughout the transaction; otherwise, the
     * transaction fails with a `LeaseLostError`
     */
    write: <T>(work: (transaction: Write) => Promise<T>, lease?: Lease) =>
      writeAgain(() => attempt(pools.writers, prepared, work, lease), state),
    /** Runs fixed SQL on one connection, outside any transaction and without a timeout. */
    command: (...statements: string[]) => command(pools.slow, statements, state),
    readClock,
    /**
     * Takes or renews a lease by the database's clock. Returns false while another server holds it.
     */
    takeLease: async (lease: Lease) => {
      await readClock();
      return changeLease(say("take", lease));
    },
    leaveLease: async (lease: Lease) => {
      await changeLease(say("leave", lease));
    },
    clock,
    /** Dialect for migrations while other servers are running. */
    upgrading: toDialect(pools.upgrading),
    /** Dialect for moves, copies and low-level tests. */
    dialect: toDialect(pools.slow),
    findTrouble: async (): Promise<StoreTrouble | undefined> => {
      const query = { text: "select id from requests limit 1", name: "look" };
      const answered = await Promise.race([
        runQuery(pools.readers, query, state).catch(() => undefined),
        setTimeout(lookingMs, undefined, { ref: false }),
      ]);
      if (!answered) return "unreadable";
      return state.isWritingFailing ? "unwritable" : undefined;
    },
    countConnections: () =>
      Object.entries(pools).map(([pool, { totalCount, idleCount, waitingCount }]) => ({
        pool,
        busy: totalCount - idleCount,
        idle: idleCount,
        waiting: waitingCount,
      })),
    purses: createSharedBuckets(pools.counting),
    /** Returns PostgreSQL's plan for a statement, one line per step. */
    explain: (statement: AnyStatement) => explain(pools.slow, statement),
    close: async () => {
      if (state.isClosed) return;
      state.isClosed = true;
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

type PoolState = {
  isClosed: boolean /** The last attempt to change something failed. */;
  isWritingFailing: boolean;
};

function openPools(address: PostgresAddress, lockWaitMs: number) {
  const toPool = (
    settings: Record<string, string | number>,
    sessionMs: number,
    max = connections,
  ) => {
    const pool = new Pool({
      ...address.client,
      application_name: "campus-site",
      max,
      connectionTimeoutMillis: connectingMs,
      query_timeout: sessionMs,
      keepAlive: true,
      types: { getTypeParser },
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(" "),
    });
    // If an idle connection is cut, the pool replaces it.
    pool.on("error", () => {});
    // A query on a cut connection fails anyway; without this listener, the event would crash the
    // process.
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  };
  const session = {
    lock_timeout: lockWaitMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  const counting = {
    statement_timeout: countingMs,
    lock_timeout: countingMs,
    synchronous_commit: "off",
  };
  return {
    readers: toPool({ ...session, default_transaction_read_only: "on" }, networkMs),
    writers: toPool(session, networkMs),
    /**
     * The lock timeout is short: while a migration waits to alter a table, it blocks every other
     * client of that table.
     */
    upgrading: toPool({ lock_timeout: 500 }, 0, 2),
    /** Vacuuming, moves and copies have no timeout. */
    slow: toPool({}, 0, 3),
    /** Rate limiting must neither delay a request nor wait for the disk. */
    counting: toPool(counting, countingMs),
  };
}

/** Wraps storage problems; returns errors about faulty SQL unchanged. */
function toStorageError(error: unknown, { isClosed }: PoolState): unknown {
  if (isClosed) return new StoreUnavailableError("closed", { cause: error });
  return isStorageCode(error) || isConnectionLost(error)
    ? new StoreUnavailableError(errorCode(error) ?? "connection lost", { cause: error })
    : error;
}

async function runQuery(readers: Pool, query: QueryConfig, state: PoolState) {
  for (let tries = 1; ; tries++) {
    try {
      return await readers.query(query);
    } catch (error) {
      // An idle connection may have been cut long ago, and a read can safely be repeated.
      if (state.isClosed || !isWorthAnotherTry(error, tries)) throw toStorageError(error, state);
    }
  }
}

/**
 * Attempts a transaction once. If it throws, everything was rolled back, unless the connection
 * broke during the commit.
 */
async function attempt<T>(
  writers: Pool,
  prepared: ReturnType<typeof createPreparing>,
  work: (transaction: Write) => Promise<T>,
  lease: Lease | undefined,
): Promise<T> {
  const client = await writers.connect();
  let committing = false;
  // After a failed statement, PostgreSQL can't commit, even if `work` handles the error.
  let broken: { error: unknown } | undefined;
  const run = async (query: QueryConfig) => {
    try {
      return await client.query(query);
    } catch (error) {
      broken ??= { error };
      throw error;
    }
  };
  try {
    // Doesn't request "read write", because a replica or a read-only database would then fail here
    // instead of at the first change.
    await client.query("begin isolation level read committed");
    if (lease) {
      // The lease's row stays locked until the commit, so that another server can take over before
      // or after this transaction, but not during it.
      const { rowCount } = await run(say("prolong", lease));
      if (rowCount === 0) throw new LeaseLostError(lease.name);
    }
    const result = await work(createTransaction(run, prepared));
    if (broken) throw broken.error;
    committing = true;
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    const cause = broken?.error ?? error;
    await undo(client, cause);
    if (committing && isConnectionLost(cause) && !wasNeverSent(cause))
      // The commit may or may not have succeeded.
      throw new StoreUnavailableError("commit in doubt", { cause });
    throw cause;
  }
}

/** Retries a transaction until it succeeds or a retry is pointless. */
async function writeAgain<T>(attempt: () => Promise<T>, state: PoolState): Promise<T> {
  const giveUpAt = performance.now() + retryForMs;
  for (let tries = 1; ; tries++) {
    try {
      const result = await attempt();
      state.isWritingFailing = false;
      return result;
    } catch (error) {
      const again =
        !state.isClosed && isWorthAnotherTry(error, tries) && performance.now() < giveUpAt;
      if (!again) {
        const reported =
          error instanceof StoreUnavailableError ? error : toStorageError(error, state);
        if (reported instanceof StoreUnavailableError && !(reported instanceof LeaseLostError)) {
          state.isWritingFailing = true;
        }
        throw reported;
      }
    }
    // A random delay keeps two conflicting transactions from colliding again.
    await setTimeout(Math.random() * Math.min(200, 5 * 2 ** tries));
  }
}

async function command(
  slow: Pool,
  statements: readonly string[],
  state: PoolState,
): Promise<Record<string, unknown>[]> {
  let client: PoolClient | undefined;
  try {
    client = await slow.connect();
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    await client.query("reset all");
    client.release();
    return rows;
  } catch (error) {
    client?.release(true);
    throw toStorageError(error, state);
  }
}

/**
 * Creates a clock that adds the elapsed time to the last reading of the database's clock. It
 * ignores this machine's wall clock.
 */
function createClock(readers: Pool) {
  let seen: { atMs: number; elapsedMs: number } | undefined;
  return {
    /** Reads the database's clock: before the first write, then from time to time. */
    async readClock(): Promise<void> {
      const asked = performance.now();
      const { rows } = await readers.query(
        "select extract(epoch from clock_timestamp()) * 1000 as at",
      );
      seen = { atMs: Number(rows[0].at), elapsedMs: (asked + performance.now()) / 2 };
    },
    clock(): Temporal.Instant {
      if (!seen) throw new Error("The database's clock was not read");
      const nowMs = seen.atMs + performance.now() - seen.elapsedMs;
      return Temporal.Instant.fromEpochMilliseconds(Math.round(nowMs));
    },
  };
}

/** Thrown if another server has taken over the lease. */
class LeaseLostError extends StoreUnavailableError {
  override name = "LeaseLostError";

  constructor(name: string) {
    super(`another instance has taken over ${name}`);
  }
}

const toText = (instant: string) =>
  `to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const now = toText("clock_timestamp()");
const untilThen = toText(`clock_timestamp() + interval '${leaseMs} milliseconds'`);

/** Statements on leases; the lease's name and holder are the first two values. */
const leasing = {
  prolong: `update leases set until = ${untilThen} where name = $1 and holder = $2`,
  take: `insert into leases (name, holder, until) values ($1, $2, ${untilThen})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until <= ${now}`,
  leave: "delete from leases where name = $1 and holder = $2",
};

/**
 * Write statements that exist only for PostgreSQL. Like declared statements, they must also work on
 * the next version's tables.
 */
export const ownStatements = [takeTokens, ...Object.values(leasing)];

function say(name: keyof typeof leasing, lease: Lease): QueryConfig {
  return { name, text: leasing[name], values: [lease.name, lease.holder] };
}

async function undo(client: PoolClient, error: unknown): Promise<void> {
  if (isConnectionLost(error)) {
    client.release(true);
    return;
  }
  try {
    await client.query("rollback");
    client.release(isSpoilt(error));
  } catch {
    client.release(true);
  }
}

function createTransaction(
  run: (query: QueryConfig) => Promise<QueryResult>,
  prepared: ReturnType<typeof createPreparing>,
): Write {
  return {
    all: async (statement, ...values) =>
      (await run(prepared(statement, values[0], { locksRows: true }))).rows,
    run: async (statement, ...values) =>
      (await run(prepared(statement, values[0], { locksRows: true }))).rowCount ?? 0,
    lock: async (name) => {
      await run({ name: "lock", text: lockByName, values: [name] });
    },
  };
}

const lockByName = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/**
 * Compiles each statement once. For a statement that it has already prepared, a connection is sent
 * only the name.
 */
function createPreparing() {
  const kept = { reads: new Map<unknown, Kept>(), changes: new Map<unknown, Kept>() };
  let count = 0;

  return (declared: unknown, values: unknown, { locksRows = false } = {}): QueryConfig => {
    const known = kept[locksRows ? "changes" : "reads"];
    const { name, sql, bind } = known.getOrInsertComputed(declared, () => {
      const change = locksRows ? lockRows : undefined;
      return { ...compile(declared as AnyStatement, change), name: `s${++count}` };
    });
    return { name, text: sql, values: bind(values) };
  };
}

type Kept = Compiled & { name: string };

const words: Omit<Dialect, "createDriver"> = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

export const compile = createCompiler(words);

const toDialect = (pool: Pool): Dialect => ({
  ...words,
  createDriver: () => new PostgresDriver({ pool }),
});

async function explain(pool: Pool, statement: AnyStatement) {
  const { sql } = compile(statement);
  const client = await pool.connect();
  try {
    // Plans the statement as in production, where one prepared plan must suit all values.
    await client.query("begin; set local plan_cache_mode = force_generic_plan");
    await client.query(`prepare asked as ${sql}`);
    const count = (sql.match(/\$\d+/g) ?? []).length;
    const values = Array.from({ length: count }, () => "null").join(", ");
    const { rows } = await client.query(`explain execute asked${count > 0 ? `(${values})` : ""}`);
    return { sql, steps: rows.map((row) => String(row["QUERY PLAN"])) };
  } finally {
    await client.query("rollback; deallocate all").catch(() => {});
    client.release();
  }
}

/** Types, by OID, that are parsed as numbers, such as counts and ids; all other types stay text. */
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
