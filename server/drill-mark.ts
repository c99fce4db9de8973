import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the path of the file that marks a data folder as a drill's and stores the drill's clock.
 * Programs that open such a folder ignore all settings for external systems so that a drill can't
 * reach any real system.
 */
const markOf = (folder: string) => join(folder, "drill.json");

export function isDrill(folder: string): boolean {
  return existsSync(markOf(folder));
}

/**
 * Creates the drill's clock. Reads the file on each call, because a command in another terminal may
 * have advanced the clock.
 */
export function drillClock(folder: string): () => Temporal.Instant {
  return () => {
    const { aheadMs } = JSON.parse(readFileSync(markOf(folder), "utf8")) as { aheadMs: number };
    return Temporal.Now.instant().add({ milliseconds: aheadMs });
  };
}

/** Sets the clock atomically so that a concurrent reader sees either the old or the new time. */
export function setDrillClock(folder: string, now: Temporal.Instant): void {
  const aheadMs = now.epochMilliseconds - Temporal.Now.instant().epochMilliseconds;
  const next = `${markOf(folder)}.next`;
  writeFileSync(next, `${JSON.stringify({ aheadMs })}\n`, { mode: 0o600, flush: true });
  renameSync(next, markOf(folder));
}
