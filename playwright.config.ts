import { defineConfig, devices } from "@playwright/test";

// Browser tests run against `server/main.ts` and the production build: every worker starts a server of its own.
export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  workers: 2,
  fullyParallel: true,
  // For what hangs. A machine that is slow or busy is no reason to fail.
  timeout: 300_000,
  expect: { timeout: 60_000, toPass: { timeout: 120_000 } },
  // A CI machine is shared: a test may be tried twice there, and the summary says how many needed it.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1280, height: 800 },
    trace: "off",
    launchOptions: {
      executablePath: process.env.CHROME_PATH || "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
});
