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
 * Tables whose highest ids the mark records. No migration may recreate them, because their ids
 * would restart.
 */
const markedTables = "'requests', 'submissions', 'request_events', 'outbox', 'journal'";

/** Lock timeout while opening and migrating, before anything is served. */
const openingTimeoutMs = 5000;

/**
 * Opens an existing SQLite file. Everything specific to SQLite is here: no other module uses
 * `node:sqlite` or its error codes. Reads have a separate connection that can't write and never
 * waits for a transaction. Throws errors that `isStorageProblem` recognizes.
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
    /**
     * Checkpoints the write-ahead log and empties it; false while another process reads or
     * writes.
     */
    truncateLog: () =>
      writer.alone(() => sqlite.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0),
    /**
     * Rewrites every page, so that none holds erased rows: `secure_delete` misses bytes in the free
     * space of pages whose rows moved. Returns false if that was impossible now or the last rewrite
     * was too recent.
     */
    rewrite: createRewriting(path, sqlite, writer.alone),
    /** Writes a whole copy into an empty file. */
    copyTo: (copy: string) => {
      (readOnly ?? sqlite).prepare("VACUUM INTO ?").run(copy);
    },
    /** For migrations: the writing connection behind Kysely's own driver. */
    dialect: { ...words, createDriver: () => new SqliteDriver({ database: adapt(sqlite) }) },
    /**
     * Opens the reading connection; the tables must exist. From now on a lock held by another
     * process fails immediately, as `isLocked` recognizes: waiting inside SQLite would block
     * the event loop, so callers wait outside.
     */
    serve: () => {
      sqlite.exec("PRAGMA busy_timeout = 0");
      readOnly = new DatabaseSync(path, { readOnly: true, timeout: 0 });
      reader = createConnection(readOnly);
      areFilesInPlace = watchStoreFiles(path);
    },
    /** Reads the highest id that each table ever assigned. */
    readHighest: (): Record<string, number> => {
      if (!areFilesInPlace()) throw new StoreUnavailableError("gone");
      const rows = (readOnly ?? sqlite)
        .prepare(`SELECT name, seq FROM sqlite_sequence WHERE name IN (${markedTables})`)
        .all();
      return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq)]));
    },
    /** Checks the whole file; undefined if it is sound. */
    findDamage: () => findDamage(sqlite),
    /** Finds why it can't serve now, without waiting or writing. */
    findTrouble: (): StoreTrouble | undefined => {
      if (!areFilesInPlace()) return "gone";
      try {
        (readOnly ?? sqlite).prepare("SELECT id FROM requests LIMIT 1").get();
      } catch {
        return "unreadable";
      }
      return writer.hasFailed() ? "unwritable" : undefined;
    },
    /** Returns SQLite's plan of a statement, a line for each step. */
    explain: (statement: AnyStatement) => explain(sqlite, statement),
    close: () =>
      writer.alone(() => {
        if (readOnly?.isOpen) readOnly.close();
        if (sqlite.isOpen) sqlite.close();
      }),
  };
}

/**
 * Opens a writing connection. Only this function may do so, so that every connection has the same
 * pragmas.
 */
