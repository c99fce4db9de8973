import { existsSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { dateAt } from "../platform/calendar/business-days.ts";
import { isSealedFile } from "../platform/crypto/sealed-file.ts";
import { type CopyKind, recordBackup } from "../platform/database/last-backups.ts";
import { lookAtFile } from "../platform/database/sqlite.ts";
import { unfinished } from "./copies.ts";
import type { CommandServices } from "./program.ts";
import { countOf, type Outcome } from "./sentences.ts";

/**
 * Each backup also deletes the backups that expire on the next day, because the next nightly backup
 * may fail.
 */
const spareDays = 1;

/**
 * Deletes expired backups, so that no backup becomes older than the campus promises. Looks next to
 * the new backup and in the data folder, and also deletes scratch folders of killed processes.
 * Deletes only files that are certainly ours: sealed files, whole stores, and folders from a
 * backup, a move or a restore.
 * @returns how many backups it deleted, which backups it could not delete, and the date of the
 * oldest remaining backup
 */
async function removeOldCopies(
  { calendar, clock, dataDir, dataList }: CommandServices,
  made: string,
) {
  const now = clock();
  const today = dateAt(calendar, now);
  const kept = { removed: 0, stuck: [] as string[], oldestAt: now };
  for (const path of await listCopies(resolve(made), dataDir)) {
    const stats = await lstat(path).catch(() => undefined);
    // Another process has just removed the file.
    if (!stats) continue;
    // Measures the file's age by the machine's clock, which also set the file's time.
    const at = now.subtract({ milliseconds: Math.round(Date.now() - stats.mtimeMs) });
    const goes = dateAt(calendar, at).add({ days: dataList.backupDays - spareDays });
    const isOld = isUnfinished(path)
      ? // A folder that is less than a day old may belong to a backup in progress.
        now.since(at).total("hours") >= 24
      : Temporal.PlainDate.compare(goes, today) <= 0;
    if (isOld) {
      const problem = await rm(path, { recursive: true }).catch(String);
      if (problem === undefined) {
        kept.removed++;
        continue;
      }
      kept.stuck.push(path);
    }
    if (Temporal.Instant.compare(at, kept.oldestAt) < 0) kept.oldestAt = at;
  }
  return kept;
}

/** Lists all backups except the new one. */
async function listCopies(made: string, dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, isOurs: (path: string) => Promise<boolean>) => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (path !== made && (await isOurs(path).catch(() => false))) found.push(path);
    }
  };
  await look(dirname(made), isCopy);
  // A site on PostgreSQL may have no data folder.
  if (existsSync(dataDir)) await look(dataDir, isSetAside);
  return found;
}

const isUnfinished = (path: string) => basename(path).startsWith(unfinished);

async function isCopy(path: string): Promise<boolean> {
  if (isUnfinished(path)) return (await lstat(path)).isDirectory();
  // Any folder's store has this name while it is in use, and keeps it afterward.
  if (basename(path) === "requests.sqlite" || !(await lstat(path)).isFile()) return false;
  return (await isSealedFile(path)) || lookAtFile(path) === "store";
}

async function isSetAside(path: string): Promise<boolean> {
  const isNamedSo = /^(?:before-restore-|restoring-|unfinished-move$)/.test(basename(path));
  return isNamedSo && (await lstat(path)).isDirectory();
}

/** Records a completed backup in the history, and reports the expired backups that it deleted. */
export async function recordCopy(
  services: CommandServices,
  kind: CopyKind,
  made: string,
  sentence: string,
): Promise<Outcome> {
  const { database, clock } = services;
  const { removed, stuck, oldestAt } = await removeOldCopies(services, made);
  await database.write((transaction) =>
    recordBackup(transaction, { what: kind, at: clock(), oldestAt }),
  );
  const went =
    removed > 0 ? ` ${countOf(removed, "old copy was", "old copies were")} deleted.` : "";
  const out = `${sentence}${went}\n`;
  if (stuck.length === 0) return { code: 0, out };
  const problem = `We could not delete these copies, and they have to be deleted by tomorrow: ${stuck.join(", ")}.\n`;
  return { code: 1, out, problem };
}
