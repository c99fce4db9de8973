import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Dialect, sql } from "kysely";
import { createOwnPurses, type Purses } from "./limits.ts";
import { copyToFile, toSide } from "./moving.ts";
import { keepToOwner } from "./owner-only.ts";
import type { Lease, PostgresStore } from "./postgres.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { createErasing } from "./postgres-erasing.ts";
import { openFitting, readProgress, tellUnopened, upgradeBeside } from "./postgres-opening.ts";
import { openSqlite } from "./sqlite.ts";
import type { AnyStatement, Read, Write } from "./statement.ts";
import { createStoreMark } from "./store-mark.ts";
import { isDamaged, reasonOf, type StoreTrouble } from "./trouble.ts";
import { upgradeStore } from "./upgrading.ts";

export { isStorageProblem, type StoreTrouble } from "./trouble.ts";

export type Database = {
  /** Reads what was committed, on a connection that cannot write and waits for nobody who does. */
  read: Read;
  /**
   * The only way to change anything. Runs `work` as one transaction; what it did is on the disk, in the file that
   * stands in the data folder, before the promise resolves. While another process holds the lock, `work` is not begun,
   * and everything else goes on; after ten seconds of that it is a storage problem. `work` must wait for nothing but
   * its own statements: others wait for it. In PostgreSQL many run side by side, and one that met another is undone and
   * run again: `work` must change nothing but the database.
   */
  write<T>(work: (transaction: Write) => Promise<T>): Promise<T>;
  /**
   * Call after rows were erased: leaves no copy of them in the file and its log. False when that is not so yet, because
   * another process was reading or the last time is a short while ago; then call again later.
   */
  erasePhysically(): Promise<boolean>;
  /**
   * Writes a whole copy to a file that must not exist yet, while the server may go on working. Where it throws, a part is left.
   */
  copyTo(path: string): Promise<void>;
  /** Whether other machines may work on it at the same time. */
  isShared: boolean;
  /** What clients spend, together with whoever else works on it. */
  purses: Purses;
  /** What one instance of the server does for all of them. */
  duty(name: string): Duty;
  /** What time it is, the same for every instance. */
  clock(): Temporal.Instant;
  /** How long the database file is and which file it is; undefined in PostgreSQL. */
  mark?: ReturnType<typeof createStoreMark>;
  /** What keeps the store from serving now, undefined when nothing does. Waits for nobody for long. */
  findTrouble(): Promise<StoreTrouble | undefined>;
  close(): Promise<void>;
};

export type Duty = {
  /** Changes what the duty changes. Once another instance has taken over it refuses to, whatever held this one up. */
  database: Database;
  /** Takes it, or keeps it; false while another instance has it. Call every minute or so. */
  take(): Promise<boolean>;
  /** Lets another instance take it at once. */
  leave(): Promise<void>;
};

/** What lies below, for tests: the dialect of the connection that changes, and how a statement would be gone about. */
export type Underneath = {
  dialect: Dialect;
  explain(statement: AnyStatement): Promise<{ sql: string; steps: string[] }>;
};

export type OpenResult =
  | { ok: true; database: Database; store: Underneath }
  | { ok: false; problem: string /** True when there is none. */; missing?: true };

export type OpenOptions = {
  /** Holds the file, and with PostgreSQL what is no row: mails and keys. */
  dataDir: string;
  /** Where PostgreSQL is; undefined for the file. */
  url?: string | undefined;
  /** For everybody but the server: a mistyped folder must not look like an empty store. */
  mustExist?: boolean;
  /** Whether to read the whole file for damage first. */
  check?: boolean;
  /** How long writing waits for another process. */
  lockWaitMs?: number;
};

