// Runs parts of the tests one after another. Prints each part's number and usual duration before
// the part, and its actual duration afterward. The last line reports the numbers of passed and
// failed tests.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectEnvironment, root } from "./project.mjs";

/**
 * Runs the parts in order. A part has a `name`, its usual duration in `seconds` on two idle
 * processors, and either a program to `run` with `args` and `environment`, or a function `work` to
 * call in this process. If an `isVital` part fails, the remaining parts are skipped.
 * @param options.notRun sentences about tests that can't run here
 * @param options.untilMs deadline. Skips parts that would miss it at one and a half times their
 * usual duration. Stops a part that is still running fifteen minutes after the deadline
 * @returns the exit code
 */
export function runParts(parts, { notRun = [], untilMs = Number.POSITIVE_INFINITY } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "test-results-"));
  const usual = parts.reduce((sum, { seconds = 0 }) => sum + seconds, 0);
  if (usual > 0) console.log(`All together: about ${inWords(usual)} on two quiet processors`);
  const lines = [];
  const failed = [];
  for (const [index, part] of parts.entries()) {
    const usually = part.seconds ? `, usually ${inWords(part.seconds)}` : "";
    console.log(`\n== ${index + 1} of ${parts.length}: ${part.name}${usually}`);
    const started = Date.now();
    if (started + part.seconds * 1500 > untilMs) {
      notRun.push(`${part.name}: no time was left for it.`);
      continue;
    }
    const leftMs = untilMs + lateMs - started;
    const holds = part.work ? part.work() : run(part, join(folder, String(index)), leftMs);
    const took = Math.round((Date.now() - started) / 1000);
    const hasFailed = holds === false;
    lines.push(`${String(took).padStart(6)} s  ${part.name}${hasFailed ? " (failed)" : ""}`);
    if (!hasFailed) continue;
    failed.push(part);
    if (part.isVital) break;
  }
  const counts = parts.map((_, index) => readCounts(join(folder, String(index))));
  rmSync(folder, { recursive: true, force: true });
  const passes = counts.reduce((sum, { passed }) => sum + passed, 0);
  // A part that fails without a failed test, such as lint, counts as one failure.
  const fails = Math.max(
    counts.reduce((sum, count) => sum + count.failed, 0),
    failed.length,
  );
  console.log(`\n${lines.join("\n")}`);
  for (const line of notRun) console.log(`\nNot run: ${line}`);
  const skips = counts.reduce((sum, { skipped }) => sum + skipped, 0);
  const skipped = skips > 0 ? `, ${skips} skipped` : "";
  const rest = notRun.length > 0 ? `, ${notRun.length} not run` : "";
  console.log(`\n${passes} passed, ${fails} failed${skipped}${rest}`);
  return failed.length > 0 ? 1 : 0;
}

/** Returns a part that runs the given projects of vitest.config.ts. */
export function vitest(projects, words = [], environment = {}) {
  return {
    run: "vitest",
    // The named files may belong to only one of the projects, so the other projects find no tests.
    args: ["run", "--passWithNoTests", ...projects.map((name) => `--project=${name}`), ...words],
    environment: { NODE_ENV: "test", ...environment },
  };
}

export function playwright(words = [], environment = {}) {
  return {
    run: "playwright",
    args: ["test", ...words],
    environment: { NODE_ENV: "test", ...environment },
  };
}

export function inWords(seconds) {
  return seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`;
}

const lateMs = 15 * 60_000;

/**
 * Runs a tool for at most `mostMs` milliseconds. The tool's reporter writes the test counts to the
 * file `results`. `under` is a program that runs the tool, with its arguments.
 */
function run({ run: command, args, environment, under = [] }, results, mostMs) {
  const reporters = {
    vitest: ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
    playwright: ["--reporter=list,json"],
  };
  const [program, ...all] = [...under, command, ...args, ...(reporters[command] ?? [])];
  const result = spawnSync(program, all, {
    cwd: root,
    env: { ...projectEnvironment, PLAYWRIGHT_JSON_OUTPUT_FILE: results, ...environment },
    stdio: "inherit",
    timeout: Number.isFinite(mostMs) ? mostMs : undefined,
    shell: process.platform === "win32",
  });
  return result.status === 0;
}

/**
 * Reads the test counts from Vitest's or Playwright's report. Returns zeros if the part wrote no
 * report or didn't finish.
 */
function readCounts(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    return {
      passed: report.numPassedTests ?? report.stats.expected,
      failed: report.numFailedTests ?? report.stats.unexpected,
      skipped: report.numPendingTests ?? report.stats.skipped,
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
