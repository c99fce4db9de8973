import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A drill's data folder is marked by a file with its clock. Whoever opens such a folder heeds nothing of the environment that
 * leads anywhere else, so that nothing real can be reached from it.
 */
const markOf = (folder: string) => join(folder, "drill.json");

export function isDrill(folder: string): boolean {
  return existsSync(markOf(folder));
}

/** Goes as all clocks do. It is looked at each time, since a command in another window may let time pass. */
export function drillClock(folder: string): () => Temporal.Instant {
  return () => {
    const { aheadMs } = JSON.parse(readFileSync(markOf(folder), "utf8")) as { aheadMs: number };
    return Temporal.Now.instant().add({ milliseconds: aheadMs });
  };
}

/** Whoever reads it at this moment finds the time before or this one. */
export function setDrillClock(folder: string, now: Temporal.Instant): void {
  const aheadMs = now.epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  const next = `${markOf(folder)}.next`;
  writeFileSync(next, `${JSON.stringify({ aheadMs })}\n`, { mode: 0o600, flush: true });
  renameSync(next, markOf(folder));
}
