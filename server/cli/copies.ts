import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findTakenAt } from "../deletion-requests/jobs/restore.ts";
import { checkKeys } from "../platform/crypto/key-check.ts";
import type { Keys } from "../platform/crypto/keys.ts";
import {
  beginsWith,
  isSealedFile,
  isSealingKey,
  openSealedFile,
  sealFile,
} from "../platform/crypto/sealed-file.ts";
import { type Database, openDatabase } from "../platform/database/database.ts";
import { inspectFile } from "../platform/database/sqlite.ts";
import { reasonOf } from "../platform/database/storage-errors.ts";

/** Writes, opens and restores the store's backup files, plain or sealed. */

export type Copy = {
  file: string;
  /** Scratch folder that contains the opened backup. */
  folder: string;
  database: Database;
  takenAt: Temporal.Instant | undefined;
};

/**
 * Opens a backup in a new folder below `scratch`, migrates it and checks it for damage. Doesn't
 * change `file`.
 * @param options.backupKeyFile path of the key that opens a backup from `requests backup
 * --seal-for`
 */
export async function openCopy(
  file: string,
  options: { scratch: string; keys: Keys; backupKeyFile: string | undefined },
): Promise<{ ok: true; copy: Copy } | ({ ok: false } & Unopened)> {
  const folder = await mkdtemp(join(options.scratch, "copy-"));
  const path = join(folder, "requests.sqlite");
  const unopened = await layOpen(file, path, options).catch(
    ({ code }: NodeJS.ErrnoException): Unopened =>
      code === "ENOSPC"
        ? { problem: `The disk of ${options.scratch} is full.`, isFileFine: true }
        : { problem: `We can't read the file ${file} (${code}).` },
  );
  if (unopened) return { ok: false, ...unopened };
  if (inspectFile(path) === "other") {
    return { ok: false, problem: `${file} is a database, but not a copy of this server's.` };
  }
  const opened = await openDatabase({ dataDir: folder, mustExist: true, check: true });
  if (!opened.ok) return { ok: false, problem: opened.problem.replaceAll(path, file) };
  const { database } = opened;
  const fits = await checkKeys(database, options.keys, { mayEnter: true });
  if (!fits.ok) {
    await database.close();
    return { ok: false, problem: `${file} was made under other keys. ${fits.problem}` };
  }
  return { ok: true, copy: { file, folder, database, takenAt: await findTakenAt(database.read) } };
}

/**
 * `lacksKey` is true if the file may be intact but needs a key that the command line didn't
 * specify. `isFileFine` is true if the problem is elsewhere.
 */
type Unopened = { problem: string; lacksKey?: boolean; isFileFine?: boolean };

/** Extracts the database to `path`. Returns the problem with the file, if any. */
async function layOpen(
  file: string,
  path: string,
  { keys, backupKeyFile }: { keys: Keys; backupKeyFile: string | undefined },
): Promise<Unopened | undefined> {
  if (!(await isSealedFile(file))) {
    if (!(await beginsWith(file, Buffer.from("SQLite format 3\0")))) {
      return {
        problem: `${file} is not a copy: neither a database nor a file that this server sealed.`,
      };
    }
    await copyFile(file, path);
    // In a copied data folder, the newest rows may still be in the write-ahead log next to the
    // file.
    if (existsSync(`${file}-wal`)) await copyFile(`${file}-wal`, `${path}-wal`);
    return undefined;
  }
  const openings = keys.fileKeys().map(({ opening }) => opening);
  if (backupKeyFile !== undefined) {
    const text = await readFile(backupKeyFile, "utf8").catch(() => undefined);
    const opening = text?.trim() ?? "";
    if (!isSealingKey(opening)) {
      const problem = text === undefined ? "can't be read" : "contains no key";
      return { problem: `The file ${backupKeyFile} ${problem}.`, isFileFine: true };
    }
    openings.unshift(opening);
  }
  for (const opening of openings) {
    const result = await openSealedFile(file, path, opening);
    if (result === "opened") return undefined;
    if (result === "damaged") return { problem: `${file} is damaged: it was cut or changed.` };
  }
  return backupKeyFile === undefined
    ? {
        problem: `${file} is damaged, or sealed under other keys than SECRET_KEYS here. To open a backup that was made with --seal-for, use --backup-key KEYFILE.`,
        lacksKey: true,
      }
    : {
        problem: `${file} is damaged, or sealed for another key: neither ${backupKeyFile} nor SECRET_KEYS opens it.`,
      };
}

/**
 * Name prefix of the scratch folder that contains a plain backup until it is complete and sealed.
 */
export const unfinished = "unfinished-copy-";

/**
 * Writes a full backup to a new file and seals it if a public key is given. Returns the problem, if
 * any. If the process is killed, a later backup deletes its scratch folder (`old-copies.ts`).
 */
export async function writeCopy(database: Database, file: string, sealing?: string) {
  try {
    const folder = await mkdtemp(join(dirname(file), unfinished));
    try {
      const laidOpen = join(folder, "requests.sqlite");
      await database.copyTo(laidOpen);
      if (sealing === undefined) {
        await (await open(file, "wx")).close();
        await rename(laidOpen, file).catch(async (error: unknown) => {
          await rm(file);
          throw error;
        });
      } else await sealFile(laidOpen, file, sealing);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    return whyUnwritten(file, error);
  }
}

/** Describes a file system error. Rethrows any other error. */
export function whyUnwritten(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code === "EEXIST"
    ? `The file ${file} already exists. Choose a new name.`
    : `We can't write the file ${file} (${reasonOf(error)}).`;
}

/** The store's files in a data folder, except its keys. */
const parts = [
  "requests.sqlite",
  "requests.sqlite-wal",
  "requests.sqlite-shm",
  "requests.mark",
  "mail",
];

/**
 * Replaces the store with a copy that no process has open. Moves the old files to a subfolder of
 * the data folder.
 * @returns the path of the subfolder, or `undefined` if there were no old files
 */
export async function putInPlace(
  copyFolder: string,
  dataDir: string,
  at: Temporal.Instant,
): Promise<string | undefined> {
  const stamp = at.toString({ smallestUnit: "second" }).replaceAll(":", "");
  const there = parts.filter((part) => existsSync(join(dataDir, part)));
  const aside = there.length > 0 ? join(dataDir, `before-restore-${stamp}`) : undefined;
  if (aside !== undefined) {
    await mkdir(aside, { mode: 0o700 });
    for (const part of there) await rename(join(dataDir, part), join(aside, part));
  }
  await rename(join(copyFolder, "requests.sqlite"), join(dataDir, "requests.sqlite"));
  await using folder = await open(dataDir, "r");
  await folder.sync();
  return aside;
}
