import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Dialect, sql } from "kysely";
import { keepToOwner } from "./file-permissions.ts";
import { upgradeStore } from "./migrate.ts";
import { copyToFile, toSide } from "./move-store.ts";
import type { Lease, PostgresStore } from "./postgres.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { createErasing } from "./postgres-erasing.ts";
import { explainUnopened, openFitting, readProgress, upgradeBeside } from "./postgres-opening.ts";
import { createFileLock, openSqlite } from "./sqlite.ts";
import type { AnyStatement, Read, Single, Write } from "./statement.ts";
import { isDamaged, reasonOf, type StoreTrouble } from "./storage-errors.ts";
import { createStoreMark } from "./store-mark.ts";
import { type CreateBuckets, createLocalBuckets } from "./token-buckets.ts";

export { isStorageProblem, type StoreTrouble } from "./storage-errors.ts";

export type Database = {
  /** Reads committed rows on a connection that can't write and never waits for writers. */
  read: Read;
  /**
   * Runs `work` as one transaction and resolves once the changes are on disk. While another process
   * holds the lock, the write waits without blocking the event loop. After ten seconds, it rejects
   * with a storage problem. `work` must await only its own statements, because it blocks other
   * transactions. PostgreSQL runs transactions in parallel and retries them after a conflict, so
   * `work` must have no effects outside the database.
   */
  write<T>(work: (transaction: Write) => Promise<T>): Promise<T>;
  /**
   * Runs one statement as a transaction that doesn't wait for the disk. Use it only for changes
   * that can simply be repeated: a power failure or a crash of PostgreSQL may undo them.
   * @param call must run exactly one statement
   */
  change<T>(call: (transaction: Single) => Promise<T>): Promise<T>;
  /**
   * Removes the bytes of erased rows from the database's files. Returns false if the caller must
   * try again later, because another process was reading or the last run was too recent.
   */
  erasePhysically(): Promise<boolean>;
  /**
   * Writes a complete copy to a new file while the server keeps running. Leaves a partial file if
   * it throws.
   */
  copyTo(path: string): Promise<void>;
  /** Whether servers on other machines may use the database at the same time. */
  isShared: boolean;
  /** Creates rate limiters that all servers on this database share. */
  purses: CreateBuckets;
  /** Creates a lease for work that only one server may do at a time. */
  duty(name: string): LeaderLease;
  /** Returns the current time of a clock that all servers share. */
  clock(): Temporal.Instant;
  /** The store's mark file; `undefined` for PostgreSQL. */
  mark?: ReturnType<typeof createStoreMark>;
  /** Counts each pool's connections. `undefined` for SQLite, which has no pools. */
  countConnections?: () => PoolCount[];
  /**
   * Returns why the store is currently unusable, or `undefined` if it works. Takes two seconds at
   * most.
   */
  findTrouble(): Promise<StoreTrouble | undefined>;
  /** Advice for the administrator about a setup that works but could work better. */
  warning?: string | undefined;
  close(): Promise<void>;
};

/** Connection counts of one pool. `waiting` is the number of callers that wait for a connection. */
type PoolCount = { pool: string; busy: number; idle: number; waiting: number };

export type LeaderLease = {
  /** The same database, but writes succeed only while this server holds the lease. */
  database: Database;
  /**
   * Acquires or renews the lease. Returns false while another server holds it. Call it about once a
   * minute.
   */
  take(): Promise<boolean>;
  leave(): Promise<void>;
};

/** Low-level access for tests: the write connection's dialect and query plans. */
export type Underneath = {
  dialect: Dialect;
  explain(statement: AnyStatement): Promise<{ sql: string; steps: string[] }>;
};

type OpenResult =
  | { ok: true; database: Database; store: Underneath }
  | { ok: false; problem: string /** Set if the database doesn't exist. */; missing?: true };

