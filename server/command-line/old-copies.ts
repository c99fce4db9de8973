import { existsSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { dateAt } from "../calendar/business-days.ts";
import { type CopyKind, enterCopy } from "../database/last-copies.ts";
import { lookAtFile } from "../database/sqlite.ts";
import { isSealedFile } from "../keys/sealed-file.ts";
import { unfinished } from "./copies.ts";
import type { CommandServices } from "./program.ts";
import { countOf, type Outcome } from "./sentences.ts";

/** One night's copy may fail: what must be gone by tomorrow goes today. */
const spareDays = 1;

/**
 * What keeps the promise that no copy stands longer than the campus says: whoever makes one takes away what is too old,
 * beside it and where the data lies; and what lies open of one that was ended in the middle. Only what is surely ours goes:
 * files that this program sealed, whole stores, and the folders of what is copied, moved, or replaced by a restore.
 * @returns how many went, those that should have gone and are there still, and when the oldest that is left was made
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
    // Whoever made one beside it has just finished.
    if (!stats) continue;
    // By the clock of the machine, as the files' own times are.
    const at = now.subtract({ milliseconds: Math.round(Date.now() - stats.mtimeMs) });
    const goes = dateAt(calendar, at).add({ days: dataList.backupDays - spareDays });
    const isOld = isUnfinished(path)
      ? // Whoever still makes one has made it within a day.
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

/** All but the one that was just made. */
async function listCopies(made: string, dataDir: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, isOurs: (path: string) => Promise<boolean>) => {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (path !== made && (await isOurs(path).catch(() => false))) found.push(path);
    }
  };
  await look(dirname(made), isCopy);
  // With PostgreSQL there need be none.
  if (existsSync(dataDir)) await look(dataDir, isSetAside);
  return found;
}

const isUnfinished = (path: string) => basename(path).startsWith(unfinished);

async function isCopy(path: string): Promise<boolean> {
  if (isUnfinished(path)) return (await lstat(path)).isDirectory();
  // A store that is served, or was, has this name wherever it lies.
  if (basename(path) === "requests.sqlite" || !(await lstat(path)).isFile()) return false;
  return (await isSealedFile(path)) || lookAtFile(path) === "store";
}

async function isSetAside(path: string): Promise<boolean> {
  const isNamedSo = /^(?:before-restore-|restoring-|unfinished-move$)/.test(basename(path));
  return isNamedSo && (await lstat(path)).isDirectory();
}

/** Tells of a copy that is whole, and of those that went because of it. */
export async function enterAndTell(
  services: CommandServices,
  kind: CopyKind,
  made: string,
  sentence: string,
): Promise<Outcome> {
  const { database, clock } = services;
  const { removed, stuck, oldestAt } = await removeOldCopies(services, made);
  await database.write((transaction) =>
    enterCopy(transaction, { what: kind, at: clock(), oldestAt }),
  );
  const went =
    removed > 0 ? ` ${countOf(removed, "old copy was", "old copies were")} removed.` : "";
  const out = `${sentence}${went}\n`;
  if (stuck.length === 0) return { code: 0, out };
  const problem = `What must be gone by tomorrow could not be removed: ${stuck.join(", ")}.\n`;
  return { code: 1, out, problem };
}
