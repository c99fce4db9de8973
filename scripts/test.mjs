// Everything that must hold, in one command: types, lint, a production build, unit and http tests, those of
// what is stored and sent once more on PostgreSQL, the campuses in campus-examples/, a short siege, browser tests.
// Installs what is missing. Ends where types, lint or the build fail; the tests go on after a failure, so that one run tells
// everything, and the last line counts what passed and failed. Where CI is set, which says that the machine is shared, a
// file that failed is tried once more, and whoever reads is told (0089). `npm test -- WORD` runs the tests whose file's path
// has the word, and builds only where one of them visits the site.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { requireChromium } from "./browsers.mjs";
import { findNginx } from "./nginx.mjs";
import { ensureBuilt, ensureInstalled, projectEnvironment, root } from "./project.mjs";

ensureInstalled();
const browser = requireChromium();
const nginx = findNginx();
const notRun = nginx
  ? []
  : ["The sample of examples/nginx: no nginx was found (on Debian: apt-get install nginx-light)."];
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
    { NODE_ENV: "test", ...(nginx && { NGINX_PATH: nginx }) },
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

const words = process.argv.slice(2);
const chosen = words.length > 0 ? stepsOf(words) : steps;
const failed = [];
const took = [];
for (const [name, command, args, environment] of chosen) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  if (typeof command === "function") command();
  else if (!run(command, args, environment) && !passesWhenTriedAgain(command, args, environment)) {
    failed.push(name);
    if (!isOfTests(command)) break;
  }
  took.push(`${String(Math.round((Date.now() - started) / 1000)).padStart(6)} s  ${name}`);
}

for (const line of triedAgain) console.log(`\nPassed only when it was tried again: ${line}`);
const counts = [...vitestResults.map(countVitest), ...playwrightResults.map(countPlaywright)];
rmSync(folder, { recursive: true, force: true });
const passes = counts.reduce((sum, count) => sum + count.passed, 0);
// A step that fails without a failed test, such as types or lint, counts as one.
const fails = Math.max(
  counts.reduce((sum, count) => sum + count.failed, 0),
  failed.length,
);
console.log(`\n${took.join("\n")}`);
for (const name of failed) console.log(`\n${name}: failed, see above.`);
for (const line of notRun) console.log(`\nNot run: ${line}`);
const rest = notRun.length > 0 ? `, ${notRun.length} not run` : "";
console.log(`\n${passes} passed, ${fails} failed${rest}`);
process.exit(failed.length > 0 ? 1 : 0);

function isOfTests(command) {
  return command === "vitest" || command === "playwright";
}

/** The tests of the first campus whose file has one of the words in its path, and a build where they visit the site. */
function stepsOf(words) {
  const visiting = [
    "http",
    "processes",
    "faults",
    "default-campus",
    "postgres",
    "siege",
    "browser",
  ];
  const isVisiting = visiting.some((name) =>
    readdirSync(join(root, "tests", name), { recursive: true }).some((file) =>
      words.some((word) => `tests/${name}/${file}`.includes(word)),
    ),
  );
  return [
    ...(isVisiting ? [["Build", ensureBuilt]] : []),
    ...steps
      .filter(([, command, , environment]) => isOfTests(command) && !environment.CAMPUS_DIR)
      .map(([name, command, args, environment]) => {
        const none = command === "vitest" ? "--passWithNoTests" : "--pass-with-no-tests";
        return [name, command, [...args, none, ...words], environment];
      }),
  ];
}

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
