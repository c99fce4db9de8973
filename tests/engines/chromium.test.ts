import { everyEngine } from "./every-engine.ts";
import { openChromium } from "./puppeteer-tab.ts";

everyEngine("Chromium", (scheme) =>
  openChromium({ scheme, executablePath: process.env.CHROME_PATH || "/usr/bin/chromium" }),
);