/** Opens the database; folder and tables are made where they are missing, unless they must exist. */
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
    return tellUnwritable(options.dataDir, error);
  }
  try {
    const store = openSqlite(path, options.lockWaitMs);
    const damage = options.check ? store.findDamage() : undefined;
    if (damage !== undefined) {
      await store.close();
      return { ok: false, problem: tellDamage(path, damage) };
    }
    try {
      await upgradeStore(store.dialect);
    } catch (error) {
      await store.close();
      throw error;
    }
    await store.truncateLog();
    store.serve();
    const database: Database = {
      read: store.read,
      write: store.write,
      erasePhysically: async () => {
        const rewritten = await store.rewrite();
        return (await store.truncateLog()) && rewritten;
      },
      copyTo: async (path) => {
        await (await open(path, "wx", 0o600)).close();
        store.copyTo(path);
      },
      isShared: false,
      purses: createOwnPurses,
      // There is one server on a file.
      duty: () => ({ database, take: async () => true, leave: async () => {} }),
      clock: () => Temporal.Now.instant(),
      mark: createStoreMark(options.dataDir, store.readHighest),
      findTrouble: async () => store.findTrouble(),
      close: store.close,
    };
    return {
      ok: true,
      store: { dialect: store.dialect, explain: async (statement) => store.explain(statement) },
      database,
    };
  } catch (error) {
    if (isDamaged(error)) return { ok: false, problem: tellDamage(path, reasonOf(error)) };
    return { ok: false, problem: `The database ${path} cannot be opened (${reasonOf(error)}).` };
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
      return tellUnwritable(options.dataDir, error);
    }
  }
  const { name } = parsed.address;
  const opened = await openFitting(parsed.address, options.lockWaitMs);
  if (!opened.ok) return opened;
  const { store } = opened;
  const fail = async (problem: string, more: { missing?: true } = {}) => {
    await store.close();
    return { ok: false, problem, ...more } as const;
  };
  try {
    const { hasTables, isBeingMoved } = await readProgress(store);
    if (isBeingMoved) {
      return fail(
        `The database ${name} holds a part of a store that is being moved. Say npm run store -- move-data again as before, or make the database empty.`,
      );
    }
    if (options.mustExist && !hasTables) {
      const problem = `The database ${name} is empty. Only the server makes its tables: set DATABASE_URL to the one that it uses.`;
      return fail(problem, { missing: true });
    }
    await store.readClock();
    await upgradeBeside(store.upgrading);
  } catch (error) {
    return fail(tellUnopened(parsed.address, error));
  }
  const { read, clock, purses, findTrouble, close } = store;
  const database: Database = {
    read,
    write: (work) => store.write(work),
    erasePhysically: createErasing(store),
    copyTo: (path) => copyIntoFile(store, path),
    isShared: true,
    purses,
    duty: (name) => createDuty(name, database, store),
    clock,
    findTrouble,
    close,
  };
  return { ok: true, store: { dialect: store.dialect, explain: store.explain }, database };
}

/**
 * A duty is a lease that is fenced: every transaction of its holder first prolongs the lease and keeps its row locked.
 * An instance that was held up for longer than the lease finds another's name there when it goes on, and changes
 * nothing; one that is held up inside a transaction loses that to the database's own patience.
 */
function createDuty(name: string, database: Database, store: PostgresStore): Duty {
  const lease: Lease = { name, holder: randomUUID() };
  return {
    database: { ...database, write: (work) => store.write(work, lease) },
    take: () => store.takeLease(lease),
    leave: () => store.leaveLease(lease),
  };
}

/** A copy is a file of the same kind whatever it was made of. */
async function copyIntoFile(store: PostgresStore, path: string): Promise<void> {
  await (await open(path, "wx", 0o600)).close();
  await using file = toSide("sqlite", path, openSqlite(path));
  await copyToFile(toSide("postgres", "the database", store), file);
  // One file, with nothing beside it when somebody reads it.
  await sql`pragma journal_mode = delete`.execute(file.kysely);
}

function tellUnwritable(dataDir: string, error: unknown): { ok: false; problem: string } {
  return {
    ok: false,
    problem: `The data folder ${dataDir} cannot be written (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write.`,
  };
}

function tellDamage(path: string, found: string): string {
  const oneLine = found.replace(/[.\s]+/g, " ").trim();
  return `The database ${path} is damaged (${oneLine}). Keep a copy of it and put back a backup, as docs/operations.md says.`;
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