type OpenOptions = {
  /** Folder for emails and keys and, without PostgreSQL, for the SQLite file. */
  dataDir: string;
  /** PostgreSQL URL; `undefined` for SQLite. */
  url?: string | undefined;
  /**
   * Whether to report a missing database instead of creating one. Commands set it so that a
   * mistyped folder isn't mistaken for an empty store.
   */
  mustExist?: boolean;
  /** Whether to check the SQLite file for damage first. */
  check?: boolean;
  /** How long a write waits for another process's lock, in milliseconds. */
  lockWaitMs?: number;
};

/** Opens the database. Creates a missing folder and missing tables unless `mustExist` is set. */
export function openDatabase(options: OpenOptions): Promise<OpenResult> {
  return options.url === undefined
    ? openFile(options)
    : openServer({ ...options, url: options.url });
}

async function openFile(options: OpenOptions): Promise<OpenResult> {
  const path = join(options.dataDir, "requests.sqlite");
  try {
    if (options.mustExist && !statSync(path, { throwIfNoEntry: false })?.size) {
      return {
        ok: false,
        missing: true,
        problem: `There is no database in ${options.dataDir}. Only the server makes one: set DATA_DIR to the folder that it uses.`,
      };
    }
    await makeFolder(options.dataDir);
    const isOpen = options.mustExist ? undefined : await keepToOwner(options.dataDir);
    if (isOpen) return { ok: false, problem: isOpen };
    await (await open(path, "a", 0o600)).close();
    await chmod(path, 0o600);
  } catch (error) {
    return explainUnwritable(options.dataDir, error);
  }
  try {
    const store = openSqlite(path, options.lockWaitMs);
    const damage = options.check ? store.findDamage() : undefined;
    if (damage !== undefined) {
      await store.close();
      return { ok: false, problem: explainDamage(path, damage) };
    }
    try {
      await upgradeStore(store.dialect);
    } catch (error) {
      await store.close();
      throw error;
    }
    await store.truncateLog();
    store.serve();
    const locks = new DisposableStack();
    const database: Database = {
      read: store.read,
      write: store.write,
      change: store.change,
      erasePhysically: async () => {
        const rewritten = await store.rewrite();
        return (await store.truncateLog()) && rewritten;
      },
      copyTo: async (path) => {
        await (await open(path, "wx", 0o600)).close();
        store.copyTo(path);
      },
      isShared: false,
      purses: createLocalBuckets,
      duty: (name) => {
        const lock = createFileLock(join(options.dataDir, `${name}.lock`));
        locks.defer(lock.leave);
        // A paused server keeps its lock, so writes need no fencing.
        return { database, take: async () => lock.take(), leave: async () => lock.leave() };
      },
      clock: () => Temporal.Now.instant(),
      mark: createStoreMark(options.dataDir, store.readHighest),
      findTrouble: async () => store.findTrouble(),
      close: async () => {
        locks.dispose();
        await store.close();
      },
    };
    return {
      ok: true,
      store: { dialect: store.dialect, explain: async (statement) => store.explain(statement) },
      database,
    };
  } catch (error) {
    if (isDamaged(error)) return { ok: false, problem: explainDamage(path, reasonOf(error)) };
    const problem =
      (await explainFullDisk(options.dataDir)) ??
      `The database ${path} cannot be opened (${reasonOf(error)}).`;
    return { ok: false, problem };
  }
}

