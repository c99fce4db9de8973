import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type MovedTable,
  moveStore,
  NotMovedError,
  type Progress,
  type Side,
  toSide,
} from "./move-store.ts";
import { parsePostgresAddress } from "./postgres-address.ts";
import { openFitting } from "./postgres-opening.ts";
import { inspectFile, isInUse, openSqlite } from "./sqlite.ts";
import { markName } from "./store-mark.ts";

/**
 * Source or target of a move: a data folder or a PostgreSQL database, opened without migrating it.
 */
type StoreLocation = Side & {
  /** Moves the finished store into its final location. */
  finish?(): Promise<void>;
};

const file = "requests.sqlite";

/**
 * Moves a store between a data folder and PostgreSQL, in either direction.
 * @throws NotMovedError whose message contains no password
 */
export async function moveBetween(
  from: string,
  to: string,
  report: (progress: Progress) => void,
): Promise<{ from: string; to: string; tables: MovedTable[] }> {
  if (isAddress(from) === isAddress(to)) {
    throw new NotMovedError(
      isAddress(from)
        ? "Both are PostgreSQL: copy one into the other with pg_dump and pg_restore."
        : "Both are folders: stop the server and copy the folder.",
    );
  }
  await using source = isAddress(from) ? await openAddress(from) : await openFolder(from);
  const target = isAddress(to) ? await openAddress(to) : await openNewFolder(to);
  const closing = () => target[Symbol.asyncDispose]();
  const tables = await moveStore(source, target, report).finally(closing);
  await target.finish?.();
  return { from: source.name, to: target.name, tables };
}

function isAddress(text: string): boolean {
  return /^postgres(?:ql)?:/.test(text);
}

async function openAddress(text: string): Promise<StoreLocation> {
  const parsed = parsePostgresAddress(text);
  if (!parsed.ok) throw new NotMovedError(`The address of PostgreSQL ${parsed.problem}.`);
  const opened = await openFitting(parsed.address);
  if (!opened.ok) throw new NotMovedError(opened.problem);
  return toSide("postgres", `the database ${parsed.address.name}`, opened.store);
}

async function openFolder(text: string): Promise<StoreLocation> {
  const folder = resolve(text);
  const path = join(folder, file);
  if (!statSync(path, { throwIfNoEntry: false })?.size) {
    throw new NotMovedError(`There is no database in ${folder}.`);
  }
  if (isInUse(path)) {
    throw new NotMovedError(`The server is running on ${folder}. Stop it first.`);
  }
  if (inspectFile(path) === "other") {
    throw new NotMovedError(`${path} is not a database of this program.`);
  }
  const store = openSqlite(path);
  const damage = store.findDamage();
  if (damage !== undefined) {
    await store.close();
    throw new NotMovedError(`The database ${path} is damaged (${damage}).`);
  }
  return toSide("sqlite", folder, store);
}

/**
 * Creates the new store in a subfolder so that no server can open the store before it is complete.
 */
async function openNewFolder(text: string): Promise<StoreLocation> {
  const folder = resolve(text);
  if (existsSync(join(folder, file))) {
    throw new NotMovedError(`There is a database in ${folder} already. Choose a new folder.`);
  }
  const unfinished = join(folder, "unfinished-move");
  const path = join(unfinished, file);
  try {
    if (isInUse(path)) throw new NotMovedError(`Another move into ${folder} is running.`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    await (await open(path, "a", 0o600)).close();
    await chmod(path, 0o600);
  } catch (error) {
    if (error instanceof NotMovedError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new NotMovedError(`The folder ${folder} cannot be written (${code}).`);
  }
  return {
    ...toSide("sqlite", folder, openSqlite(path)),
    async finish() {
      // A mark from an earlier database would make this database look truncated or copied.
      await rm(join(folder, markName), { force: true });
      await rename(path, join(folder, file));
      await rm(unfinished, { recursive: true });
      const handle = await open(folder, "r");
      await handle.sync().finally(() => handle.close());
    },
  };
}
