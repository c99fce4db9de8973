// Everything that must hold, in one command: types, lint, a production build, unit and http tests, those of
// what is stored and sent once more on PostgreSQL, the campuses in campus-examples/, a short siege, browser tests.
// Installs what is missing. Stops at the first step that fails; the last line counts what passed and failed. Where CI is
// set, which says that the machine is shared, a file that failed is tried once more, and whoever reads is told (0089).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { requireChromium } from "./browsers.mjs";
import { ensureBuilt, ensureInstalled, projectEnvironment, root } from "./project.mjs";

ensureInstalled();
const browser = requireChromium();
const folder = mkdtempSync(join(tmpdir(), "test-results-"));
/** Faults and durability. */
const neverTriedAgain =
  /^(tests\/(faults|postgres)\/|tests\/processes\/stopping|server\/(database|outbox)\/)/;
const triedAgain = [];
const vitestResults = ["vitest", "siege", "postgres"].map((name) => join(folder, `${name}.json`));
const playwrightResults = [join(folder, "playwright.json")];
const inBrowser = { NODE_ENV: "test", CHROME_PATH: browser };

const steps = [
  ["Types", "react-router", ["typegen"]],
  ["Types", "tsc", []],
  ["Lint", "biome", ["check", "--diagnostic-level=warn", "."]],
  ["Build", ensureBuilt],
  [
    "Unit and http tests",
    "vitest",
    [
      "run",
      "--project=unit",
      "--project=site",
      "--project=default-campus",
      ...reportTo(vitestResults[0]),
    ],
    { NODE_ENV: "test" },
  ],
  [
    "Tests on PostgreSQL",
    "vitest",
    ["run", "--project=postgres", "--project=on-postgres", ...reportTo(vitestResults[2])],
    { NODE_ENV: "test" },
  ],
  [
    "Siege",
    "vitest",
    ["run", "--project=siege", ...reportTo(vitestResults[1])],
    { NODE_ENV: "test" },
  ],
  [
    "Browser tests",
    "playwright",
    ["test", "--reporter=list,json"],
    { ...inBrowser, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightResults[0] },
  ],
];

// Of a campus of one's own, what holds for any campus is tested; the rest is about the first one and its code.
const own = process.env.CAMPUS_DIR?.trim();
if (own) {
  const common = [
    "run",
    "--project=campus",
    "tests/http",
    "tests/house",
    ...reportTo(vitestResults[0]),
  ];
  steps.splice(
    2,
    steps.length,
    ["Build", ensureBuilt],
    ["Tests", "vitest", common, { NODE_ENV: "test" }],
  );
}

// What must hold for any campus holds for those in campus-examples/: each is built beside the first and visited. Of the
// browser tests these read their words from the campus, and find what another one's words, motifs and lengths break.
const ofAnyCampus = ["any-campus", "/header.spec", "/errors.spec", "/legal.spec", "/print.spec"];
for (const name of own ? [] : readdirSync(join(root, "campus-examples"))) {
  const other = { CAMPUS_DIR: `campus-examples/${name}`, BUILD_DIR: `build-${name}` };
  const results = join(folder, `${name}.json`);
  vitestResults.push(results);
  const ensure = 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())';
  const seen = join(folder, `${name}-browser.json`);
  playwrightResults.push(seen);
  steps.splice(
    -2,
    0,
    [`Build of ${name}`, process.execPath, ["-e", ensure], other],
    [
      `Tests of ${name}`,
      "vitest",
      ["run", "--project=campus", ...reportTo(results)],
      { NODE_ENV: "test", ...other },
    ],
    [
      `Browser tests of ${name}`,
      "playwright",
      ["test", "--reporter=list,json", ...ofAnyCampus],
      { ...inBrowser, PLAYWRIGHT_JSON_OUTPUT_FILE: seen, ...other },
    ],
  );
}

let failed = "";
let title = "";
for (const [name, command, args, environment] of steps) {
  if (name !== title) console.log(`\n== ${name}`);
  title = name;
  if (typeof command === "function") command();
  else if (!run(command, args, environment) && !passesWhenTriedAgain(command, args, environment)) {
    failed = name;
    break;
  }
}

for (const line of triedAgain) console.log(`\nPassed only when it was tried again: ${line}`);
const counts = [...vitestResults.map(countVitest), ...playwrightResults.map(countPlaywright)];
rmSync(folder, { recursive: true, force: true });
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

/**
 * Runs the test files that failed once more, alone, and leaves the result of that as theirs. Not on one's own machine,
 * not where many failed, and not where it is about what may not be lost: that holds the first time or it does not hold.
 */
function passesWhenTriedAgain(command, args, environment) {
  if (!process.env.CI || command !== "vitest") return false;
  const output = "--outputFile.json=";
  const results = args.find((arg) => arg.startsWith(output)).slice(output.length);
  const first = readResults(results);
  const files = first?.testResults.filter(({ status }) => status === "failed") ?? [];
  if (files.length === 0 || files.length > 3) return false;
  if (files.some(({ name }) => neverTriedAgain.test(relative(root, name).replaceAll("\\", "/")))) {
    return false;
  }
  const failures = files.flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const titles = failed.length > 0 ? failed.map(({ fullName }) => fullName) : ["the whole file"];
    return titles.map((title) => `${relative(root, name)}: ${title}`);
  });
  console.log(`\nTried once more: ${files.map(({ name }) => relative(root, name)).join(", ")}`);
  const again = `${results}.again`;
  const others = args.filter((arg) => !arg.startsWith(output) && !arg.startsWith("tests/"));
  const names = files.map(({ name }) => name);
  if (!run(command, [...others, output + again, ...names], environment)) return false;
  triedAgain.push(...failures);
  const passed = first.numPassedTests + first.numFailedTests;
  writeFileSync(results, JSON.stringify({ numPassedTests: passed, numFailedTests: 0 }));
  return true;
}

/** Undefined where a step did not come to write them, or not to the end. */
function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function reportTo(file) {
  return ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
}

function countVitest(file) {
  const result = readResults(file);
  return { passed: result?.numPassedTests ?? 0, failed: result?.numFailedTests ?? 0 };
}

function countPlaywright(file) {
  const stats = readResults(file)?.stats;
  if (stats?.flaky) console.log(`\n${stats.flaky} browser tests passed only when tried again.`);
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    failed: stats?.unexpected ?? 0,
  };
}
