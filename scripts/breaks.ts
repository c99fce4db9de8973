// Breaks the code on purpose, one break at a time in a copy of the project, and says which test noticed it first: 40 mutants
// chosen by a fixed seed and 40 at the joints, written by hand (tests/breaks, decision 0131).
// npm run test:deep -- breaks [WORD ...] [--list] [--from N] [--in FOLDER] [--quick]
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
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
import { basename, dirname, join, matchesGlob, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { atTheJoints } from "../tests/breaks/at-the-joints.ts";
import { type Break, chooseMutants } from "../tests/breaks/mutants.ts";
import { importsOf, readSources } from "../tests/harness/sources.ts";
import { vitestProjects } from "../vitest.config.ts";
import { requireChromium } from "./browsers.mjs";
import { projectEnvironment, root } from "./project.mjs";

/** So many must be noticed. */
const least = { byHand: 38, mutants: 30 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Says which breaks there are. */
    list: { type: "boolean" },
    /** The number of the first. */
    from: { type: "string", default: "1" },
    /** A folder for the copy that stays, with what was found: a later run goes on with it. */
    in: { type: "string" },
    /** Of the browser tests those alone that a break names. */
    quick: { type: "boolean" },
  },
});

/** `fails` where the test that noticed it fails without the break, too. */
type Found = { name: string; noticedBy: string; seconds: number; fails?: boolean };
const nobody = "nobody";

const mutants = chooseMutants(root).map((mutant) => ({ ...mutant, kind: "mutants" as const }));
const byHand = atTheJoints.map((one) => ({ ...one, kind: "byHand" as const }));
const all = [...byHand, ...mutants].map((one, index) => ({ ...one, number: index + 1 }));
const wanted = all.filter(
  ({ number, name, file }) =>
    number >= Number(values.from) &&
    (positionals.length === 0 ||
      positionals.some((word) =>
        /^\d+$/.test(word) ? Number(word) === number : `${file} ${name}`.includes(word),
      )),
);
if (values.list) {
  for (const { number, file, name } of wanted) console.log(`${number}  ${file}: ${name}`);
  process.exit(0);
}

const copy = resolve(values.in ?? mkdtempSync(join(tmpdir(), "breaks-")), "copy");
const temporary = join(copy, "../tmp");
const results = join(copy, "../found.json");
const found: Record<string, Found> = existsSync(results)
  ? JSON.parse(readFileSync(results, "utf8"))
  : {};
const environment = {
  ...projectEnvironment,
  PATH: projectEnvironment.PATH.replaceAll(root, copy),
  NODE_COMPILE_CACHE: join(copy, "node_modules/.cache/node"),
  NODE_ENV: "test",
  TMPDIR: temporary,
};
const heard = join(temporary, "heard.json");
/** A name that is left over shows nothing: whoever breaks something by mistake tidies up behind it. */
const types = [
  ...["--noUnusedLocals", "false", "--noUnusedParameters", "false"],
  ...["--incremental", "--tsBuildInfoFile", join(copy, "../types.tsbuildinfo")],
];

const built = listBuilt();
const builds = join(copy, ".builds");
await makeCopy();
/** The build of the code as it is. */
const intact = basename(readlinkSync(join(copy, "build")));
for (const one of wanted) {
  const started = Date.now();
  const noticedBy = (await notice(one)) ?? nobody;
  const seconds = Math.round((Date.now() - started) / 1000);
  found[one.name] = { name: one.name, noticedBy, seconds };
  writeFileSync(results, JSON.stringify(found, undefined, 2));
  console.log(`${one.number}  ${one.name}\n    ${noticedBy} (${seconds} s)`);
}
await askWitnesses();
const ended = summarize();
if (!values.in) rmSync(dirname(copy), { recursive: true });
process.exit(ended);

/** The project as it stands, with what is not committed; what is installed is linked. */
async function makeCopy(): Promise<void> {
  for (const folder of [copy, temporary]) mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(copy)) {
    if (name !== "node_modules") rmSync(join(copy, name), { recursive: true });
  }
  for (const name of readdirSync(root)) {
    if (/^(?:\.git|\.builds|build.*|data|node_modules|test-results|screenshots)$/.test(name))
      continue;
    // With their times, by which the copy knows that what is installed fits.
    cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
  }
  // It would find every break by its text.
  rmSync(join(copy, "tests/house/breaks.test.ts"));
  const installed = join(copy, "node_modules");
  if (!existsSync(installed)) link(join(root, "node_modules"), installed);
  await run("react-router", ["typegen"]);
  const { code, said } = await run("tsc", types);
  if (code !== 0) throw new Error(`There are mistakes in the types as they are.\n${said}`);
  if (await askBuild()) throw new Error("It cannot be built as it is.");
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

