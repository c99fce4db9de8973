import { setTimeout } from "node:timers/promises";
import { type Browser, chromium } from "@playwright/test";
import { lateParts } from "../tests/harness/in-page.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { servePlainPages } from "./plain-pages.ts";
import { atMost, median, type Row, ratio } from "./report.ts";

const paths = ["/", "/faq", "/blog", "/blog/12", "/privacy-policy", "/delete-my-account"];
const rounds = 5;
/** A mid-range phone is about four times slower than a developer's computer. */
const slowDown = 4;
const phone = {
  viewport: { width: 360, height: 640 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};
const mostRatio = 1.3;
/**
 * Maximum duration of a task, in milliseconds, before it noticeably delays the response to a tap.
 */
const longTaskMs = 50;
const idleMark = "page is idle";
/** Trace events by kind of work. Chromium draws SVG images when it paints them. */
const eventNames = {
  layout: ["Layout"],
  style: ["UpdateLayoutTree"],
  images: ["PaintImage", "Decode Image"],
};

/** Main-thread time in milliseconds. `blocked` is the total time by which tasks exceed 50 ms. */
type Work = Record<keyof typeof eventNames | "blocked", number>;

/** Work until the browser is first idle, and the deferred work of distant parts after that. */
type Load = { early: Work; late: Work };

/**
 * Compares a page's main-thread work, until the browser is idle, with that of a plain page. Also
 * tells how much work follows, because long pages lay out their distant parts while idle. Both
 * pages have the same content, pictures and display font. They are loaded alternately on a
 * slowed-down phone with an empty cache. Measures CPU time, because other programs hardly affect
 * it.
 */
export async function measureMainThread(): Promise<Row[]> {
  const ours = await startServerProcess({ LOG_LEVEL: "error" });
  const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH });
  const plain = await servePlainPages(browser, ours.url, paths);
  const rows: Row[] = [];
  for (const path of paths) {
    const found: { our: Load; plain: Load }[] = [];
    for (let round = 0; round <= rounds; round++) {
      const our = await measureLoad(browser, ours.url + path);
      const other = await measureLoad(browser, plain.url + path);
      // The first round only warms up the browser.
      if (round > 0) found.push({ our, plain: other });
    }
    rows.push(...toRows(path, found));
  }
  await browser.close();
  plain.stop();
  await ours.stop();
  return rows;
}

function toRows(path: string, found: { our: Load; plain: Load }[]): Row[] {
  return (["layout", "style", "images", "blocked"] as const).map((kind) => {
    const our = median(found.map((round) => round.our.early[kind]));
    const late = median(found.map((round) => round.our.late[kind]));
    const plain = median(found.map((round) => round.plain.early[kind]));
    // Differences of a few milliseconds are noise.
    const times = Math.max(our, 10) / Math.max(plain, 10);
    const later = late >= 1 ? `, later ${late.toFixed(0)} ms` : "";
    const figure = `${ratio(times)} (${our.toFixed(0)} ms${later}; plain page: ${plain.toFixed(0)} ms)`;
    return atMost(`${path}: ${kind}`, times, mostRatio, figure);
  });
}

async function measureLoad(browser: Browser, url: string): Promise<Load> {
  await using context = await browser.newContext(phone);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowDown });
  await browser.startTracing(page, {
    categories: [
      "devtools.timeline",
      "disabled-by-default-devtools.timeline",
      "toplevel",
      "blink.user_timing",
    ],
  });
  await page.addInitScript((mark) => {
    addEventListener("load", () => requestIdleCallback(() => performance.mark(mark)));
  }, idleMark);
  await page.goto(url);
  await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, idleMark);
  while ((await page.evaluate(lateParts)) > 0) await setTimeout(200);
  // Waits for the last part's frame.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  // On a busy machine, a new process sometimes starts tracing after its page has begun.
  return sumUp(traceEvents, url) ?? measureLoad(browser, url);
}

/** A trace event. `ts` is its start and `tdur` its CPU time, both in microseconds. */
type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  tdur?: number;
  args: { data?: { url?: string } };
};

/**
 * Splits the page's main-thread events at the first idle moment and sums up both halves. Returns
 * undefined if the trace lacks the page's start or that moment.
 */
function sumUp(events: readonly TraceEvent[], url: string): Load | undefined {
  const commit = events.find(({ name, args }) => name === "CommitLoad" && args.data?.url === url);
  const threadEvents = events.filter(({ pid, tid }) => pid === commit?.pid && tid === commit?.tid);
  const idle = threadEvents.find(({ name }) => name === idleMark);
  if (!idle) return undefined;
  return {
    early: sumUpWork(threadEvents.filter(({ ts }) => ts < idle.ts)),
    late: sumUpWork(threadEvents.filter(({ ts }) => ts >= idle.ts)),
  };
}

function sumUpWork(threadEvents: readonly TraceEvent[]): Work {
  const times = (names: readonly string[]) =>
    threadEvents.filter(({ name }) => names.includes(name)).map(({ tdur = 0 }) => tdur / 1000);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const tasks = times(["ThreadControllerImpl::RunTask"]);
  return {
    layout: sum(times(eventNames.layout)),
    style: sum(times(eventNames.style)),
    images: sum(times(eventNames.images)),
    blocked: sum(tasks.map((ms) => Math.max(0, ms - longTaskMs))),
  };
}
