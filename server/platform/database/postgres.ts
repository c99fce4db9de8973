import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from "kysely";
import type { Pool, PoolClient, QueryResult } from "pg";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  breaksConnection,
  hasChangedTable,
  isConnectionLost,
  isStorageCode,
  isUnknownName,
  isWorthAnotherTry,
  wasNeverSent,
} from "./postgres-errors.ts";
import { lockRows } from "./postgres-locks.ts";
import { createMerger } from "./postgres-merging.ts";
import { openPools, type Query, runAlone, send, setUpgrading } from "./postgres-pools.ts";
import {
  type AnyStatement,
  type Compiled,
  createCompiler,
  type Read,
  type Single,
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

/** Lease on work that only one server may do at a time. `holder` is a random id. */
export type Lease = { name: string; holder: string };

/** Duration of a lease: the renewal interval plus half a minute. */
const leaseMs = 90_000;

/** Timeout of the health check, in milliseconds. */
const probeTimeoutMs = 2000;
/** How long to keep retrying a transaction, in milliseconds. */
const retryForMs = 8000;

/**
 * Opens connection pools to PostgreSQL. Reads and writes have separate pools so that neither waits
 * for the other. Reads run in read-only transactions.
 */
export function openPostgres(address: PostgresAddress, lockWaitMs = usualLockWaitMs) {
  const { pools, begins } = openPools(address, lockWaitMs);
  const state = { isClosed: false, isWritingFailing: false };
  const prepared = createPreparing();
  const ask = (toQuery: () => Query) => runQuery(pools.readers, begins.reading, toQuery);
  const { clock, readClock } = createClock(ask);

  /** Runs a query and retries it after transient errors. The query must be safe to repeat. */
  async function runQuery(pool: Pool, begin: string, toQuery: () => Query): Promise<QueryResult> {
    for (let tries = 1; ; tries++) {
      try {
        return await runAlone(pool, begin, toQuery());
      } catch (error) {
        prepared.learn(error);
        // Retries after a lost connection, because an idle connection may have been cut long ago.
        if (state.isClosed || !isWorthAnotherTry(error, tries)) throw toStorageError(error, state);
      }
    }
  }

  async function changeLease(name: keyof typeof leasing, lease: Lease): Promise<boolean> {
    const toQuery = () => prepared.raw(leasing[name], [lease.name, lease.holder]);
    return ((await runQuery(pools.writers, begins.writing, toQuery)).rowCount ?? 0) > 0;
  }

  const read: Read = {
    all: async (statement, ...values) =>
      (await ask(() => prepared.declared(statement, values[0]))).rows,
  };
  const single: Single = createSingle(
    (toQuery) => runQuery(pools.writers, begins.losing, toQuery),
    prepared,
  );
  return {
    read,
    change: <T>(call: (transaction: Single) => Promise<T>) => call(single),
    /**
     * @param lease lease that this server must hold throughout the transaction; otherwise, the
     * write rejects with a `LeaseLostError`
     */
    write: <T>(work: (transaction: Write) => Promise<T>, lease?: Lease) =>
      writeAgain(() => attempt(pools.writers, begins.writing, prepared, work, lease), {
        state,
        prepared,
      }),
    /** Runs a fixed SQL statement outside of transactions and without a timeout. */
    command: (statement: string) => command(pools.slow, statement, state),
    readClock,
    /**
     * Acquires or renews a lease by the database's clock. Returns false while another server holds
     * it.
     */
    takeLease: async (lease: Lease) => {
      await readClock();
      return changeLease("take", lease);
    },
    leaveLease: async (lease: Lease) => {
      await changeLease("leave", lease);
    },
    clock,
    /** Dialect for migrations while other servers are running. */
    upgrading: toDialect(pools.upgrading, setUpgrading),
    /** Dialect for moves, copies and low-level tests. */
    dialect: toDialect(pools.slow),
    findTrouble: async (): Promise<StoreTrouble | undefined> => {
      const answered = await Promise.race([
        ask(() => prepared.raw("select id from requests limit 1")).catch(() => undefined),
        setTimeout(probeTimeoutMs, undefined, { ref: false }),
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
    purses: createSharedBuckets(async (values) => {
      const toQuery = () => prepared.raw(takeTokens, values);
      return (await runQuery(pools.counting, begins.counting, toQuery)).rows;
    }),
    /** Checks whether a pooler in front of the database loses prepared statements. */
    losesStatements: () => losesStatements(pools.writers, begins.writing, prepared),
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
  isClosed: boolean;
  isWritingFailing: boolean;
};

/** Wraps a storage problem in a `StoreUnavailableError`. Returns other errors unchanged. */
function toStorageError(error: unknown, { isClosed }: PoolState): unknown {
  if (isClosed) return new StoreUnavailableError("closed", { cause: error });
  return isStorageCode(error) || isConnectionLost(error)
    ? new StoreUnavailableError(errorCode(error) ?? "connection lost", { cause: error })
    : error;
}

/**
 * Attempts a transaction once. If it throws, the transaction was rolled back, unless the connection
 * broke during the commit.
 */
async function attempt<T>(
  writers: Pool,
  begin: string,
  prepared: Preparing,
  work: (transaction: Write) => Promise<T>,
  lease: Lease | undefined,
): Promise<T> {
  const client = await writers.connect();
  let committing = false;
  // After a failed statement, PostgreSQL can't commit, even if `work` handles the error.
  let broken: { error: unknown } | undefined;
  const run = async (query: string | Query) => {
    try {
      return await send(client, query);
    } catch (error) {
      broken ??= { error };
      throw error;
    }
  };
  try {
    // Sends `begin` in one packet with the first statement and checks its result before the commit.
    const beginning = run(begin);
    beginning.catch(() => {});
    if (lease) {
      // Locks the lease's row until the commit so that no other server can take over during this
      // transaction.
      const { rowCount } = await run(prepared.raw(leasing.prolong, [lease.name, lease.holder]));
      if (rowCount === 0) throw new LeaseLostError(lease.name);
    }
    const result = await work(createTransaction(run, prepared));
    await beginning;
    if (broken) throw broken.error;
    committing = true;
    const { command } = await send(client, "commit");
    if (command !== "COMMIT") throw new Error("The transaction was rolled back");
    client.release();
    return result;
  } catch (error) {
    const cause = broken?.error ?? error;
    await undo(client, cause);
    if (committing && isConnectionLost(cause) && !wasNeverSent(cause))
      throw new StoreUnavailableError("commit in doubt", { cause });
    throw cause;
  }
}

/** Runs a transaction and retries it after transient errors. */
async function writeAgain<T>(
  attempt: () => Promise<T>,
  { state, prepared }: { state: PoolState; prepared: Preparing },
): Promise<T> {
  const giveUpAt = performance.now() + retryForMs;
  for (let tries = 1; ; tries++) {
    try {
      const result = await attempt();
      state.isWritingFailing = false;
      return result;
    } catch (error) {
      prepared.learn(error);
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
  statement: string,
  state: PoolState,
): Promise<Record<string, unknown>[]> {
  let client: PoolClient | undefined;
  try {
    client = await slow.connect();
    const { rows } = await client.query(statement);
    client.release();
    return rows;
  } catch (error) {
    client?.release(true);
    throw toStorageError(error, state);
  }
}

/**
 * Creates a clock that follows the database's clock. It adds the elapsed time to the last reading
 * so that this machine's clock doesn't matter.
 */
function createClock(ask: (toQuery: () => Query) => Promise<QueryResult>) {
  let seen: { atMs: number; elapsedMs: number } | undefined;
  return {
    /** Reads the database's clock. Call it before the first write and regularly afterward. */
    async readClock(): Promise<void> {
      const sentAtMs = performance.now();
      const text = "select extract(epoch from clock_timestamp()) * 1000 as at";
      const { rows } = await ask(() => ({ text }));
      seen = { atMs: Number(rows[0].at), elapsedMs: (sentAtMs + performance.now()) / 2 };
    },
    clock(): Temporal.Instant {
      if (!seen) throw new Error("The database's clock has not been read yet");
      const nowMs = seen.atMs + performance.now() - seen.elapsedMs;
      return Temporal.Instant.fromEpochMilliseconds(Math.round(nowMs));
    },
  };
}

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

/** Statements on leases. The first two parameters are the lease's name and holder. */
const leasing = {
  prolong: `update leases set until = ${untilThen} where name = $1 and holder = $2`,
  take: `insert into leases (name, holder, until) values ($1, $2, ${untilThen})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until <= ${now}`,
  leave: "delete from leases where name = $1 and holder = $2",
};

/**
 * Undeclared write statements, which only PostgreSQL needs. Like declared statements, they must
 * also work with the next version's tables.
 */
export const ownStatements = [takeTokens, ...Object.values(leasing)];

async function undo(client: PoolClient, error: unknown): Promise<void> {
  if (isConnectionLost(error)) {
    client.release(true);
    return;
  }
  try {
    await send(client, "rollback");
    client.release(breaksConnection(error));
  } catch {
    client.release(true);
  }
}

function createSingle(
  run: (toQuery: () => Query) => Promise<QueryResult>,
  prepared: Preparing,
): Single {
  return {
    all: async (statement, ...values) =>
      (await run(() => prepared.declared(statement, values[0], { locksRows: true }))).rows,
    run: async (statement, ...values) =>
      (await run(() => prepared.declared(statement, values[0], { locksRows: true }))).rowCount ?? 0,
  };
}

function createTransaction(
  run: (query: Query) => Promise<QueryResult>,
  prepared: Preparing,
): Write {
  const merger = createMerger((text, values) => run(prepared.raw(text, values)));
  const compiled = (statement: unknown) => prepared.compiled(statement, { locksRows: true });
  return {
    all: async (statement, ...values) =>
      (await merger.all(compiled(statement), values[0])) as never[],
    run: (statement, ...values) => merger.run(compiled(statement), values[0]),
    lock: async (name) => {
      merger.flush();
      await run(prepared.raw(lockByName, [name]));
    },
    together: (async (calls: readonly (() => Promise<unknown>)[]) => {
      const answers = await Promise.allSettled(merger.collect(calls));
      return answers.map((answer) => {
        if (answer.status === "rejected") throw answer.reason;
        return answer.value;
      });
    }) as Write["together"],
    reserve: (async (...tables: string[]) => {
      const [ids = {}] = await merger.all(reserving(tables));
      return Object.values(ids).map(Number);
    }) as unknown as Write["reserve"],
  };
}

const reservations = new Map<string, Compiled>();

/**
 * Returns the statement that reserves an id of each table. It names the sequences as PostgreSQL does
 * for identity columns. `pg_get_serial_sequence` takes about as long as three of a form's other
 * reads.
 */
function reserving(tables: readonly string[]): Compiled {
  return reservations.getOrInsertComputed(tables.join(" "), () => {
    const ids = tables.map((table) => `nextval('${table}_id_seq') as ${table}`);
    return { kind: "read", sql: `select ${ids.join(", ")}`, bind: () => [] };
  });
}

const lockByName = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

type Preparing = ReturnType<typeof createPreparing>;

/**
 * Compiles and names each statement once. Connections that have already prepared a statement
 * receive only its name. The name is a hash of the SQL, because servers share sessions behind a
 * pooler, and a name must always mean the same statement.
 */
function createPreparing() {
  const compiled = { reads: new Map<unknown, Compiled>(), changes: new Map<unknown, Compiled>() };
  const names = new Map<string, { name: string; text: string }>();
  let isNamed = true;
  let changes = 0;

  function raw(text: string, values: unknown[] = []): Query {
    if (!isNamed) return { text, values };
    return { ...names.getOrInsertComputed(text, toNamed), values };
  }
  function toNamed(text: string) {
    // A pooler identifies statements by their SQL, so they need different SQL after a table has
    // changed.
    const sent = changes === 0 ? text : `${text} /* ${changes} */`;
    return { name: createHash("sha256").update(sent).digest("base64url").slice(0, 22), text: sent };
  }
  function compiledOf(declared: unknown, { locksRows = false } = {}): Compiled {
    const known = compiled[locksRows ? "changes" : "reads"];
    return known.getOrInsertComputed(declared, () =>
      compile(declared as AnyStatement, locksRows ? lockRows : undefined),
    );
  }
  return {
    /** Builds the query for an undeclared statement. */
    raw,
    /** Compiles a declared statement on first use. */
    compiled: compiledOf,
    declared(declared: unknown, values: unknown, options?: { locksRows?: boolean }): Query {
      const { sql, bind } = compiledOf(declared, options);
      return raw(sql, bind(values));
    },
    /**
     * Handles errors about prepared statements: stops naming statements if a name is unknown, and
     * renames them if a table has changed.
     */
    learn(error: unknown): void {
      if (isUnknownName(error)) isNamed = false;
      if (!hasChangedTable(error)) return;
      changes++;
      names.clear();
    },
    areLost: () => !isNamed,
  };
}

/**
 * Checks for a pooler that loses prepared statements by preparing the same statement on two
 * connections. Such a pooler gives both connections the same session, where the name is already
 * taken the second time.
 */
async function losesStatements(writers: Pool, begin: string, prepared: Preparing) {
  const clients = [await writers.connect(), await writers.connect()];
  try {
    for (const client of [...clients, ...clients]) {
      if (prepared.areLost()) break;
      const answers = [begin, prepared.raw("select 1"), "commit"].map((query) =>
        send(client, query),
      );
      for (const answer of await Promise.allSettled(answers)) {
        if (answer.status === "rejected") prepared.learn(answer.reason);
      }
    }
  } finally {
    for (const client of clients) client.release();
  }
  return prepared.areLost();
}

const words: Omit<Dialect, "createDriver"> = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

export const compile = createCompiler(words);

/** @param settings statement to run at the start of each transaction */
const toDialect = (pool: Pool, settings?: string): Dialect => ({
  ...words,
  createDriver: () => new SettingDriver(pool, settings),
});

class SettingDriver extends PostgresDriver {
  readonly #settings: string | undefined;

  constructor(pool: Pool, settings: string | undefined) {
    super({ pool });
    this.#settings = settings;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    await super.beginTransaction(connection, settings);
    if (this.#settings) await connection.executeQuery(CompiledQuery.raw(this.#settings));
  }
}

async function explain(pool: Pool, statement: AnyStatement) {
  const { sql } = compile(statement);
  const client = await pool.connect();
  try {
    // Plans the statement as in production, with one generic plan for all values.
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