/** Makes the break, asks who notices it, and mends it. */
async function notice(one: Break): Promise<string | undefined> {
  const file = join(copy, one.file);
  const whole = readFileSync(file, "utf8");
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o755 });
  try {
    writeFileSync(file, breakText(one, whole));
    return await askInTurn(one);
  } finally {
    writeFileSync(file, whole);
    for (const name of readdirSync(builds)) {
      if (name !== intact) rmSync(join(builds, name), { recursive: true });
    }
    rmSync(join(copy, "build"));
    symlinkSync(join(".builds", intact), join(copy, "build"), "junction");
  }
}

/** What becomes part of a build. The rest of the server runs beside it, from its sources. */
function listBuilt(): Set<string> {
  const imports = readSources("app", "campus", "server", "vite")
    .flatMap(importsOf)
    .filter(({ typeOnly }) => !typeOnly);
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { to } of imports.filter(({ from }) => from === path)) follow(to);
  };
  for (const { path } of readSources("app", "campus", "vite")) {
    // What starts the development server, which takes in all of it.
    if (path !== "vite/development.ts") follow(path);
  }
  return found;
}

function breakText({ name, find, put, at }: Break, whole: string): string {
  const start = at ?? whole.indexOf(find);
  if (start < 0 || (at === undefined && whole.includes(find, start + 1))) {
    throw new Error(`${name}: its text does not stand in the file exactly once.`);
  }
  return whole.slice(0, start) + put + whole.slice(start + find.length);
}

/** What is asked, the soonest answer first. Each is undefined where nothing is noticed. */
async function askInTurn(one: Break): Promise<string | undefined> {
  const near = one.near ?? [];
  const nearIn = (project: string) => near.filter((path) => projectOf(path) === project);
  const [units, sites, onPostgres, browsers] = [
    nearIn("unit"),
    nearIn("site"),
    nearIn("postgres"),
    nearIn("browser"),
  ];
  const related = ["related", "--run", one.file];
  const code = /\.(?:ts|tsx|js)$/.test(one.file);
  const questions = [
    code && (() => askTypes()),
    units.length > 0 && (() => askVitest("unit", ["run", ...units])),
    code && sites.length + browsers.length === 0 && (() => askVitest("unit", related)),
    built.has(one.file) && (() => askBuild()),
    sites.length > 0 && (() => askVitest("site", ["run", ...sites])),
    browsers.length > 0 && (() => askBrowser(browsers)),
    () => askVitest("unit", ["run"]),
    code && (() => askVitest("site", related)),
    () => askVitest("site", ["run"]),
    one.onPostgres &&
      onPostgres.length > 0 &&
      (() => askVitest("postgres", ["run", ...onPostgres])),
    one.onPostgres && (() => askVitest("postgres", ["run"])),
    one.onPostgres && (() => askVitest("on-postgres", ["run"])),
    () => askOtherCampus(),
    !values.quick && (() => askBrowser([])),
  ];
  for (const ask of questions) {
    const noticed = ask && (await ask());
    if (noticed) return noticed;
  }
  return undefined;
}

async function askTypes(): Promise<string | undefined> {
  const { code, said } = await run("tsc", types);
  return code === 0 ? undefined : `types: ${said.split("\n")[0]}`;
}

async function askBuild(other = {}): Promise<string | undefined> {
  const build = 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())';
  const { code, said } = await run("node", ["-e", build], other);
  return code === 0 ? undefined : `the build: ${findFault(said)}`;
}

async function askVitest(
  project: string,
  words: string[],
  other = {},
): Promise<string | undefined> {
  rmSync(heard, { force: true });
  const { code, said } = await run(
    "vitest",
    [
      ...words,
      `--project=${project}*`,
      "--bail=1",
      "--passWithNoTests",
      "--reporter=json",
      `--outputFile=${heard}`,
    ],
    other,
  );
  if (code === 0) return undefined;
  const files: VitestFile[] = readHeard().testResults ?? [];
  const failed = files
    .flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName }) => ({ name, title: fullName })),
    )
    // A file that was not read to its end; beside a test that failed it was only cut off.
    .concat(
      files
        .filter(({ status }) => status === "failed")
        .map(({ name }) => ({ name, title: "the whole file" })),
    )
    .at(0);
  return failed
    ? `${relative(copy, failed.name)}: ${failed.title}`
    : `${project} tests: ${findFault(said)}`;
}

