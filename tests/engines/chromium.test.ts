import { everyEngine } from "./every-engine.ts";
import { openChromium, openChromiumTree } from "./puppeteer-tab.ts";

const executablePath = process.env.CHROME_PATH || "/usr/bin/chromium";

everyEngine(
  "Chromium",
  (scheme) => openChromium({ scheme, executablePath }),
  () => openChromiumTree(executablePath),
);
