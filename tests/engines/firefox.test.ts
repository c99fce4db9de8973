import { everyEngine } from "./every-engine.ts";
import { openFirefoxTree } from "./firefox-tree.ts";
import { openFirefox } from "./puppeteer-tab.ts";

const executablePath = process.env.FIREFOX_PATH || "/usr/bin/firefox-esr";

everyEngine(
  "Firefox",
  (scheme) => openFirefox({ scheme, executablePath }),
  () => openFirefoxTree(executablePath),
);
