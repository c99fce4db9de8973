// Takes every page of the built site in four widths and both schemes into screenshots/ (ignored by git).
// npm run screenshots                all pages
// npm run screenshots -- blog faq    only pages whose name contains one of the words
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import playwrightConfig from "../playwright.config.ts";
import { root } from "../tests/harness/campus.ts";
import { startServerProcess } from "../tests/harness/server-process.ts";
import { ensureBuilt } from "./project.mjs";

const pages: Record<string, string> = {
  landing: "/",
  blog: "/blog",
  "blog-all": "/blog?category=All",
  "blog-empty": "/blog?category=Gardening",
  post: "/blog/12",
  "post-with-table": "/blog/34",
  "post-missing": "/blog/99999",
  faq: "/faq",
  "faq-open": "/faq#how-to-pay",
  privacy: "/privacy-policy",
  terms: "/terms-conditions",
  deletion: "/delete-my-account",
  "deletion-unknown-link": "/delete-my-account?link=unknown",
  error: "/no-such-page",
};
const widths = [360, 768, 1280, 1920];
const schemes = ["light", "dark"] as const;

const wanted = process.argv.slice(2);
const chosen = Object.entries(pages).filter(
  ([name]) => wanted.length === 0 || wanted.some((word) => name.includes(word)),
);
const folder = join(root, "screenshots");
mkdirSync(folder, { recursive: true });

ensureBuilt();
const server = await startServerProcess();
const browser = await chromium.launch(playwrightConfig.use?.launchOptions);
try {
  for (const scheme of schemes) {
    for (const width of widths) {
      for (const [name, path] of chosen) {
        await take(browser, server.url + path, `${name}-${width}-${scheme}`, width, scheme);
      }
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

/** One page as seen first and as a whole, with the pictures that would load later. */
async function take(
  browser: Browser,
  url: string,
  name: string,
  width: number,
  colorScheme: (typeof schemes)[number],
): Promise<void> {
  const page = await browser.newPage({
    viewport: { width, height: width < 500 ? 640 : 900 },
    colorScheme,
    reducedMotion: "reduce",
  });
  await page.goto(url, { waitUntil: "networkidle" });
  await page.screenshot({ path: join(folder, `${name}-first.png`) });
  await page.evaluate(() => {
    for (const picture of document.images) picture.loading = "eager";
  });
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.close();
  console.log(`screenshots/${name}.png`);
}
