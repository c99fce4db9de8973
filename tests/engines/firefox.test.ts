import { everyEngine } from "./every-engine.ts";
import { openFirefox } from "./puppeteer-tab.ts";

everyEngine("Firefox", (scheme) =>
  openFirefox({ scheme, executablePath: process.env.FIREFOX_PATH || "/usr/bin/firefox-esr" }),
);
