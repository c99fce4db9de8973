import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as received from "./migrations/0001-received.ts";
import * as life from "./migrations/0002-life.ts";
import * as keyChecks from "./migrations/0003-key-checks.ts";
import type { Tables } from "./schema.ts";
import { openSqlite } from "./sqlite.ts";

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
  /** Runs `work` as one transaction; what it did is on the disk before the promise resolves. */
  write<T>(work: (transaction: Write) => Promise<T>): Promise<T>;
  /**
   * Call after rows were erased: leaves no copy of them in the write-ahead log. False when another process was
   * reading, then call again later.
   */
  erasePhysically(): boolean;
  /** Writes a whole copy to a file that must not exist yet, while the server may go on working. */
  copyTo(path: string): Promise<void>;
  isHealthy(): Promise<boolean>;
  close(): Promise<void>;
};

export type OpenResult = { ok: true; database: Database } | { ok: false; problem: string };

/** Opens the database in `dataDir`, creating folder and tables where they are missing. */
export async function openDatabase(options: { dataDir: string }): Promise<OpenResult> {
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
    store.truncateLog();
    return {
      ok: true,
      database: {
        kysely,
        write: (work) => kysely.transaction().execute(work),
        erasePhysically: () => store.truncateLog(),
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
