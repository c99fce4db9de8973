// Runs a development tool under the pinned Node: node scripts/tool.mjs vitest --project=unit [its
// own options ...]
import { spawnSync } from "node:child_process";
import { requireChromium } from "./browsers.mjs";
import { ensureBuilt, ensureTestTools, projectEnvironment, root } from "./project.mjs";

const [tool, ...args] = process.argv.slice(2);
ensureTestTools();
const environment = { ...projectEnvironment };
if (tool === "vitest" || tool === "playwright") environment.NODE_ENV = "test";
if (tool === "playwright") {
  environment.CHROME_PATH = requireChromium();
  ensureBuilt();
}
// The terminal sends Ctrl-C directly to the tool, which then exits by itself.
process.on("SIGINT", () => {});
const { status } = spawnSync(tool, args, {
  cwd: root,
  env: environment,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exit(status ?? 1);
