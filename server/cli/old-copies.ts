import { existsSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { dateAt } from "../platform/calendar/business-days.ts";
import { isSealedFile } from "../platform/crypto/sealed-file.ts";
import { type CopyKind, recordBackup } from "../platform/database/last-backups.ts";
import { inspectFile } from "../platform/database/sqlite.ts";
import { unfinished } from "./copies.ts";
import type { CommandServices } from "./program.ts";
import { countOf, type Outcome } from "./sentences.ts";

/** Number of days by which backups are deleted early, in case the next nightly backup fails. */
const spareDays = 1;

/**
 * Deletes backups before they are older than the campus promises. Also deletes the scratch folders
 * of killed processes. Searches the folder of the new backup and the data folder. Deletes only what
 * is certainly ours: sealed files, complete stores, and folders from a backup, a move or a restore.
 * @returns the number of deleted backups, the paths that couldn't be deleted, and the time of the
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
    // Compute the age with the machine's clock, which also set the file's modification time.
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
  const collect = async (folder: string, isOurs: (path: string) => Promise<boolean>) => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (path !== made && (await isOurs(path).catch(() => false))) found.push(path);
    }
  };
  await collect(dirname(made), isCopy);
  // A site on PostgreSQL may have no data folder.
  if (existsSync(dataDir)) await collect(dataDir, isSetAside);
  return found;
}

const isUnfinished = (path: string) => basename(path).startsWith(unfinished);

async function isCopy(path: string): Promise<boolean> {
  if (isUnfinished(path)) return (await lstat(path)).isDirectory();
  // A store in use also has this name, so don't treat the file as a backup.
  if (basename(path) === "requests.sqlite" || !(await lstat(path)).isFile()) return false;
  return (await isSealedFile(path)) || inspectFile(path) === "store";
}

async function isSetAside(path: string): Promise<boolean> {
  const isNamedSo = /^(?:before-restore-|restoring-|unfinished-move$)/.test(basename(path));
  return isNamedSo && (await lstat(path)).isDirectory();
}

/** Records a completed backup, deletes expired backups and reports both. */
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
