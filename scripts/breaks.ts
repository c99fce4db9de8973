// Breaks the code on purpose, one break at a time in a copy of the project, and says which test noticed it first: 40 mutants
// chosen by a fixed seed and 40 at the joints, written by hand (tests/breaks, decision 0131).
// The nearest tests are asked, by what they import and by the words of their path; `--whole` asks all the others, too.
// npm run test:deep -- breaks [WORD ...] [--list] [--from N] [--in FOLDER] [--whole]
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
import { type Import, importsOf, listFiles, readSources } from "../tests/harness/sources.ts";
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
    /** Where none of the nearest tests notices anything, all the others are asked. */
    whole: { type: "boolean" },
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

/** What asks something of every page, by request, and what visits all of them in a browser, which takes minutes. */
const ofEveryPage = /^tests\/http\/(?:addresses|files|languages|pages)\./;
const visitsAll = /\/every-/;
/** What fails in the copy whatever is broken: it finds the break's text gone, or asks whether the build is of these sources. */
const ofTheCopy = ["tests/house/breaks.test.ts", "tests/processes/commands.test.ts"];

const imports = listImports();
const built = listBuilt();
const tests = listTests();
const builds = join(copy, ".builds");
await makeCopy();
const refused = await findRefused(wanted);
const impossible = refused.filter(({ kind }) => kind === "byHand").map(({ name }) => name);
if (impossible.length > 0) {
  throw new Error(
    `The compiler refuses these, so that they break nothing: ${impossible.join("; ")}`,
  );
}
const suspects = new Set(refused.map(({ file }) => file));
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

/** Who takes what from whom, tests and their harness among them; types are the compiler's. */
function listImports(): Import[] {
  return ["app", "campus-reader", "examples", "scripts", "server", "tests", "vite"]
    .flatMap((folder) => listFiles(join(root, folder)))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file))
    .map((file) => ({ path: toPath(file), text: readFileSync(file, "utf8") }))
    .flatMap(importsOf)
    .filter(({ typeOnly }) => !typeOnly);
}

/** What becomes part of a build. The rest of the server runs beside it, from its sources. */
function listBuilt(): Set<string> {
  const found = new Set<string>();
  const follow = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { to } of imports.filter(({ from }) => from === path)) follow(to);
  };
  for (const { path } of readSources("app", "campus-reader", "vite")) {
    // What starts the development server, which takes in all of it.
    if (path !== "vite/development.ts") follow(path);
  }
  return found;
}

function listTests(): Test[] {
  return ["app", "campus-reader", "scripts", "server", "tests", "vite"]
    .flatMap((folder) => listFiles(join(root, folder)).map(toPath))
    .filter((path) => /\.(?:test|spec)\.tsx?$/.test(path) && !ofTheCopy.includes(path))
    .map((path) => ({ path, project: projectOf(path) }));
}

function toPath(file: string): string {
  return relative(root, file).replaceAll("\\", "/");
}

/**
 * The tests of a file, the nearest first: by how many steps of imports lead from the test to the file, and by the words that
 * their paths share. One that does neither is none of them.
 */
function sortByNearness(file: string): Test[] {
  const steps = new Map([[file, 0]]);
  for (const [path, step] of steps) {
    for (const { from } of imports.filter(({ to }) => to === path)) {
      if (!steps.has(from)) steps.set(from, step + 1);
    }
  }
  const words = wordsOf(file);
  return tests
    .map((test) => {
      const shared = wordsOf(test.path).intersection(words).size;
      const distance = steps.get(test.path) ?? (shared > 0 ? 9 : Number.POSITIVE_INFINITY);
      return { ...test, distance: distance - 3 * shared };
    })
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.distance - other.distance);
}

/** What a path is about, without its folders that are about everything. */
function wordsOf(path: string): Set<string> {
  const general =
    /^(?:app|browser|campus|http|page|pages|server|site|spec|test|tests|tsx?|ui|view|vite)$/;
  const words = path.split(/[^a-z]+/).map((word) => word.replace(/s$/, ""));
  return new Set(words.filter((word) => word !== "" && !general.test(word)));
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
  const named = tests.filter(({ path }) => one.near?.some((part) => path.includes(part)));
  const near = sortByNearness(one.file);
  const code = /\.(?:tsx?|js)$/.test(one.file);
  const isShown = /^(?:app|campus(?:-reader)?|vite)\//.test(one.file);
  const isOfPostgres = one.onPostgres ?? one.file.includes("postgres");
  const asked = new Set<string>();
  const ask = (project: string, some: readonly Test[], atMost = some.length) => {
    const files = some
      .filter((test) => test.project === project && !asked.has(test.path))
      .slice(0, atMost)
      .map(({ path }) => path);
    for (const file of files) asked.add(file);
    if (files.length === 0) return undefined;
    return project === "browser" ? askBrowser(files) : askVitest(project, ["run", ...files]);
  };
  const questions = [
    suspects.has(one.file) && (() => askTypes()),
    () => ask("unit", named),
    !named.some(({ project }) => project !== "unit") && (() => ask("unit", near, 6)),
    built.has(one.file) && (() => askBuild()),
    () => ask("site", named),
    () => ask("browser", named),
    isOfPostgres && (() => ask("postgres", named)),
    () => ask("unit", near, 30),
    () =>
      ask(
        "unit",
        tests.filter(({ path }) => path.startsWith("tests/house/")),
      ),
    () => ask("site", near, 12),
    isShown &&
      (() =>
        ask(
          "site",
          tests.filter(({ path }) => ofEveryPage.test(path)),
        )),
    isOfPostgres && (() => ask("postgres", tests)),
    isShown &&
      (() =>
        ask(
          "browser",
          near.filter(({ path }) => !visitsAll.test(path)),
          2,
        )),
    code && !suspects.has(one.file) && (() => askTypes()),
    isShown && !one.file.startsWith("app/") && (() => askOtherCampus()),
    ...(values.whole ? ["unit", "site", "browser"] : []).map(
      (project) => () => ask(project, tests),
    ),
    values.whole && isOfPostgres && (() => askVitest("on-postgres", ["run"])),
  ];
  for (const question of questions) {
    const noticed = question && (await question());
    if (noticed) return noticed;
  }
  return undefined;
}

/**
 * Those that the compiler may refuse, by the mistakes in their own file: one of each file is made at a time, of all files at
 * once. Of a mutant it is asked again, alone; by hand nobody breaks anything that way.
 */
async function findRefused<One extends Break>(breaks: readonly One[]): Promise<One[]> {
  const ofFiles = [...Map.groupBy(breaks, ({ file }) => file).values()];
  const refused: One[] = [];
  for (let turn = 0; ofFiles.some((ofFile) => turn < ofFile.length); turn++) {
    const made = ofFiles.flatMap((ofFile) => ofFile[turn] ?? []);
    const whole = made.map(({ file }) => readFileSync(join(copy, file), "utf8"));
    for (const [place, one] of made.entries()) {
      writeFileSync(join(copy, one.file), breakText(one, whole[place] ?? ""));
    }
    const { said } = await run("tsc", types);
    for (const [place, { file }] of made.entries())
      writeFileSync(join(copy, file), whole[place] ?? "");
    refused.push(...made.filter(({ file }) => said.includes(`${file}(`)));
  }
  return refused;
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

type Test = { path: string; project: string };
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
  const end = setTimeout(() => process.kill(-Number(child.pid)), 15 * 60_000);
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
