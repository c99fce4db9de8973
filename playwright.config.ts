import { defineConfig, devices } from "@playwright/test";
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

/** Settings of the browser, which screenshots share. */
export const use = {
  ...devices["Desktop Chrome"],
  viewport: { width: 1280, height: 800 },
  trace: "off",
  launchOptions,
} as const;

// Runs browser tests against `server/main.ts` and the production build: every worker starts a
// server of its own. Pages are measured with the widest face that a visitor can have
// (tests/harness/faces.ts), and nothing is retried.
export default defineConfig({
  testDir: "tests/browser",
  globalSetup: "tests/harness/faces.ts",
  outputDir: "test-results",
  workers,
  fullyParallel: true,
  // Stops hanging tests only. A slow or busy machine must not fail.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  forbidOnly: true,
  reporter: "list",
  use,
});
