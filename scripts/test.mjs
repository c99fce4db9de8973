// Runs all checks that a change must pass: types, lint, a production build, unit and HTTP tests,
// the database tests again on PostgreSQL, the campuses in campus-examples/, short abuse tests and
// browser tests. Installs missing tools. Stops if types, lint or the build fail, but continues
// after other failures, so that one run reports all of them. Retries nothing. `npm test -- WORD`
// runs the tests with WORD in their path, and builds only if one of them needs the site. Longer
// tests are in scripts/test-deep.mjs.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { requireChromium } from "./browsers.mjs";
import { ensureBuilt, ensureTestTools, fail, root } from "./project.mjs";
import { findNginx, findPgbouncer } from "./system-programs.mjs";
import { playwright, runParts, vitest } from "./test-parts.mjs";

ensureTestTools();
const words = process.argv.slice(2);
const campusDir = process.env.CAMPUS_DIR?.trim();
const notRun = [];
const parts = campusDir ? partsOfAnyCampus() : words.length > 0 ? partsOf(words) : allParts();
process.exit(runParts(parts, { notRun }));

function allParts() {
  return [
    { name: "Types", seconds: 5, isVital: true, run: "react-router", args: ["typegen"] },
    { name: "Types", seconds: 8, isVital: true, run: "tsc", args: [] },
    {
      name: "Lint",
      seconds: 3,
      isVital: true,
      run: "biome",
      args: ["check", "--diagnostic-level=warn", "."],
    },
    build(),
    unitAndHttp(),
    onPostgres(),
    ...ofAnotherCampus("kaltensee"),
    ...ofCairo(),
    buildOfOldCampus(),
    abuse(),
    inBrowser(),
  ];
}

function build() {
  return { name: "Build", seconds: 20, isVital: true, work: ensureBuilt };
}

function unitAndHttp(files = []) {
  const asksProxy = files.length === 0 || files.some((file) => file.includes("proxy"));
  const nginx = asksProxy && findNginx();
  if (asksProxy && !nginx) {
    notRun.push(
      "The sample of examples/nginx: no nginx was found (on Debian: apt-get install nginx-light).",
    );
  }
  return {
    name: "Unit and http tests",
    seconds: 140,
    ...vitest(["unit*", "site"], files, nginx),
  };
}

function onPostgres(files = []) {
  const asksPooler = files.length === 0 || files.some((file) => file.includes("pooler"));
  const pgbouncer = asksPooler && findPgbouncer();
  if (asksPooler && !pgbouncer) {
    notRun.push(
      "PostgreSQL behind a pooler: no pgbouncer was found (on Debian: apt-get install pgbouncer).",
    );
  }
  return {
    name: "Tests on PostgreSQL",
    seconds: 190,
    ...vitest(["postgres*", "on-postgres"], files, pgbouncer),
  };
}

function abuse(files = []) {
  return { name: "Abuse", seconds: 65, ...vitest(["abuse"], files) };
}

function inBrowser(files = []) {
  return {
    name: "Browser tests",
    seconds: 365,
    ...playwright(files, { CHROME_PATH: requireChromium() }),
  };
}

/**
 * Returns the parts that build a campus in campus-examples/ and run the tests that fit any campus.
 * The browser tests compare pages with the campus's text, and find layouts that its text or motifs
 * break.
 */
function ofAnotherCampus(name) {
  const anywhere = ["deletion-story", "every-page", "lengths", "header", "legal", "print"].map(
    (file) => `/${file}.spec`,
  );
  const browser = { CHROME_PATH: requireChromium(), ...settingsOf(name) };
  return [
    ...testsOfAnotherCampus(name),
    { name: `Browser tests of ${name}`, seconds: 55, ...playwright(anywhere, browser) },
  ];
}

/**
 * Returns the parts that build and test the right-to-left campus, which omits every optional
 * section.
 */
function ofCairo() {
  return [...testsOfAnotherCampus("cairo"), inBrowserOfCairo()];
}

function inBrowserOfCairo() {
  const browser = { CHROME_PATH: requireChromium(), ...settingsOf("cairo") };
  return {
    name: "Browser tests of cairo",
    seconds: 40,
    ...playwright(["right-to-left"], browser),
  };
}

/** Builds the oldest campus in tests/old-campuses/ unchanged. */
function buildOfOldCampus() {
  const environment = { CAMPUS_DIR: "tests/old-campuses/2026-11-23", BUILD_DIR: "build-old" };
  return { ...buildOf("a campus of 23 November"), isVital: false, environment };
}

function testsOfAnotherCampus(name, files = []) {
  const environment = settingsOf(name);
  return [
    buildOf(name),
    { name: `Tests of ${name}`, seconds: 15, ...vitest(["campus"], files, environment) },
  ];
}

function buildOf(name) {
  const ensure = 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())';
  return {
    name: `Build of ${name}`,
    seconds: 10,
    isVital: true,
    run: process.execPath,
    args: ["-e", ensure],
    environment: settingsOf(name),
  };
}

function settingsOf(name) {
  return { CAMPUS_DIR: `campus-examples/${name}`, BUILD_DIR: `build-${name}` };
}

/**
 * Returns only the parts that fit any campus, for a campus outside the project. The other tests are
 * about the first campus and the code.
 */
function partsOfAnyCampus() {
  const tests = vitest(["campus"], words.length > 0 ? words : ["tests/http"]);
  return [build(), { name: "Tests", seconds: 25, ...tests }];
}

/**
 * Returns the parts that run the tests whose path contains one of the words. Starts with a build if
 * any of these tests needs the site.
 */
function partsOf(words) {
  const files = ["app", "campus-reader", "scripts", "server", "tests", "vite"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) =>
        `${folder}/${file}`.replaceAll("\\", "/"),
      ),
    )
    .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file))
    .filter((file) => words.some((word) => file.includes(word)));
  const option = words.find((word) => word.startsWith("-"));
  if (option) fail(`npm test takes no ${option}: npm run test:unit and npm run test:e2e do.`);
  if (files.length === 0) fail(`No test file has ${words.join(" or ")} in its path.`);
  const chosen = [
    [/^tests\/(?:browser|faults|http|postgres\/database|processes\/(?!tr)|abuse)/, build],
    [/^(?!tests\/)|^tests\/(?:faults|house|http|processes)\//, unitAndHttp],
    [/^server\/|^tests\/(?:faults|http|postgres)\//, onPostgres],
    [
      /^tests\/other-campus\//,
      (some) => ["kaltensee", "cairo"].flatMap((name) => testsOfAnotherCampus(name, some)),
    ],
    [/^tests\/abuse\//, abuse],
    [/^tests\/browser\/right-to-left/, () => [buildOf("cairo"), inBrowserOfCairo()]],
    [/^tests\/browser\/(?!right-to-left)/, inBrowser],
  ].flatMap(([pattern, toParts]) => {
    const some = files.filter((file) => pattern.test(file));
    return some.length > 0 ? toParts(some) : [];
  });
  if (chosen.length === 0) fail(`Only npm run test:deep has tests of ${words.join(" or ")}.`);
  // Omit the usual durations, because only a subset of each part runs.
  return chosen.map((part) => ({ ...part, seconds: undefined }));
}
