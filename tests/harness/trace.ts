import type { CDPSession } from "@playwright/test";

/** What Chromium notes of its own work: times in microseconds, `tdur` the processor time of `dur`. */
type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { beginData?: { url?: string; stackTrace?: { url: string }[] } };
};

/** Everything of these categories that Chromium notes while `work` goes on. */
export async function recordTrace(
  devtools: CDPSession,
  includedCategories: string[],
  work: () => Promise<void>,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories },
  });
  await work();
  const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await complete;
  return events;
}

/**
 * Counts the layouts that a script of the page waited for while `work` went on. What the test itself asks of the page
 * runs under no address and is not counted.
 */
export async function countForcedLayouts(
  devtools: CDPSession,
  work: () => Promise<void>,
): Promise<number> {
  const stacks = "disabled-by-default-devtools.timeline.stack";
  const events = await recordTrace(devtools, ["devtools.timeline", stacks], work);
  return events.filter(({ name, args }) => {
    const stack = args?.beginData?.stackTrace ?? [];
    return name === "Layout" && stack.some((frame) => /^https?:/.test(frame.url));
  }).length;
}
