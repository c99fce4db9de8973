// Everything that must hold, in one command: types, lint, a production build, unit and http tests, a short siege,
// browser tests.
// Installs what is missing. Stops at the first step that fails; the last line counts what passed and failed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireChromium } from "./browsers.mjs";
import { ensureBuilt, ensureInstalled, projectEnvironment, root } from "./project.mjs";

ensureInstalled();
const browser = requireChromium();
const results = mkdtempSync(join(tmpdir(), "test-results-"));
const vitestResults = join(results, "vitest.json");
const siegeResults = join(results, "siege.json");
const playwrightResults = join(results, "playwright.json");

const steps = [
  ["Types", "react-router", ["typegen"]],
  ["Types", "tsc", []],
  ["Lint", "biome", ["check", "--diagnostic-level=warn", "."]],
  ["Build", ensureBuilt],
  [
    "Unit and http tests",
    "vitest",
    ["run", "--project=unit", "--project=site", ...reportTo(vitestResults)],
    { NODE_ENV: "test" },
  ],
  ["Siege", "vitest", ["run", "--project=siege", ...reportTo(siegeResults)], { NODE_ENV: "test" }],
  [
    "Browser tests",
    "playwright",
    ["test", "--reporter=list,json"],
    { NODE_ENV: "test", CHROME_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightResults },
  ],
];

let failed = "";
let title = "";
for (const [name, command, args, environment] of steps) {
  if (name !== title) console.log(`\n== ${name}`);
  title = name;
  if (typeof command === "function") command();
  else if (!run(command, args, environment)) {
    failed = name;
    break;
  }
}

const counts = [countVitest(vitestResults), countVitest(siegeResults), countPlaywright()];
rmSync(results, { recursive: true, force: true });
const passes = counts.reduce((sum, count) => sum + count.passed, 0);
// A step that fails without a failed test, such as types or lint, counts as one.
const fails = Math.max(
  counts.reduce((sum, count) => sum + count.failed, 0),
  failed ? 1 : 0,
);
if (failed) console.log(`\n${failed}: failed, see above.`);
console.log(`\n${passes} passed, ${fails} failed`);
process.exit(failed ? 1 : 0);

function run(command, args, environment = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...projectEnvironment, ...environment },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return result.status === 0;
}

function readResults(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function reportTo(file) {
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
}

function countVitest(file) {
  const result = readResults(file);
  return { passed: result?.numPassedTests ?? 0, failed: result?.numFailedTests ?? 0 };
}

function countPlaywright() {
  const stats = readResults(playwrightResults)?.stats;
  if (stats?.flaky) console.log(`\n${stats.flaky} browser tests passed only when tried again.`);
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
  };
}
