import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { type Browser, chromium, type Page } from "@playwright/test";
import { countForcedLayouts } from "../tests/harness/forced-layouts.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { countBlockedMs } from "./main-thread.ts";
import { median, type Part, ratio } from "./report.ts";

/** The slow phone of Lighthouse: a processor four times slower, 1.6 Mbit/s with 150 ms, and its screen. */
const slowPhone = {
  cpuRate: 4,
  network: {
    offline: false,
    latency: 562.5,
    downloadThroughput: 180_000,
    uploadThroughput: 84_375,
  },
  screen: { width: 412, height: 823 },
};
const rounds = 9;
const mostBlockedMs = 20;
const mostPaint = 1.05;

type Visit = { firstMs: number; largestMs: number; forcedLayouts: number };

/** The landing page on a slow phone, beside itself with an empty box for every picture. */
export async function benchBrowser(): Promise<Part> {
  const executablePath = process.env.CHROME_PATH ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    return { name: "browser", rows: [], notes: ["Not measured: no Chromium (CHROME_PATH)."] };
  }
  const server = await startServerProcess();
  const site = await startFront(server.port, (html) => html);
  const boxes = await startFront(server.port, withoutPictures);
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
  });
  try {
    const blockings: number[] = [];
    const visits: Visit[] = [];
    const plainVisits: Visit[] = [];
    await visit(browser, site.url);
    for (let round = 0; round < rounds; round++) {
      blockings.push(await visitBlocked(browser, site.url));
      visits.push(await visit(browser, site.url));
      plainVisits.push(await visit(browser, boxes.url));
    }
    const of = (list: Visit[], key: keyof Visit) => median(list.map((one) => one[key]));
    const blocked = median(blockings);
    const first = of(visits, "firstMs") / of(plainVisits, "firstMs");
    const largest = of(visits, "largestMs") / of(plainVisits, "largestMs");
    const forced = Math.max(...visits.map((one) => one.forcedLayouts));
    return {
      name: "browser",
      rows: [
        {
          what: "`/`: time in which a slow phone cannot react",
          figure: `${Math.round(blocked)} ms`,
          limit: `${mostBlockedMs} ms at most`,
          held: blocked <= mostBlockedMs,
        },
        {
          what: "`/`: first paint beside itself without pictures",
          figure: ratio(first),
          limit: `${mostPaint}x at most`,
          held: first <= mostPaint,
        },
        {
          what: "`/`: largest paint beside itself without pictures",
          figure: ratio(largest),
          limit: `${mostPaint}x at most`,
          held: largest <= mostPaint,
        },
        {
          what: "`/`: layouts forced by script while loading",
          figure: String(forced),
          limit: "0",
          held: forced === 0,
        },
      ],
    };
  } finally {
    await browser.close();
    site.close();
    boxes.close();
    await server.stop();
  }
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
  const own = await new Promise<number>((resolve) =>
    front.listen(0, "127.0.0.1", () => {
      const address = front.address();
      resolve(typeof address === "object" && address ? address.port : 0);
    }),
  );
  return {
    url: `http://127.0.0.1:${own}/`,
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

/** The slow phone with its network; how slow its processor is, the visit says. */
async function openPhone(browser: Browser) {
  const context = await browser.newContext({
    viewport: slowPhone.screen,
    isMobile: true,
    deviceScaleFactor: 1.75,
  });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", slowPhone.network);
  return { context, page, devtools };
}

/** Loads the page, and what is still under way when everything has loaded. */
async function loadWholly(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "load" });
  await pause(2_000);
}

async function visitBlocked(browser: Browser, url: string): Promise<number> {
  const { context, page, devtools } = await openPhone(browser);
  const load = () => loadWholly(page, url);
  const blockedMs = await countBlockedMs(devtools, url, slowPhone.cpuRate, load);
  await context.close();
  return blockedMs;
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const { context, page, devtools } = await openPhone(browser);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowPhone.cpuRate });
  await page.addInitScript(() => {
    const seen = { largest: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.largest = entry.startTime;
    }).observe({ type: "largest-contentful-paint", buffered: true });
  });
  const layouts = await countForcedLayouts(devtools, () => loadWholly(page, url));
  const seen = await page.evaluate(() => ({
    ...(window as unknown as { seen: { largest: number } }).seen,
    first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  }));
  await context.close();
  return {
    firstMs: seen.first,
    largestMs: seen.largest,
    forcedLayouts: layouts,
  };
}
