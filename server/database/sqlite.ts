import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryExecutorProvider,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  sql,
} from "kysely";

/**
 * Everything that is particular to the embedded database: the one module that touches `node:sqlite`, and the place
 * where its error codes become the two questions that the rest of the server asks.
 */
export type SqliteStore = {
  dialect: SqliteDialect;
  /**
   * From now on what another process has locked fails at once, as `isLocked` recognises: waiting inside SQLite stops
   * the whole process, so whoever can wait does it outside.
   */
  stopWaiting(): void;
};

/** For opening and upgrading, when nothing is served yet. */
const openingTimeoutMs = 5000;

/** Opens the file, which must exist already. Throws what `isStorageProblem` recognises. */
export function openSqlite(path: string): SqliteStore {
  const sqlite = new DatabaseSync(path, {
    timeout: openingTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  // FULL is what makes an acknowledged row survive a power cut; secure_delete overwrites what is erased.
  sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;");
  return {
    dialect: new ImmediateDialect(sqlite),
    stopWaiting: () => sqlite.exec("PRAGMA busy_timeout = 0"),
  };
}

/** Moves the write-ahead log into the file and empties it; false while another process is reading or writing. */
export async function truncateLog(database: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
  return rows[0]?.busy === 0;
}

/** True when another process holds the lock: the same again may work a moment later. */
export function isLocked(error: unknown): boolean {
  return primaryCodeOf(error) === busy;
}

/** True when the store could not read or write: full, read-only, locked, damaged, closed. Not for faulty SQL. */
export function isStorageProblem(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "ERR_INVALID_STATE") return true;
  return storageErrors.has(primaryCodeOf(error) ?? 0);
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return "code" in error && error.code === "ERR_SQLITE_ERROR"
    ? Number(error.errcode) & 0xff
    : undefined;
}

const busy = 5;

// SQLITE_PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const storageErrors = new Set([3, busy, 6, 8, 10, 11, 13, 14, 15, 26]);

class ImmediateDialect extends SqliteDialect {
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync) {
    const database = adapt(sqlite);
    super({ database });
    this.#sqlite = sqlite;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#sqlite, { database: adapt(this.#sqlite) });
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter();
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #sqlite: DatabaseSync;

  constructor(sqlite: DatabaseSync, config: SqliteDialectConfig) {
    super(config);
    this.#sqlite = sqlite;
  }

  // A deferred transaction that reads first fails in its middle when another process wrote.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  // A full disk ends the transaction by itself; a second rollback would hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function adapt(sqlite: DatabaseSync): SqliteDatabase {
  return {
    close: () => {
      if (sqlite.isOpen) sqlite.close();
    },
    prepare: (sql) => {
      const statement = sqlite.prepare(sql);
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