function openToChange(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, {
    timeout: openingTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  // FULL makes a committed row survive a power cut; secure_delete overwrites erased rows.
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;");
  return sqlite;
}

/**
 * Creates a function that checks whether the database's files are still the ones that were opened.
 * A deleted or replaced file still accepts rows, which are lost when the process ends.
 * @param path the database's path; its log and shared memory are next to it while it is open
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
 * A store up to this size is rewritten in the time of a page view; a larger store, in a worker
 * thread.
 */
const rewrittenAtOnceBytes = 2 ** 20;
/** Rewriting takes at most 1/200 of the time, however large the store is. */
const rewritingShare = 200;
/** A longer rewrite noticeably delays forms, so it runs once a day. */
const noticedMs = 3000;
const dayMs = 24 * 60 * 60_000;

/** SQLite's default: a commit that finds so many pages in the log checkpoints it. */
const checkpointPages = 1000;

/**
 * Rewrites every page on a separate connection without a timeout. `rewriting-thread.ts` calls it.
 */
export function rewriteFile(path: string): void {
  using sqlite = openToChange(path);
  sqlite.exec("VACUUM");
  // The write-ahead log now holds the whole store. Checkpoints most of it while others write, and
  // the rest while they wait.
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
    // Otherwise the first commit with a long log would checkpoint it and block the server.
    sqlite.exec("PRAGMA wal_autocheckpoint = 0");
    const code = await new Promise((resolve) => {
      const worker = new Worker(new URL("rewriting-thread.ts", import.meta.url), {
        workerData: path,
      });
      // A full disk or a lock: the next call tries again.
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
 * Checks whether another process, such as a running server, has the database open. Returns
 * false for other files.
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

/** Checks whether a file is a database of this program, of any version. */
export function lookAtFile(path: string): "store" | "damaged" | "other" {
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

/** SQLite needs no row locks, because it has a single writer. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!isLock(node)) super.visitSelectModifier(node);
  }
}

/** Migrations change tables within a transaction. */
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
 * Runs statements, each prepared once. Calls complete synchronously; the promise is for
 * PostgreSQL's sake.
 */
function createConnection(sqlite: DatabaseSync): Write {
  const kept = new Map<unknown, { statement: StatementSync; bind: Compiled["bind"] }>();

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
  };
}

function explain(sqlite: DatabaseSync, statement: AnyStatement): { sql: string; steps: string[] } {
  const { sql } = compile(statement);
  const rows = sqlite.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return { sql, steps: rows.map((row) => row.detail) };
}

/** Maximum number of transactions per commit; the process serves nothing else meanwhile. */
const groupSize = 50;

type Waiting = {
  work: (transaction: Write) => Promise<unknown>;
  giveUpAt: number;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
};

/** Write that waits for the commit. */
type Done = { piece: Waiting; result: unknown };

/**
 * Queues writes and runs them in order. Writes of the same event-loop turn share a commit, each in
 * its own savepoint, so that a failing write undoes only itself. Callers get their answer after the
 * commit.
 */
function createWriter(
  sqlite: DatabaseSync,
  transaction: Write,
  lockWaitMs: number,
  /** Throws if the committed file is no longer in place. */
  requireInPlace: () => void,
) {
  const waiting: Waiting[] = [];
  /** True if the last write ended with a storage problem. */
  let failed = false;
  let scheduled = false;
  const takeTurn = createSequence();
  const prepared = new Map<string, StatementSync>();
  const step = (sql: string) => prepared.getOrInsertComputed(sql, () => sqlite.prepare(sql)).run();

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    takeTurn(runGroup);
  }

  /**
   * Begins a transaction as soon as no other process holds the lock. Returns false if every caller
   * gave up first.
   */
  async function begin(): Promise<boolean> {
    for (let waitMs = 1; waiting.length > 0; waitMs = Math.min(waitMs * 2, 100)) {
      try {
        // A deferred transaction that reads first fails midway if another process writes.
        step("begin immediate");
        return true;
      } catch (error) {
        const now = isLocked(error) ? performance.now() : Number.POSITIVE_INFINITY;
        for (const late of waiting.filter((one) => one.giveUpAt <= now)) {
          failed = true;
          waiting.splice(waiting.indexOf(late), 1);
          late.reject(error);
        }
        if (waiting.length > 0) await setTimeout(waitMs);
      }
    }
    return false;
  }

  /** Runs a write in its own savepoint. Returns undefined if only this write failed. */
  async function runPiece(piece: Waiting): Promise<Done | undefined> {
    let done: Done | undefined;
    step("savepoint piece");
    try {
      done = { piece, result: await piece.work(transaction) };
    } catch (error) {
      failed ||= isStorageProblem(error);
      // A full disk ends the whole transaction by itself.
      if (!sqlite.isTransaction) throw error;
      step("rollback to piece");
      piece.reject(error);
    }
    step("release piece");
    return done;
  }

  async function runGroup(): Promise<void> {
    await setImmediate();
    const begun = await begin();
    scheduled = false;
    if (!begun) return;
    const group = waiting.splice(0, groupSize);
    const changesBefore = failed ? countChanges() : 0;
    if (waiting.length > 0) schedule();
    const done: Done[] = [];
    try {
      for (const piece of group) {
        const finished = await runPiece(piece);
        if (finished) done.push(finished);
      }
      step("commit");
      requireInPlace();
    } catch (error) {
      failed ||= isStorageProblem(error);
      if (sqlite.isTransaction) step("rollback");
      for (const piece of group) piece.reject(error);
      return;
    }
    // An empty commit does not show that the disk has room.
    if (failed && countChanges() > changesBefore) failed = false;
    for (const { piece, result } of done) piece.resolve(result);
  }

  function countChanges(): number {
    return Number(sqlite.prepare("SELECT total_changes() AS count").get()?.count);
  }

  return {
    write<T>(work: (transaction: Write) => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ work, giveUpAt: performance.now() + lockWaitMs, resolve, reject });
      schedule();
      return promise as Promise<T>;
    },
    /** Runs `work` between transactions. */
    alone: takeTurn,
    hasFailed: () => failed,
  };
}

/** Creates a queue that runs each piece of work after the previous ones. */
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

/** Adapts Kysely's transaction SQL. */
function adaptTransactionSql(sqlite: DatabaseSync, sql: string): string {
  // A deferred transaction that reads first fails midway if another process writes.
  if (sql === "begin") return "begin immediate";
  // A full disk ends a transaction by itself.
  return sql === "rollback" && !sqlite.isTransaction ? "select 1" : sql;
}
