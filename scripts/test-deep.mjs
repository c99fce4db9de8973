// Runs the tests that take too long for every change. Without names, runs all parts below. With
// names, runs only these parts: `npm run test:deep -- kills shelf`. Arguments after a single name
// are passed to that part's program: `npm run test:deep -- abuse -t lock`. If the first option is
// `--within=MINUTES`, skips and lists the parts that might not end in time.
import { existsSync } from "node:fs";
import { findEngines, findProxies, requireChromium } from "./browsers.mjs";
import { ensureBuilt, ensureTestTools, fail } from "./project.mjs";
import { installPackages } from "./system-packages.mjs";
import { inWords, playwright, runParts, vitest } from "./test-parts.mjs";

/**
 * Parts by name, each with its title, its usual duration in seconds on two idle processors, and a
 * function that runs it with the additional arguments `more`.
 */
const parts = {
  shelf: [
    "All server, page and fault tests on PostgreSQL",
    400,
    (more) => vitest(["on-postgres"], more, { SHELF: "whole" }),
  ],
  kills: [
    "A server loses nothing if it is killed 500 times under load and 60 times while it sends",
    430,
    (more) =>
      vitest(["site"], ["tests/faults/killed-", ...more], {
        KILLS: process.env.KILLS ?? "500",
      }),
  ],
  states: [
    "All pages and states of the first campus in all widths and languages",
    900,
    (more) => playwright(["every-", ...more], { DEEP: "1", CHROME_PATH: requireChromium() }),
  ],
  fleet: [
    "Three servers on one PostgreSQL: 30 kills, expiring leases, a stopped database",
    660,
    (more) => vitest(["fleet"], more),
  ],
  proxies: [
    "Caddy and nginx with our samples in front of two servers that are restarted and frozen; Varnish",
    180,
    behindProxies,
  ],
  upgrade: [
    "Two servers of the last release are upgraded one by one while forms arrive",
    240,
    (more) => vitest(["upgrade"], more),
  ],
  abuse: [
    "Attacks by one client or network, while the response times of other clients are measured",
    610,
    (more) => vitest(["abuse"], more, { ABUSE: "long" }),
  ],
  evening: [
    "A campus from new-campus is completed, built, served and tested like any campus",
    60,
    (more) => vitest(["evening"], more),
  ],
  machine: ["docs/put-it-online.md, command by command in a bare Debian", 600, onBareMachine],
  image: [
    "The container image is built and run as compose.yaml does, by Podman on a stand-in base",
    300,
    inContainers,
  ],
  engines: ["Features that may break in other browsers, in Firefox and WebKit", 60, inEveryEngine],
  bench: [
    "Pages, forms and large stores, compared with a bare server; main-thread work of pages",
    1_900,
    (more) => ({
      run: "node",
      args: ["bench/bench.ts", ...more],
      environment: { CHROME_PATH: requireChromium() },
    }),
  ],
};

ensureTestTools();
const notRun = [];
const words = process.argv.slice(2);
const within = words[0]?.startsWith("--within=") ? words.shift().slice("--within=".length) : "";
const firstOther = words.findIndex((word) => !Object.hasOwn(parts, word));
const more = firstOther < 0 ? [] : words.splice(firstOther);
if (more.length > 0 && words.length !== 1) {
  const all = Object.entries(parts).map(([name, [title, seconds]]) => {
    return `  ${name.padEnd(8)} ${title} (${inWords(seconds)})`;
  });
  fail(`There is no part ${more[0]}. The parts are\n${all.join("\n")}`);
}
const chosen = words.length > 0 ? words : Object.keys(parts);
const untilMs = within ? Date.now() + Number(within) * 60_000 : Number.POSITIVE_INFINITY;
if (within) {
  for (const name of Object.keys(parts).filter((part) => !chosen.includes(part))) {
    notRun.push(`${name}: ${parts[name][0]} (npm run test:deep -- ${name}).`);
  }
}
const build = { name: "Build", seconds: 30, isVital: true, work: ensureBuilt };
process.exit(runParts([build, ...chosen.map(toPart)], { notRun, untilMs }));

function toPart(name) {
  const [title, seconds, toRun] = parts[name];
  return { name: `${name}: ${title}`, seconds, ...toRun(more) };
}

/** Tests the proxies that are installed. As root on Debian, first installs missing ones. */
function behindProxies(more) {
  const { missing, environment } = findProxies();
  notRun.push(...missing);
  return vitest(["proxies"], more, environment);
}

/**
 * Follows the installation document in a new root file system. Only root on Debian can create such
 * a file system.
 */
function onBareMachine() {
  const isReady =
    process.getuid?.() === 0 &&
    (existsSync("/usr/bin/mmdebstrap") || installPackages(["mmdebstrap"]));
  if (isReady) return { run: "bash", args: ["tests/machine/put-it-online.sh"] };
  notRun.push("machine: only root on Debian can make a bare Debian, with mmdebstrap.");
  return { work: () => true };
}

/** Builds and runs the image with Podman. Only root on Debian can make the stand-in base. */
function inContainers(more) {
  const programs = ["mmdebstrap", "podman", "runc"];
  const missing = programs.filter(
    (name) => !["/usr/bin", "/usr/sbin"].some((folder) => existsSync(`${folder}/${name}`)),
  );
  const isReady = process.getuid?.() === 0 && (missing.length === 0 || installPackages(missing));
  if (isReady) return vitest(["image"], more);
  notRun.push("image: only root on Debian can build it here, with mmdebstrap, podman and runc.");
  return { work: () => true };
}

/**
 * Tests every browser engine that is installed. As root on Debian, first installs missing engines.
 */
function inEveryEngine(more) {
  const { present, missing, environment } = findEngines();
  notRun.push(...missing);
  const some = present.filter((name) => more.length === 0 || more.includes(name.toLowerCase()));
  if (some.length === 0) fail("None of these browsers was found, so there is nothing to test.");
  const run = vitest(["engines"], ["-t", some.join("|")], environment);
  if (!some.includes("WebKit")) return run;
  return { ...run, under: ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 640x640x24"] };
}
