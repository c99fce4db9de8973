import { defineConfig } from "vitest/config";
import config from "./vitest.config.ts";

const { projects: _, ...shared } = config.test ?? {};

/**
 * Tests that Stryker runs against each mutant (`stryker.config.json`). The model-based test is
 * excluded, because it takes minutes and would run for nearly every mutant of the state machine.
 */
export default defineConfig({
  test: {
    ...shared,
    include: [
      "server/platform/calendar/**/*.test.ts",
      "server/deletion-requests/{state-machine,commands}/**/*.test.ts",
    ],
    exclude: ["**/state-machine-model.test.ts"],
  },
});