async function askOtherCampus(): Promise<string | undefined> {
  const kaltensee = { CAMPUS_DIR: "campus-examples/kaltensee", BUILD_DIR: "build-kaltensee" };
  return (
    (await askBuild(kaltensee)) ??
    (await askVitest("campus", ["run"], kaltensee).then((by) => by && `${by} (kaltensee)`))
  );
}

async function askBrowser(files: string[]): Promise<string | undefined> {
  const { code, said } = await run("playwright", ["test", ...files, "-x", "--reporter=json"], {
    CHROME_PATH: requireChromium(),
    PLAYWRIGHT_JSON_OUTPUT_FILE: heard,
  });
  if (code === 0 || /No tests found/.test(said)) return undefined;
  const specs = (suite: Suite): Spec[] => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specs),
  ];
  const failed = specs(readHeard()).find(({ tests }) =>
    tests.some(({ status }) => status === "unexpected"),
  );
  return failed ? `tests/browser/${failed.file}: ${failed.title}` : `browser: ${findFault(said)}`;
}

type VitestFile = {
  name: string;
  status: string;
  assertionResults: { status: string; fullName: string }[];
};
type Spec = { title: string; file: string; tests: { status: string }[] };
type Suite = { suites?: Suite[]; specs?: Spec[] };

function readHeard() {
  return existsSync(heard) ? JSON.parse(readFileSync(heard, "utf8")) : {};
}

/** The first line of what a command said that tells of a fault, or its last one. */
function findFault(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim());
  return lines.find((line) => /error|✗|failed/i.test(line)) ?? lines.at(-1) ?? "it ended";
}

/** What hangs is noticed, too. */
async function run(command: string, args: string[], other = {}) {
  const child = spawn(command, args, {
    cwd: copy,
    env: { ...environment, ...other },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => said.push(text));
  const end = setTimeout(() => process.kill(-Number(child.pid)), 25 * 60_000);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearTimeout(end);
  return { code, said: said.join("") };
}

/** A test that fails without a break notices nothing: those that noticed something are run once on the code as it is. */
async function askWitnesses(): Promise<void> {
  const witnesses = Object.values(found).flatMap((one) => {
    const [, file] = /^(\S+\.(?:test|spec)\.tsx?): /.exec(one.noticedBy) ?? [];
    return file === undefined || one.fails !== undefined ? [] : [{ one, file }];
  });
  for (const file of new Set(witnesses.map((witness) => witness.file))) {
    const project = projectOf(file);
    const fails =
      project === "browser" ? await askBrowser([file]) : await askVitest(project, ["run", file]);
    for (const { one } of witnesses.filter((witness) => witness.file === file)) {
      one.fails = one.noticedBy === fails;
    }
  }
  writeFileSync(results, JSON.stringify(found, undefined, 2));
}

/** The first of Vitest's projects with such a test, by a path or what a path begins with; what none has is Playwright's. */
function projectOf(path: string): string {
  const file = path.includes(".test.") ? path : `${path}any.test.ts`;
  const found = vitestProjects.find(({ include = [] }) =>
    include.some((glob) => matchesGlob(file, glob)),
  );
  return found?.name ?? "browser";
}

function summarize(): number {
  const known = all.flatMap((one) => {
    const told = found[one.name];
    return told ? [{ ...one, ...told }] : [];
  });
  let enough = true;
  for (const kind of ["byHand", "mutants"] as const) {
    const own = known.filter((one) => one.kind === kind);
    const noticed = own.filter(({ noticedBy, fails }) => noticedBy !== nobody && !fails);
    const title = kind === "byHand" ? "By hand" : "Mutants";
    console.log(`\n${title}: ${noticed.length} of ${own.length} noticed.`);
    for (const { number, name, seconds, noticedBy, fails } of own) {
      const by = fails ? `nobody: without it, too, this fails: ${noticedBy}` : noticedBy;
      console.log(
        `${String(number).padStart(4)}  ${name}\n${String(seconds).padStart(6)} s  ${by}`,
      );
    }
    for (const one of own.filter((one) => !noticed.includes(one))) {
      console.log(`Nobody noticed ${one.number}: ${one.file}, ${one.name}`);
    }
    enough &&= own.length - noticed.length <= 40 - least[kind];
  }
  return enough ? 0 : 1;
}
