// Writes a sealed backup and an export of the ledger to COPIES/copies/ and COPIES/exports/, named
// by time. BACKUP_KEY is the key that `npm run store -- backup new-key` printed. With
// --every-night, repeats this at 2:30 a.m. every night by the machine's clock. A failed backup is
// retried only the next night.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fail, root } from "./project.mjs";

const { COPIES, BACKUP_KEY } = process.env;
if (!COPIES) fail("COPIES must name the folder for copies.");
if (!BACKUP_KEY) fail("BACKUP_KEY must be set (docs/put-it-online.md, Back up).");

if (process.argv[2] === "--every-night") {
  // A container's first process ignores SIGTERM from Docker unless it listens for the signal.
  process.once("SIGTERM", () => process.exit());
  for (;;) {
    await setTimeout(millisecondsUntilNight(new Date()));
    copy();
  }
} else if (!copy()) process.exit(1);

/** Returns whether both files were written. */
function copy() {
  const name = `${new Date().toISOString().replace(/[:.]/g, "").slice(0, 17)}.sealed`;
  const write = (program, folder, ...options) => {
    try {
      mkdirSync(join(COPIES, folder), { recursive: true });
    } catch (error) {
      console.error(`The folder ${join(COPIES, folder)} cannot be made (${error.code}).`);
      return false;
    }
    const words = [
      program,
      ...options.slice(0, 1),
      join(COPIES, folder, name),
      ...options.slice(1),
    ];
    return spawnSync(process.execPath, words, { cwd: root, stdio: "inherit" }).status === 0;
  };
  const isCopied = write("server/cli/requests.ts", "copies", "backup", "--seal-for", BACKUP_KEY);
  return write("server/cli/ledger.ts", "exports", "export") && isCopied;
}

/** @param {Date} now */
function millisecondsUntilNight(now) {
  const next = new Date(now);
  next.setHours(2, 30, 0, 0);
  if (next <= now) next.setDate(next.getDate() + 1);
  return next.getTime() - now.getTime();
}
