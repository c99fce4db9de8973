// The same promises in Chromium, Firefox and WebKit: npm run test:engines. With names, only those: ... -- firefox webkit
import { spawnSync } from "node:child_process";
import { findEngines } from "./browsers.mjs";
import { ensureBuilt, ensureInstalled, fail, projectEnvironment, root } from "./project.mjs";

ensureInstalled();
ensureBuilt();
const { present, missing, environment } = findEngines();
for (const sentence of missing) console.log(`NOT TESTED  ${sentence}`);
if (present.length === 0) fail("No browser was found, so nothing was tested.");
const wanted = process.argv.slice(2).map((word) => word.toLowerCase());
const names = present
  .map((name) => name.toLowerCase())
  .filter((name) => wanted.length === 0 || wanted.includes(name));
const result = spawnSync(
  "vitest",
  ["run", "--project=engines", ...names.map((name) => `tests/engines/${name}.test.ts`)],
  {
    cwd: root,
    env: { ...projectEnvironment, ...environment, NODE_ENV: "test" },
    stdio: "inherit",
    shell: process.platform === "win32",
  },
);
for (const sentence of missing) console.log(`NOT TESTED  ${sentence}`);
process.exit(result.status ?? 1);
