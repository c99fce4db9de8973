import { defineConfig } from "@playwright/test";
import { use, workers } from "../../playwright.config.ts";

// Configuration of `npm run screenshots`. It uses this machine's fonts instead of the test fonts.
export default defineConfig({
  outputDir: "../../test-results",
  workers,
  fullyParallel: true,
  timeout: 3_600_000,
  forbidOnly: true,
  reporter: "list",
  use: {
    ...use,
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: { ...use.launchOptions, env: process.env },
  },
});
