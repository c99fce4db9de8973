import type { CDPSession } from "@playwright/test";

type TraceEvent = {
  name: string;
  args?: { beginData?: { stackTrace?: { url: string }[] } };
};

/**
 * Counts the layouts that a script of the page waited for while `work` went on. What the test itself asks of the page
 * runs under no address and is not counted.
 */
export async function countForcedLayouts(
  devtools: CDPSession,
  work: () => Promise<void>,
): Promise<number> {
  let count = 0;
  devtools.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, args } of value as unknown as TraceEvent[]) {
      const stack = args?.beginData?.stackTrace ?? [];
      const ours = stack.some((frame) => /^https?:/.test(frame.url));
      if (name === "Layout" && ours) count++;
    }
  });
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: {
      includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"],
    },
  });
  await work();
  const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
  await devtools.send("Tracing.end");
  await complete;
  return count;
}
