import { existsSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import {
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import {
  type AnyStatement,
  type Compiled,
  createCompiler,
  isLock,
  type Read,
  type Reading,
  type Single,
  type ValuesOf,
  type Write,
  type Writing,
} from "./statement.ts";
import {
  isDamaged,
  isLocked,
  isStorageProblem,
  type StoreTrouble,
  StoreUnavailableError,
  usualLockWaitMs,
} from "./storage-errors.ts";

/**
 * Tables whose highest ids the mark file records. No migration may recreate such a table, because
 * its ids would restart.
 */
const markedTables = "'requests', 'submissions', 'request_events', 'outbox', 'journal'";

/** Lock timeout while opening and migrating, before the server accepts requests. */
const openingTimeoutMs = 5000;

/**
 * Opens an existing SQLite file. Reads use a separate connection that can't write and never waits
 * for a transaction. `isStorageProblem` recognizes storage errors. No other module of the server
 * uses `node:sqlite`.
 */
export function openSqlite(path: string, lockWaitMs = usualLockWaitMs) {
  const sqlite = openToChange(path);
  const changing = createConnection(sqlite);
  let areFilesInPlace = () => true;
  const writer = createWriter(sqlite, changing, lockWaitMs, () => {
    if (!areFilesInPlace()) throw new StoreUnavailableError("gone");
  });
  let readOnly: DatabaseSync | undefined;
  let reader: Read | undefined;
  const read: Read = {
    all: (statement, ...values) => (reader ?? changing).all(statement, ...values),
  };
  return {
    read,
    write: writer.write,
    change: writer.change,
    /**
     * Checkpoints and truncates the write-ahead log. Returns false while another process is reading
     * or writing.
     */
    truncateLog: () =>
      writer.alone(() => sqlite.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0),
    /**
     * Rewrites every page to remove the bytes of erased rows. `secure_delete` isn't enough, because
     * it leaves bytes in the free space of pages whose rows moved. Returns false if a rewrite isn't
     * possible now or the last rewrite was too recent.
     */
    rewrite: createRewriting(path, sqlite, writer.alone),
    /** Writes a complete copy into an empty file. */
    copyTo: (copy: string) => {
      (readOnly ?? sqlite).prepare("VACUUM INTO ?").run(copy);
    },
    /** Dialect for migrations on the write connection. */
    dialect: { ...words, createDriver: () => new SqliteDriver({ database: adapt(sqlite) }) },
    /**
     * Opens the read connection. The tables must exist. Afterward, a statement fails immediately if
     * another process holds the lock, with an error that `isLocked` recognizes. Callers retry,
     * because waiting inside SQLite would block the event loop.
     */
    serve: () => {
      // Savepoints copy the pages that they change, by default into a temporary file.
      sqlite.exec("PRAGMA busy_timeout = 0; PRAGMA temp_store = MEMORY");
      readOnly = new DatabaseSync(path, { readOnly: true, timeout: 0 });
      reader = createConnection(readOnly);
      areFilesInPlace = watchStoreFiles(path);
    },
    /** Returns the highest id ever assigned in each table. */
    readHighest: (): Record<string, number> => {
      if (!areFilesInPlace()) throw new StoreUnavailableError("gone");
      const rows = (readOnly ?? sqlite)
        .prepare(`SELECT name, seq FROM sqlite_sequence WHERE name IN (${markedTables})`)
        .all();
      return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]));
    },
    /**
     * Checks the entire file. Returns a description of the damage, or `undefined` if there is none.
     */
    findDamage: () => findDamage(sqlite),
    /**
     * Returns why the store is currently unusable, or `undefined` if it works. Neither waits nor
     * writes.
     */
    findTrouble: (): StoreTrouble | undefined => {
      if (!areFilesInPlace()) return "gone";
      try {
        (readOnly ?? sqlite).prepare("SELECT id FROM requests LIMIT 1").get();
      } catch {
        return "unreadable";
      }
      return writer.hasFailed() ? "unwritable" : undefined;
    },
    /** Returns SQLite's plan for a statement, one line per step. */
    explain: (statement: AnyStatement) => explain(sqlite, statement),
    close: () =>
      writer.alone(() => {
        if (readOnly?.isOpen) readOnly.close();
        if (sqlite.isOpen) sqlite.close();
      }),
  };
}

