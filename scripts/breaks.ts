// Breaks the code on purpose, one break at a time in a copy of the project, and says which test noticed it first: 40 mutants
// chosen by a fixed seed and 40 at the joints, written by hand (tests/breaks, decision 0131).
// npm run test:deep -- breaks [WORD or NUMBER ...] [--list]
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { atTheJoints } from "../tests/breaks/at-the-joints.ts";
import { type Break, chooseMutants } from "../tests/breaks/mutants.ts";
import { requireChromium } from "./browsers.mjs";
import { projectEnvironment, root } from "./project.mjs";

/** Of forty, so many at most may go unnoticed. */
const mostUnnoticed = { byHand: 2, mutants: 10 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  // Says which breaks there are.
  options: { list: { type: "boolean" } },
});
const all = [
  ...atTheJoints.map((one) => ({ ...one, kind: "byHand" as const })),
  ...(await chooseMutants(root)).map((one) => ({ ...one, kind: "mutants" as const })),
].map((one, index) => ({ ...one, number: index + 1 }));
const wanted = all.filter(
  ({ number, name, file }) =>
    positionals.length === 0 ||
    positionals.some((word) =>
      /^\d+$/.test(word) ? word === `${number}` : `${file} ${name}`.includes(word),
    ),
);
if (values.list) {
  for (const { number, file, name } of wanted) console.log(`${number}  ${file}: ${name}`);
  process.exit(0);
}

const copy = join(mkdtempSync(join(tmpdir(), "breaks-")), "copy");
const temporary = join(copy, "../tmp");
const environment = {
  ...projectEnvironment,
  PATH: projectEnvironment.PATH.replaceAll(root, copy),
  NODE_COMPILE_CACHE: join(copy, "node_modules/.cache/node"),
  NODE_ENV: "test",
  NO_COLOR: "1",
  CHROME_PATH: requireChromium(),
  TMPDIR: temporary,
};
/** What fails in the copy whatever is broken: it finds the break's text gone, or asks whether the build is of these sources. */
const ofTheCopy = ["tests/house/breaks.test.ts", "tests/processes/commands.test.ts"];
/** What asks something of every page, by request. */
const ofEveryPage = ["addresses", "files", "languages", "pages"].map(
  (name) => `tests/http/${name}.`,
);

