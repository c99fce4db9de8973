import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as received from "./migrations/0001-received.ts";
import * as life from "./migrations/0002-life.ts";
import * as keyChecks from "./migrations/0003-key-checks.ts";
import type { Tables } from "./schema.ts";
import { isLocked, openSqlite, truncateLog } from "./sqlite.ts";

export { isStorageProblem } from "./sqlite.ts";

const migrations: Record<string, Migration> = {
  "0001-received": received,
  "0002-life": life,
  "0003-key-checks": keyChecks,
};

export type Write = Transaction<Tables>;
export type Read = Kysely<Tables>;

export type Database = {
  kysely: Read;
  /**
   * Runs `work` as one transaction; what it did is on the disk before the promise resolves. While another process
   * holds the lock, `work` is not begun, and everything else goes on; after ten seconds of that it is a storage
   * problem.
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

export type OpenResult = { ok: true; database: Database } | { ok: false; problem: string };

/** A person who pressed a button waits about this long before giving up. */
const lockWaitMs = 10_000;

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
    const store = openSqlite(path);
    const kysely = new Kysely<Tables>({ dialect: store.dialect });
    const { error } = await new Migrator({
      db: kysely,
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest();
    if (error) {
      await kysely.destroy();
      throw error;
    }
    await truncateLog(kysely);
    store.stopWaiting();
    return {
      ok: true,
      database: {
        kysely,
        write: (work) => writeWhenFree(kysely, options.lockWaitMs ?? lockWaitMs, work),
        erasePhysically: () => truncateLog(kysely),
        copyTo: async (path) => {
          await (await open(path, "wx", 0o600)).close();
          await sql`vacuum into ${path}`.execute(kysely);
        },
        isHealthy: () =>
          kysely
            .selectFrom("requests")
            .select("id")
            .limit(1)
            .execute()
            .then(
              () => true,
              () => false,
            ),
        close: () => kysely.destroy(),
      },
    };
  } catch (error) {
    return { ok: false, problem: `The database ${path} cannot be opened (${reasonOf(error)}).` };
  }
}

/** Tries again, a little later each time, until no other process holds the lock or `patienceMs` are over. */
async function writeWhenFree<T>(
  kysely: Read,
  patienceMs: number,
  work: (transaction: Write) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 100)) {
    let begun = false;
    try {
      return await kysely.transaction().execute((transaction) => {
        begun = true;
        return work(transaction);
      });
    } catch (error) {
      if (begun || !isLocked(error) || performance.now() >= giveUpAt) throw error;
      await setTimeout(waitMs);
    }
  }
}

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
