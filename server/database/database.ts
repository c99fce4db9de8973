import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Kysely } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as received from "./migrations/0001-received.ts";
import * as life from "./migrations/0002-life.ts";
import * as keyChecks from "./migrations/0003-key-checks.ts";
import * as dueByIndex from "./migrations/0004-due-by-index.ts";
import { openSqlite, type SqliteStore } from "./sqlite.ts";
import { type Read, reading, type Write } from "./statement.ts";

export { isStorageProblem } from "./sqlite.ts";

const migrations: Record<string, Migration> = {
  "0001-received": received,
  "0002-life": life,
  "0003-key-checks": keyChecks,
  "0004-due-by-index": dueByIndex,
};

export type Database = {
  /** Reads what is on the disk, on a connection that cannot write and waits for nobody who does. */
  read: Read;
  /**
   * The only way to change anything. Runs `work` as one transaction; what it did is on the disk before the promise resolves. While another process
   * holds the lock, `work` is not begun, and everything else goes on; after ten seconds of that it is a storage
   * problem. `work` must wait for nothing but its own statements: others wait for it.
   */
  write<T>(work: (transaction: Write) => Promise<T>): Promise<T>;
  /**
   * Call after rows were erased: leaves no copy of them in the write-ahead log. False when another process was
   * reading, then call again later.
   */
  erasePhysically(): Promise<boolean>;
  /** Writes a whole copy to a file that must not exist yet, while the server may go on working. */
  copyTo(path: string): Promise<void>;
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
};

export type OpenResult =
  | { ok: true; database: Database /** For tests, which look underneath. */; store: SqliteStore }
  | { ok: false; problem: string };

/** Opens the database in `dataDir`, creating folder and tables where they are missing. */
export async function openDatabase(options: {
  dataDir: string;
  /** How long writing waits for another process. */
  lockWaitMs?: number;
}): Promise<OpenResult> {
  const path = join(options.dataDir, "requests.sqlite");
  try {
    await makeFolder(options.dataDir);
    await (await open(path, "a", 0o600)).close();
    await chmod(path, 0o600);
  } catch (error) {
    return {
      ok: false,
      problem: `The data folder ${options.dataDir} cannot be written (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write.`,
    };
  }
  try {
    const store = openSqlite(path, { lockWaitMs: options.lockWaitMs });
    const { error } = await new Migrator({
      db: new Kysely({ dialect: store.dialect }),
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest();
    if (error) {
      await store.close();
      throw error;
    }
    await store.truncateLog();
    store.serve();
    return {
      ok: true,
      store,
      database: {
        read: store.read,
        write: store.write,
        erasePhysically: store.truncateLog,
        copyTo: async (path) => {
          await (await open(path, "wx", 0o600)).close();
          store.copyTo(path);
        },
        isHealthy: () =>
          store.read.one(anyRequest).then(
            () => true,
            () => false,
          ),
        close: store.close,
      },
    };
  } catch (error) {
    return { ok: false, problem: `The database ${path} cannot be opened (${reasonOf(error)}).` };
  }
}

/** Reads a page of the file, whatever is stored. */
const anyRequest = reading((tables) =>
  tables.selectFrom("requests").select("id").where("id", "=", 1),
);

/** Like a recursive mkdir, which does not end where a file system refuses new folders with ENOENT, as /proc does. */
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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code !== "ERR_SQLITE_ERROR" ? String(error.code) : error.message;
}