makeCopy();
const builds = join(copy, ".builds");
/** The build of the code as it is. */
const intact = basename(readlinkSync(join(copy, "build")));
const unnoticed = { byHand: 0, mutants: 0 };
for (const one of wanted) {
  const started = Date.now();
  const by = notice(one);
  if (!by) unnoticed[one.kind] += 1;
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${one.number}  ${one.file}: ${one.name}\n    ${by ?? "nobody"} (${seconds} s)`);
}
rmSync(dirname(copy), { recursive: true });
for (const kind of ["byHand", "mutants"] as const) {
  const of = wanted.filter((one) => one.kind === kind).length;
  console.log(`${kind}: ${of - unnoticed[kind]} of ${of} noticed`);
  if (unnoticed[kind] > mostUnnoticed[kind]) process.exitCode = 1;
}

/** The project as it stands, with what is not committed; what is installed is linked. */
function makeCopy(): void {
  for (const folder of [copy, temporary]) mkdirSync(folder, { recursive: true });
  // Where PostgreSQL is started by root it runs as somebody who has no rights.
  chmodSync(dirname(copy), 0o755);
  for (const name of readdirSync(root)) {
    if (/^(?:\.git|\.builds|build.*|data|node_modules|test-results|screenshots)$/.test(name))
      continue;
    // With their times, by which the copy knows that what is installed fits.
    cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  for (const path of ofTheCopy) rmSync(join(copy, path));
  link(join(root, "node_modules"), join(copy, "node_modules"));
  run("react-router", ["typegen"]);
  const fault = askTypes() ?? askBuild();
  if (fault) throw new Error(`Something is wrong as it is: ${fault}`);
}

function link(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (/^\.(?:cache|vite.*)$/.test(entry.name)) continue;
    if (entry.isDirectory()) link(source, target);
    else if (entry.isSymbolicLink()) cpSync(source, target, { verbatimSymlinks: true });
    else linkSync(source, target);
  }
}

/** Makes the break, asks who notices it, and mends it. Who fails without it, too, has noticed nothing. */
function notice(one: Break): string | undefined {
  const file = join(copy, one.file);
  const whole = readFileSync(file, "utf8");
  for (const ask of questions(one)) {
    writeFileSync(file, breakText(one, whole));
    const by = ask();
    writeFileSync(file, whole);
    for (const name of readdirSync(builds)) {
      if (name !== intact) rmSync(join(builds, name), { recursive: true });
    }
    rmSync(join(copy, "build"));
    symlinkSync(join(".builds", intact), join(copy, "build"), "junction");
    const [only] = /\S+\.(?:test|spec)\.ts(?::\d+)?/.exec(by ?? "") ?? [];
    if (by && ask(only) === undefined) return by;
    if (by) console.log(`    (fails without the break, too: ${by})`);
  }
  return undefined;
}

function breakText({ name, find, put, at }: Break, whole: string): string {
  const start = at ?? whole.indexOf(find);
  if (start < 0 || (at === undefined && whole.includes(find, start + 1))) {
    throw new Error(`${name}: its text does not stand in the file exactly once.`);
  }
  return whole.slice(0, start) + put + whole.slice(start + find.length);
}

/** Asks tests for a failure: all of some kind, or only those of a file, whether they fail in a copy that is whole, too. */
type Question = (only?: string) => string | undefined;

function inTests(project: string, words: readonly string[]): Question {
  return (only) => askVitest(project, ["run", ...(only ? [only] : words)]);
}

/** Whom to ask: the tests that are named, else those beside the file, what is quick, and those of the same words. */
function questions({ file, near, onPostgres }: Break): Question[] {
  const named = near ?? wordsOf(file);
  const shown = /^(?:app|campus|campus-reader|vite)\//.test(file);
  const visiting = near?.filter((path) => path.startsWith("tests/browser")) ?? (shown ? named : []);
  const quick: Question[] = [
    (only) => askVitest("unit", only ? ["run", only] : ["related", "--run", file]),
    inTests("unit", ["tests/house/"]),
    ...(/\.tsx?$/.test(file) ? [askTypes] : []),
    ...(shown ? [() => askBuild()] : []),
  ];
  const everyPage = shown ? [built(inTests("site", ofEveryPage))] : [];
  const inBrowser = built((only) => askBrowser(only ? [only] : visiting));
  const visits = [
    built(inTests("site", named)),
    ...(near ? [] : everyPage),
    ...(visiting.length > 0 ? [inBrowser] : []),
    ...(onPostgres ? [inTests("postgres", named)] : []),
  ];
  return [
    inTests("unit", near ?? [`${dirname(file)}/`]),
    ...(near ? [...visits, ...quick, ...everyPage] : [...quick, ...visits]),
    ...(/^(?:campus-reader|vite)\//.test(file) ? [askOtherCampus] : []),
  ];
}

/** What a path is about, without its folders that are about everything. */
function wordsOf(path: string): string[] {
  const general =
    /^(?:app|browser|campus|http|page|pages|server|site|spec|test|tests|tsx?|ui|view|vite)$/;
  const words = path.split(/[^a-z]+/).map((word) => word.replace(/s$/, ""));
  return words.filter((word) => word.length > 2 && !general.test(word));
}

/** A name that is left over shows nothing: whoever breaks something by mistake tidies up behind it. */
function askTypes(): string | undefined {
  const leftOver = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
  const incremental = ["--incremental", "--tsBuildInfoFile", join(copy, "../types.tsbuildinfo")];
  const { failed, said } = run("tsc", [...leftOver, ...incremental]);
  return failed ? `types: ${said.split("\n")[0]}` : undefined;
}

function askBuild(other = {}): string | undefined {
  const build = 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())';
  const { failed, said } = run("node", ["-e", build], other);
  return failed ? `the build: ${findFault(said)}` : undefined;
}

/** Asks whom a build is served to. */
function built(ask: Question): Question {
  return (only) => askBuild() ?? ask(only);
}

function askVitest(project: string, words: string[], other = {}): string | undefined {
  const how = [`--project=${project}*`, "--bail=1", "--passWithNoTests"];
  const { failed, said } = run("vitest", [...words, ...how], other);
  return failed ? (/ FAIL +(.*)/.exec(said)?.[1] ?? findFault(said)) : undefined;
}

/** What never comes is not waited for as long as on a busy machine. */
function askBrowser(words: string[]): string | undefined {
  const how = ["-x", "--timeout=90000", "--reporter=line"];
  const { failed, said } = run("playwright", ["test", ...words, ...how]);
  if (!failed || said.includes("No tests found")) return undefined;
  return / 1\) (.*?)[─ ]*$/m.exec(said)?.[1] ?? findFault(said);
}

function askOtherCampus(): string | undefined {
  const kaltensee = { CAMPUS_DIR: "campus-examples/kaltensee", BUILD_DIR: "build-kaltensee" };
  const by = askBuild(kaltensee) ?? askVitest("campus", ["run"], kaltensee);
  return by && `${by} (kaltensee)`;
}

/** The first line of what a command said that tells of a fault, or its last one. */
function findFault(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim());
  return (
    lines.find((line) => /error|✗|failed/i.test(line) && !line.includes("/assets/")) ??
    lines.at(-1) ??
    "it ended"
  );
}

/** What hangs is noticed, too. */
function run(command: string, args: string[], other = {}): { failed: boolean; said: string } {
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { mode: 0o755 });
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: copy,
    env: { ...environment, ...other },
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    timeout: 5 * 60_000,
  });
  return { failed: status !== 0, said: error ? `${command} hung` : stdout + stderr };
}
