import type { CDPSession } from "@playwright/test";

/** What Chromium notes of its own work: times in microseconds, `tdur` the processor time of `dur`. */
type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { beginData?: { url?: string } };
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