/** Opens a write connection with the pragmas that all write connections need. */
function openToChange(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    timeout: openingTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  // FULL makes commits survive a power failure (`change` lowers it). `secure_delete` overwrites
  // erased rows.
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;");
  return sqlite;
}

/**
 * Creates a function that checks whether the open files still exist at their paths. Writes to a
 * deleted or replaced file succeed but are lost when the process exits.
 */
function watchStoreFiles(path: string): () => boolean {
  const paths = [path, `${path}-wal`, `${path}-shm`];
  const opened = paths.map(identify);
  return () => paths.every((file, index) => identify(file) === opened[index]);
}

function identify(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : "gone";
}

function findDamage(sqlite: DatabaseSync): string | undefined {
  try {
    const found = sqlite.prepare("PRAGMA quick_check(1)").get()?.quick_check;
    return found === "ok" ? undefined : String(found);
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Maximum size of a store that is rewritten on the main thread, where it takes no longer than a
 * page view. Larger stores are rewritten in a worker thread.
 */
const rewrittenAtOnceBytes = 2 ** 20;
/** Rewrites take at most 1/200 of the time, regardless of the store's size. */
const rewritingShare = 200;
/** A longer rewrite noticeably delays forms, so it runs only once a day. */
const noticedMs = 3000;
const dayMs = 24 * 60 * 60_000;

/** SQLite's default for `wal_autocheckpoint`, in pages. */
const checkpointPages = 1000;

/** Rewrites every page on a separate connection, for `rewriting-thread.ts`. */
export function rewriteFile(path: string): void {
  using sqlite = openToChange(path);
  sqlite.exec("VACUUM");
  // The write-ahead log now contains the entire store. The first checkpoint copies most of it while
  // other connections write. The second one copies the rest while they wait.
  sqlite.exec("PRAGMA wal_checkpoint(PASSIVE)");
  sqlite.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function createRewriting(
  path: string,
  sqlite: DatabaseSync,
  alone: <T>(work: () => T) => Promise<T>,
): () => Promise<boolean> {
  let notBefore = 0;

  function rewriteHere(): boolean {
    try {
      sqlite.exec("VACUUM");
      return true;
    } catch (error) {
      if (isStorageProblem(error)) return false;
      throw error;
    }
  }

  async function rewriteInThread(): Promise<boolean> {
    // Otherwise, the next commit would checkpoint the long log and block the server.
    sqlite.exec("PRAGMA wal_autocheckpoint = 0");
    const code = await new Promise((resolve) => {
      const worker = new Worker(new URL("rewriting-thread.ts", import.meta.url), {
        workerData: path,
      });
      // If the disk was full or the store was locked, the next call tries again.
      worker.on("error", () => {});
      worker.on("exit", resolve);
    });
    if (sqlite.isOpen) sqlite.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    return code === 0;
  }

  return async () => {
    const started = performance.now();
    if (started < notBefore) return false;
    notBefore = Number.POSITIVE_INFINITY;
    let done = false;
    try {
      const size = sqlite
        .prepare("SELECT page_count * page_size AS size FROM pragma_page_count, pragma_page_size")
        .get();
      const small = Number(size?.size) <= rewrittenAtOnceBytes;
      done = small ? await alone(rewriteHere) : await rewriteInThread();
      return done;
    } finally {
      const tookMs = performance.now() - started;
      notBefore = started + (done && tookMs > noticedMs ? dayMs : tookMs * rewritingShare);
    }
  };
}

/**
 * Checks whether another process, such as a running server, has the database open. Returns false if
 * the file isn't a database.
 */
export function isInUse(path: string): boolean {
  if (!existsSync(path)) return false;
  using sqlite = new DatabaseSync(path, { timeout: 0 });
  try {
    sqlite.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK");
    return false;
  } catch (error) {
    return isLocked(error);
  }
}

/**
 * Creates a lock that one process at a time can hold. The operating system releases it when the
 * process ends, even after a crash.
 */
export function createFileLock(path: string) {
  let held: DatabaseSync | undefined;
  return {
    /** Returns false while another process holds the lock. */
    take(): boolean {
      if (held) return true;
      const sqlite = new DatabaseSync(path, { timeout: 0 });
      try {
        sqlite.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
        held = sqlite;
        return true;
      } catch (error) {
        sqlite.close();
        if (isLocked(error)) return false;
        throw error;
      }
    },
    leave(): void {
      held?.close();
      held = undefined;
    },
  };
}

/** Identifies a file: a store of any version of this program, a damaged database, or another file. */
export function inspectFile(path: string): "store" | "damaged" | "other" {
  using sqlite = new DatabaseSync(path, { readOnly: true, timeout: 0 });
  try {
    const tables = ["kysely_migration", "requests", "submissions", "request_events"];
    const names = tables.map((name) => `'${name}'`).join();
    const found = sqlite.prepare(`SELECT name FROM sqlite_schema WHERE name IN (${names})`).all();
    return found.length === tables.length ? "store" : "other";
  } catch (error) {
    return isDamaged(error) ? "damaged" : "other";
  }
}

/** Omits row locks, which SQLite doesn't need because it has a single writer. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!isLock(node)) super.visitSelectModifier(node);
  }
}

/** Tells Kysely that migrations can change tables within a transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const words: Omit<Dialect, "createDriver"> = {
  createAdapter: () => new TransactionalAdapter(),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new LocklessCompiler(),
};

const compile = createCompiler(words);

/**
 * Creates a connection that prepares each statement once. Calls complete synchronously, but return
 * promises for compatibility with PostgreSQL.
 */
function createConnection(sqlite: DatabaseSync): Write {
  const kept = new Map<unknown, { statement: StatementSync; bind: Compiled["bind"] }>();

  let counter: StatementSync | undefined;
  const prepare = (declared: unknown) =>
    kept.getOrInsertComputed(declared, () => {
      const { sql, bind } = compile(declared as AnyStatement);
      return { statement: sqlite.prepare(sql), bind };
    });

  return {
    async all<Values, Row>(
      declared: Reading<Values, Row> | Writing<Values, Row>,
      ...values: ValuesOf<Values>
    ) {
      const { statement, bind } = prepare(declared);
      return statement.all(...bind(values[0])) as Row[];
    },
    async run(declared, ...values) {
      const { statement, bind } = prepare(declared);
      return Number(statement.run(...bind(values[0])).changes);
    },
    async lock() {},
    // Runs the calls sequentially, because a failed call may end the transaction. No other call may
    // run after that failure.
    together: (async (calls: readonly (() => Promise<unknown>)[]) => {
      const results: unknown[] = [];
      for (const call of calls) results.push(await call());
      return results;
    }) as Write["together"],
    reserve: (async (...tables: string[]) =>
      tables.map((table) => {
        counter ??= sqlite.prepare("select seq + 1 as next from sqlite_sequence where name = ?");
        return Number(counter.get(table)?.next ?? 1);
      })) as Write["reserve"],
  };
}

function explain(sqlite: DatabaseSync, statement: AnyStatement): { sql: string; steps: string[] } {
  const { sql } = compile(statement);
  const rows = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return { sql, steps: rows.map((row) => row.detail) };
}

/**
 * Maximum number of writes per commit. Each group of writes blocks the event loop until its commit.
 */
const groupSize = 50;

type Waiting = {
  work: (transaction: Write) => Promise<unknown>;
  /** Whether the write must survive a power failure. */
  isDurable: boolean;
  giveUpAt: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
};

/** A write that has run and is waiting for its commit. */
type Done = { piece: Waiting; result: unknown };

/**
 * Queues writes and runs them in order. Writes from the same event-loop turn share a commit. Each of
 * them has a savepoint so that a failed write rolls back only itself. Callers get their results
 * after the commit.
 */
function createWriter(
  sqlite: DatabaseSync,
  transaction: Write,
  lockWaitMs: number,
  /** Throws if the database file has been deleted or replaced. */
  requireInPlace: () => void,
) {
  const waiting: Waiting[] = [];
  /** Whether the last write ended with a storage problem. */
  let failed = false;
  let scheduled = false;
  let isSyncing = true;
  const takeTurn = createSequence();
  const prepared = new Map<string, StatementSync>();
  const step = (sql: string) => prepared.getOrInsertComputed(sql, () => sqlite.prepare(sql)).run();

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    takeTurn(runGroup);
  }

  /**
   * Sets whether the next commit waits for the disk. A commit that waits also makes earlier commits
   * durable, because the log is written in order. The pragma can't be prepared, because SQLite
   * applies it during compilation.
   */
  function waitForDisk(isDurable: boolean): void {
    if (isDurable === isSyncing) return;
    sqlite.exec(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
    isSyncing = isDurable;
  }

  /**
   * Begins a transaction as soon as no other process holds the lock. Returns the writes that share
   * the transaction, or none if all writes timed out before it began.
   */
  async function begin(): Promise<Waiting[]> {
    for (let waitMs = 1; waiting.length > 0; waitMs = Math.min(waitMs * 2, 100)) {
      try {
        waitForDisk(waiting.slice(0, groupSize).some(({ isDurable }) => isDurable));
        // A deferred transaction that starts with a read would fail midway if another process
        // wrote.
        step("begin immediate");
        return waiting.splice(0, groupSize);
      } catch (error) {
        const now = isLocked(error) ? performance.now() : Number.POSITIVE_INFINITY;
        for (const late of waiting.filter((piece) => piece.giveUpAt <= now)) {
          failed = true;
          waiting.splice(waiting.indexOf(late), 1);
          late.reject(error);
        }
        if (waiting.length > 0) await setTimeout(waitMs);
      }
    }
    return [];
  }

  async function run(piece: Waiting): Promise<Done> {
    return { piece, result: await piece.work(transaction) };
  }

  /**
   * Runs a write in a savepoint. Returns `undefined` if the write failed without ending the
   * transaction.
   */
  async function runPiece(piece: Waiting): Promise<Done | undefined> {
    let done: Done | undefined;
    step("savepoint piece");
    try {
      done = await run(piece);
    } catch (error) {
      failed ||= isStorageProblem(error);
      // On a full disk, SQLite rolls back the entire transaction by itself.
      if (!sqlite.isTransaction) throw error;
      step("rollback to piece");
      piece.reject(error);
    }
    step("release piece");
    return done;
  }

  async function runAll(group: readonly Waiting[]): Promise<Done[]> {
    const [only] = group;
    // A single write needs no savepoint, which would copy every changed page.
    if (only && group.length === 1) return [await run(only)];
    const done: Done[] = [];
    for (const piece of group) {
      const finished = await runPiece(piece);
      if (finished) done.push(finished);
    }
    return done;
  }

  async function runGroup(): Promise<void> {
    await setImmediate();
    const group = await begin();
    scheduled = false;
    if (waiting.length > 0) schedule();
    if (group.length === 0) return;
    const changesBefore = failed ? countChanges() : 0;
    let done: Done[];
    try {
      done = await runAll(group);
      step("commit");
      requireInPlace();
    } catch (error) {
      failed ||= isStorageProblem(error);
      if (sqlite.isTransaction) step("rollback");
      for (const piece of group) piece.reject(error);
      return;
    }
    // A commit without changes doesn't prove that the disk has space again.
    if (failed && countChanges() > changesBefore) failed = false;
    for (const { piece, result } of done) piece.resolve(result);
  }

  function countChanges(): number {
    return Number(sqlite.prepare("SELECT total_changes() AS count").get()?.count);
  }

  function enqueue<T>(work: Waiting["work"], isDurable: boolean): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    waiting.push({ work, isDurable, giveUpAt: performance.now() + lockWaitMs, resolve, reject });
    schedule();
    return promise as Promise<T>;
  }

  return {
    write: <T>(work: (transaction: Write) => Promise<T>) => enqueue<T>(work, true),
    /**
     * Writes without waiting for the disk. A power failure may undo the write; a crash of the
     * process can't.
     */
    change: <T>(call: (transaction: Single) => Promise<T>) => enqueue<T>(call, false),
    /** Runs `work` between transactions. */
    alone: <T>(work: () => T | Promise<T>): Promise<T> =>
      takeTurn(() => {
        if (sqlite.isOpen) waitForDisk(true);
        return work();
      }),
    hasFailed: () => failed,
  };
}

/** Creates a queue that runs one job at a time. */
function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => T | Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}

function adapt(sqlite: DatabaseSync): SqliteDatabase {
  return {
    close: () => {},
    prepare: (sql) => {
      const statement = sqlite.prepare(adaptTransactionSql(sqlite, sql));
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

function adaptTransactionSql(sqlite: DatabaseSync, sql: string): string {
  // A deferred transaction that starts with a read would fail midway if another process wrote.
  if (sql === "begin") return "begin immediate";
  // On a full disk, SQLite rolls back the transaction by itself.
  return sql === "rollback" && !sqlite.isTransaction ? "select 1" : sql;
}
