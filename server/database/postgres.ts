import { setTimeout } from "node:timers/promises";
import {
  type Dialect,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { createSharedPurses, spending } from "./limits.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import {
  codeOf,
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
import { type StoreTrouble, StoreUnavailableError, usualLockWaitMs } from "./trouble.ts";

export type PostgresStore = ReturnType<typeof openPostgres>;

/** What one instance does for all, under a random name of its own. */
export type Lease = { name: string; holder: string };

/** A lease lasts this much longer than the minute after which it is prolonged. */
const leaseMs = 90_000;

/** Connections of one instance, of each kind. */
export const connections = 8;
/** Also how long work waits for a connection that others use. */
const connectingMs = 10_000;
/** What was begun and is not carried on ends by itself, before those who wait for it give up. */
const idleInTransactionMs = 5000;
/** Whoever asks how the store is wants an answer. */
const lookingMs = 2000;
/** Room for the longest statement of all, which takes a lot of fifty requests apart. */
const statementMs = 15_000;
/** The network is given up later than the statement, so that the database says itself what was the matter. */
const networkMs = 20_000;
/** What counts clients is given up so soon, and counted here alone. */
const countingMs = 2000;
/** The same work is tried again while that can help. */
const retryForMs = 8000;

/**
 * Everything that is particular to PostgreSQL. Reading and changing have connections of their own, so that neither
 * waits for the other's, and those that read cannot write.
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
      throw tell(error, state);
    }
  }

  const read: Read = {
    all: async (statement, ...values) =>
      (await ask(pools.readers, prepared(statement, values[0]), state)).rows,
  };
  return {
    read,
    /** @param lease what must be held for it; else it is refused with a `LeaseLostError` */
    write: <T>(work: (transaction: Write) => Promise<T>, lease?: Lease) =>
      writeAgain(() => attempt(pools.writers, prepared, work, lease), state),
    /** Runs SQL of this room on one connection, outside any transaction, for as long as it takes. */
    command: (...statements: string[]) => command(pools.slow, statements, state),
    readClock,
    /** Takes or prolongs a lease, by the database's clock. False while another holds it. */
    takeLease: async (lease: Lease) => {
      await readClock();
      return changeLease(say("take", lease));
    },
    leaveLease: async (lease: Lease) => {
      await changeLease(say("leave", lease));
    },
    clock,
    /** For upgrading beside others who are at work. */
    upgrading: toDialect(pools.upgrading),
    /** For moves and copies, and for tests that look underneath. */
    dialect: toDialect(pools.slow),
    findTrouble: async (): Promise<StoreTrouble | undefined> => {
      const query = { text: "select id from requests limit 1", name: "look" };
      const answered = await Promise.race([
        ask(pools.readers, query, state).catch(() => undefined),
        setTimeout(lookingMs, undefined, { ref: false }),
      ]);
      if (!answered) return "unreadable";
      return state.isWritingFailing ? "unwritable" : undefined;
    },
    purses: createSharedPurses(pools.counting),
    /** How PostgreSQL would go about a statement: one line for each step. */
    explain: (statement: AnyStatement) => explain(pools.slow, statement),
    close: async () => {
      if (state.isClosed) return;
      state.isClosed = true;
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

type State = {
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
    // An idle connection that was cut is replaced by the next one asked for.
    pool.on("error", () => {});
    // One that is cut while it is used tells whoever uses it; unheard, it would end the process, too.
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
    /** Whoever waits to change a table keeps others waiting, too. */
    upgrading: toPool({ lock_timeout: 500 }, 0, 2),
    /** Vacuuming, moves and copies take as long as they take. */
    slow: toPool({}, 0, 3),
    /** Whoever is counted is not kept waiting for it, nor for a disk. */
    counting: toPool(counting, countingMs),
  };
}

/** Tells what the database could not do apart from what should never have been asked. */
function tell(error: unknown, { isClosed }: State): unknown {
  if (isClosed) return new StoreUnavailableError("closed", { cause: error });
  return isStorageCode(error) || isConnectionLost(error)
    ? new StoreUnavailableError(codeOf(error) ?? "connection lost", { cause: error })
    : error;
}

async function ask(readers: Pool, query: QueryConfig, state: State) {
  for (let tries = 1; ; tries++) {
    try {
      return await readers.query(query);
    } catch (error) {
      // An idle connection may have been cut long ago; what only reads can be asked again.
      if (state.isClosed || !isWorthAnotherTry(error, tries)) throw tell(error, state);
    }
  }
}

/** One attempt. Nothing of it is left when it throws, unless the connection broke in the middle of the commit. */
async function attempt<T>(
  writers: Pool,
  prepared: ReturnType<typeof createPreparing>,
  work: (transaction: Write) => Promise<T>,
  lease: Lease | undefined,
): Promise<T> {
  const client = await writers.connect();
  let committing = false;
  // What one statement broke cannot be committed, whatever `work` makes of the error.
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
    // Whether it may write at all is for the database to say: a replica, or one that was frozen, refuses the first change.
    await client.query("begin isolation level read committed");
    if (lease) {
      // The row stays locked to the end: whoever wants to take over waits for this commit, or comes before it.
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
      // What was to be stored may be there, or not.
      throw new StoreUnavailableError("commit in doubt", { cause });
    throw cause;
  }
}

/** Tries until it is written, or cannot be. */
async function writeAgain<T>(attempt: () => Promise<T>, state: State): Promise<T> {
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
        const told = error instanceof StoreUnavailableError ? error : tell(error, state);
        if (told instanceof StoreUnavailableError && !(told instanceof LeaseLostError)) {
          state.isWritingFailing = true;
        }
        throw told;
      }
    }
    // Those who met wait differently long, so that they do not meet again.
    await setTimeout(Math.random() * Math.min(200, 5 * 2 ** tries));
  }
}

