import { defineConfig, devices } from "@playwright/test";
import { directionOf } from "./server/platform/i18n/direction.ts";
import { campus } from "./tests/harness/campus.ts";
import { environment } from "./tests/harness/faces.ts";

const launchOptions = {
  env: { ...process.env, ...environment },
  executablePath: process.env.CHROME_PATH || "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};

export const workers = 2;

/** Browser settings, shared with the screenshot tests. */
export const use = {
  ...devices["Desktop Chrome"],
  viewport: { width: 1280, height: 800 },
  trace: "off",
  launchOptions,
} as const;

const isFromRightToLeft = directionOf(campus.settings.language) === "rtl";

// Browser tests run against `server/main.ts` and the production build. Each worker starts its own
// server. Pages are measured in the widest font that a visitor can have (tests/harness/faces.ts).
// There are no retries.
export default defineConfig({
  testDir: "tests/browser",
  testIgnore: isFromRightToLeft ? [] : ["**/right-to-left.spec.ts"],
  globalSetup: "tests/harness/faces.ts",
  outputDir: "test-results",
  workers,
  fullyParallel: true,
  // Even on a busy machine, only a hanging test takes this long.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  forbidOnly: true,
  reporter: "list",
  use,
});
