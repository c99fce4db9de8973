import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { type Browser, type CDPSession, chromium, type Page } from "@playwright/test";
import playwrightConfig from "../playwright.config.ts";
import { requireChromium } from "../scripts/browsers.mjs";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { recordTrace } from "../tests/harness/trace.ts";
import { atMost, median, type Part } from "./report.ts";

/** The slow phone of Lighthouse: a processor four times slower, 1.6 Mbit/s with 150 ms, and its screen. */
const slowPhone = {
  cpuRate: 4,
  network: {
    offline: false,
    latency: 562.5,
    downloadThroughput: 180_000,
    uploadThroughput: 84_375,
  },
  screen: { viewport: { width: 412, height: 823 }, isMobile: true, deviceScaleFactor: 1.75 },
};
const rounds = 9;
const mostBlockedMs = 20;
const mostPaint = 1.05;
/** A task longer than this keeps the page from reacting. */
const longMs = 50;

/** The landing page on a slow phone, beside itself with an empty box for every picture. */
export async function benchBrowser(): Promise<Part> {
  const executablePath = requireChromium();
  const server = await startServerProcess();
  const site = await startFront(server.port, (html) => html);
  const boxes = await startFront(server.port, withoutPictures);
  const browser = await chromium.launch({
    ...playwrightConfig.use?.launchOptions,
    executablePath,
  });
  const blocked: number[] = [];
  const visits: Visit[] = [];
  const plainVisits: Visit[] = [];
  try {
    await visit(browser, site.url);
    for (let round = 0; round < rounds; round++) {
      blocked.push(await withPhone(browser, (phone) => countBlockedMs(phone, site.url)));
      visits.push(await visit(browser, site.url));
      plainVisits.push(await visit(browser, boxes.url));
    }
  } finally {
    await browser.close();
    site.close();
    boxes.close();
    await server.stop();
  }
  const beside = (of: (one: Visit) => number) =>
    median(visits.map(of)) / median(plainVisits.map(of));
  const blockedMs = median(blocked);
  return {
    name: "browser",
    rows: [
      atMost(
        "`/`: time in which a slow phone cannot react, in ms",
        blockedMs,
        mostBlockedMs,
        String(Math.round(blockedMs)),
      ),
      atMost(
        "`/`: first paint beside itself without pictures",
        beside(({ firstMs }) => firstMs),
        mostPaint,
      ),
      atMost(
        "`/`: largest paint beside itself without pictures",
        beside(({ largestMs }) => largestMs),
        mostPaint,
      ),
    ],
  };
}

/** Passes everything on, the landing page changed; both pages that are compared come this way. */
async function startFront(port: number, change: (html: string) => string) {
  const front = createServer(async (request, response) => {
    const answer = await fetch(`http://localhost:${port}${request.url}`);
    const type = answer.headers.get("content-type") ?? "";
    const bytes = Buffer.from(await answer.arrayBuffer());
    const body = type.startsWith("text/html") ? Buffer.from(change(bytes.toString())) : bytes;
    const packs = /html|svg|javascript|json/.test(type);
    response.writeHead(answer.status, {
      "Content-Type": type,
      ...(packs && { "Content-Encoding": "br" }),
    });
    response.end(packs ? brotliCompressSync(body) : body);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}/`,
    close() {
      front.closeAllConnections();
      front.close();
    },
  };
}

/** Every picture an empty one of its size, which costs nothing to fetch. */
function withoutPictures(html: string): string {
  return html.replace(/<source\b[^>]*>/g, "").replace(/<img\b[^>]*>/g, (image) => {
    const size = (name: string) => new RegExp(`\\b${name}="(\\d+)"`).exec(image)?.[1] ?? "1";
    const empty = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${size("width")}' height='${size("height")}'/%3E`;
    return image.replace(/\bsrc="[^"]*"/, `src="${empty}"`);
  });
}

type Phone = { page: Page; devtools: CDPSession };

/** The slow phone with its network; how slow its processor is, the visit says. */
async function withPhone<T>(browser: Browser, work: (phone: Phone) => Promise<T>): Promise<T> {
  const context = await browser.newContext(slowPhone.screen);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slowPhone.network);
  const found = await work({ page, devtools });
  await context.close();
  return found;
}

/** Loads the page, and what is still under way when everything has loaded. */
async function loadWholly(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await pause(2_000);
}

type Visit = Awaited<ReturnType<typeof visit>>;

async function visit(browser: Browser, url: string) {
  return withPhone(browser, async ({ page, devtools }) => {
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowPhone.cpuRate });
    await page.addInitScript(() => {
      const seen = { largest: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.largest = entry.startTime;
      }).observe({ type: "largest-contentful-paint", buffered: true });
    });
    await loadWholly(page, url);
    return page.evaluate(() => ({
      firstMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      largestMs: (window as unknown as { seen: { largest: number } }).seen.largest,
    }));
  });
}

/**
 * How long the page's own thread could not react while it loaded, after the first paint, on the phone's
 * processor: what of each task is longer than 50 ms, as Lighthouse counts. It is reckoned from the processor time of
 * the tasks, which other programs on the machine disturb less than the time that passed.
 */
async function countBlockedMs({ page, devtools }: Phone, url: string): Promise<number> {
  const categories = ["toplevel", "devtools.timeline", "loading"];
  const events = await recordTrace(devtools, categories, () => loadWholly(page, url));
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
    .reduce(
      (sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1_000) * slowPhone.cpuRate - longMs),
      0,
    );
}