async function command(
  slow: Pool,
  statements: readonly string[],
  state: State,
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
    throw tell(error, state);
  }
}

/** The database's clock, which only ever goes on from where it was read. Our own clock is believed at no time. */
function createClock(readers: Pool) {
  let seen: { atMs: number; elapsedMs: number } | undefined;
  return {
    /** Before anything is written, and from time to time. */
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

/** Another instance has taken over. */
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

/** What is said of a lease, whose name and holder follow. */
const leasing = {
  prolong: `update leases set until = ${untilThen} where name = $1 and holder = $2`,
  take: `insert into leases (name, holder, until) values ($1, $2, ${untilThen})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until <= ${now}`,
  leave: "delete from leases where name = $1 and holder = $2",
};

/** What changes rows in this database's own words. As declared statements do, it must run on the next version's tables, too. */
export const ownStatements = [spending, ...Object.values(leasing)];

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
    all: async (statement, ...values) => (await run(prepared(statement, values[0], true))).rows,
    run: async (statement, ...values) =>
      (await run(prepared(statement, values[0], true))).rowCount ?? 0,
    lock: async (name) => {
      await run({ name: "lock", text: lockByName, values: [name] });
    },
  };
}

const lockByName = "select pg_advisory_xact_lock(hashtextextended($1, 0))";

/** Compiles each statement once; a connection that knows its name need not be told its text again. */
function createPreparing() {
  const kept = { reads: new Map<unknown, Kept>(), changes: new Map<unknown, Kept>() };
  let count = 0;

  return (declared: unknown, values: unknown, inTransaction = false): QueryConfig => {
    const known = kept[inTransaction ? "changes" : "reads"];
    const { name, sql, bind } = known.getOrInsertComputed(declared, () => {
      const change = inTransaction ? lockRows : undefined;
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
    // As the statement is prepared once and run with any values, so its plan must not lean on them.
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

/** Counts and ids come as numbers, as everywhere in the server; all else as the text it is. */
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
