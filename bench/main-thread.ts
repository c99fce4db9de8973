import type { CDPSession } from "@playwright/test";
import { recordTrace } from "../tests/harness/trace.ts";

const longMs = 50;

/**
 * How long the page's own thread could not react while `load` went on, after the first paint, on a processor so many
 * times slower: what of each task is longer than 50 ms, as Lighthouse counts. It is reckoned from the processor time of
 * the tasks, which other programs on the machine disturb less than the time that passed.
 */
export async function countBlockedMs(
  devtools: CDPSession,
  url: string,
  slower: number,
  load: () => Promise<void>,
): Promise<number> {
  const events = await recordTrace(devtools, ["toplevel", "devtools.timeline", "loading"], load);
  const start = events
    .filter(({ name, args }) => name === "ParseHTML" && args?.beginData?.url === url)
    .sort((one, other) => one.ts - other.ts)[0];
  const paint = events.find(
    ({ name, pid }) => name === "firstContentfulPaint" && pid === start?.pid,
  );
  if (!start || !paint) throw new Error(`${url} was not traced`);
  let end = 0;
  return events
    .filter(({ name, pid, tid, ts, dur = 0, tdur }) => {
      const isTask = name === "ThreadControllerImpl::RunTask" || name === "RunTask";
      return isTask && tdur && pid === start.pid && tid === start.tid && ts + dur > paint.ts;
    })
    .sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0))
    .filter(({ ts, dur = 0 }) => {
      // A task within a task is part of it.
      const isOwn = ts >= end;
      if (isOwn) end = ts + dur;
      return isOwn;
    })
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1_000) * slower - longMs), 0);
}