async function openServer(options: OpenOptions & { url: string }): Promise<OpenResult> {
  const parsed = parsePostgresAddress(options.url);
  if (!parsed.ok) return { ok: false, problem: `DATABASE_URL ${parsed.problem}.` };
  if (!options.mustExist) {
    try {
      await makeFolder(options.dataDir);
      const isOpen = await keepToOwner(options.dataDir);
      if (isOpen) return { ok: false, problem: isOpen };
    } catch (error) {
      return explainUnwritable(options.dataDir, error);
    }
  }
  const { name } = parsed.address;
  const opened = await openFitting(parsed.address, options.lockWaitMs);
  if (!opened.ok) return opened;
  const { store, warning } = opened;
  const fail = async (problem: string, more: { missing?: true } = {}) => {
    await store.close();
    return { ok: false, problem, ...more } as const;
  };
  try {
    const { hasTables, isBeingMoved } = await readProgress(store);
    if (isBeingMoved) {
      return fail(
        `The database ${name} contains a part of a store that is being moved. Run npm run store -- move-data again as before, or empty the database.`,
      );
    }
    if (options.mustExist && !hasTables) {
      const problem = `The database ${name} is empty. Only the server makes its tables: set DATABASE_URL to the one that it uses.`;
      return fail(problem, { missing: true });
    }
    await store.readClock();
    await upgradeBeside(store.upgrading);
  } catch (error) {
    return fail(explainUnopened(parsed.address, error));
  }
  const { read, clock, purses, findTrouble, countConnections, close } = store;
  const database: Database = {
    read,
    write: (work) => store.write(work),
    change: store.change,
    erasePhysically: createErasing(store),
    copyTo: (path) => copyIntoFile(store, path),
    isShared: true,
    purses,
    duty: (name) => createLeaderLease(name, database, store),
    clock,
    findTrouble,
    countConnections,
    warning,
    close,
  };
  return { ok: true, store: { dialect: store.dialect, explain: store.explain }, database };
}

/**
 * Creates a fenced lease. Each transaction first extends the lease and locks its row until the
 * commit. If the server was paused for so long that another server has taken over, the transaction
 * fails and changes nothing. If the server is paused within a transaction, the database's idle
 * timeout rolls the transaction back.
 */
function createLeaderLease(name: string, database: Database, store: PostgresStore): LeaderLease {
  const lease: Lease = { name, holder: randomUUID() };
  return {
    database: { ...database, write: (work) => store.write(work, lease) },
    take: () => store.takeLease(lease),
    leave: () => store.leaveLease(lease),
  };
}

/** Copies a PostgreSQL database into a SQLite file, the format of all backups. */
async function copyIntoFile(store: PostgresStore, path: string): Promise<void> {
  await (await open(path, "wx", 0o600)).close();
  await using file = toSide("sqlite", path, openSqlite(path));
  await copyToFile(toSide("postgres", "the database", store), file);
  // Leaves WAL mode so that the copy is a single file.
  await sql`pragma journal_mode = delete`.execute(file.kysely);
}

/** Explains why the data folder can't be written and what to do. */
export async function explainUnwritable(
  dataDir: string,
  error: unknown,
): Promise<{ ok: false; problem: string }> {
  const problem =
    (await explainFullDisk(dataDir)) ??
    `The data folder ${dataDir} cannot be written (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write.`;
  return { ok: false, problem };
}

/**
 * Disk space that opening a database needs at most, in bytes: an index of the write-ahead log has
 * 32 KB. SQLite reports a missing one as a mere I/O error.
 */
const leastFreeBytes = 64 * 1024;

async function explainFullDisk(dataDir: string): Promise<string | undefined> {
  const disk = await statfs(dataDir).catch(() => undefined);
  return disk && disk.bavail * disk.bsize < leastFreeBytes
    ? `The disk of ${dataDir} is full. Make room, then start again.`
    : undefined;
}

function explainDamage(path: string, found: string): string {
  const oneLine = found.replace(/[.\s]+/g, " ").trim();
  return `The database ${path} is damaged (${oneLine}). Keep a copy of it and put back a backup, as docs/your-week.md says.`;
}

/**
 * Creates a folder and its parents. Unlike a recursive mkdir, it terminates on a file system such
 * as /proc, which rejects new folders with ENOENT.
 */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
    });
  const parent = dirname(path);
  if (existsSync(parent) || parent === path) return make();
  await makeFolder(parent);
  await make();
}
