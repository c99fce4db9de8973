/**
 * npm run weight: what the project weighs, each number beside its limit; ends with 1 where one is above.
 * `-- functions` names what is long, circular or knows of a hold, `-- walks` every step of two walks through the code, and
 * `-- statements` enters what this version asks the database.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "yaml";
import { root } from "../tests/harness/campus.ts";
import { folders, listFiles } from "../tests/harness/sources.ts";
import { fileCircles, holdReaders, longFunctions } from "./shape.ts";
import { measureWalks } from "./walks.ts";

/** Everything that is weighed; lines are all of a file's, blank ones and comments among them, and those of scripts count as TypeScript's. */
export function weigh() {
  const files = listOwnFiles();
  const typescript = files.filter((file) => /\.(?:tsx?|[cm]?js)$/.test(file));
  const isTest = (file: string) => /^tests\/|\.(?:test|fixture)\.tsx?$/.test(file);
  const isDesk = (file: string) =>
    /^(?:app\/pages\/operator|server\/(?:operator-desk|sign-in|operators))\//.test(file) &&
    /\.(?:tsx?|js|css)$/.test(file) &&
    !isTest(file);
  const styles = files.filter((file) => file.endsWith(".css"));
  const decisions = files.filter((file) => /^docs\/decisions\/\d.*\.md$/.test(file));
  const filesOn = (walk: object) =>
    new Set(Object.keys(walk).map((called) => called.split(" ")[0]));
  const desk = parse(read("words/en/operator.yaml")) as unknown;
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  return [
    { what: "lines of TypeScript", is: lines(typescript), limit: 68_000 },
    {
      what: "lines of TypeScript outside tests",
      is: lines(typescript.filter((file) => !isTest(file))),
      limit: 43_000,
    },
    {
      what: "lines of tests and their harness",
      is: lines(typescript.filter(isTest)),
      limit: 26_000,
    },
    { what: "lines of CSS", is: lines(styles), limit: 6_500 },
    { what: "widths of the window for styles", is: countWidths(styles), limit: 4 },
    { what: "lines of the desk", is: lines(files.filter(isDesk)), limit: 6_000 },
    { what: "English words of the desk", is: countWords(desk), limit: 2_000 },
    { what: "functions over 60 lines", is: longFunctions().length, limit: 30 },
    { what: "circles between files", is: fileCircles().length, limit: 0 },
    { what: "files that know of a hold", is: holdReaders().length, limit: 20 },
    ...Object.entries(measureWalks()).flatMap(([name, walk]) => [
      { what: `files from ${name}`, is: filesOn(walk).size, limit: 30 },
      { what: `functions from ${name}`, is: Object.keys(walk).length, limit: 45 },
    ]),
    { what: "decisions", is: decisions.length, limit: 40 },
    { what: "words in decisions", is: words(decisions.map(read).join("\n")), limit: 15_000 },
    { what: "npm scripts", is: Object.keys(scripts).length, limit: 12 },
    { what: "MB installed for npm start", is: measureInstalled(), limit: 350 },
  ];
}

/** Every file of the project's own, as `app/routes.ts`. */
function listOwnFiles(): string[] {
  const configurations = readdirSync(root).filter((file) => file.endsWith(".config.ts"));
  return folders
    .flatMap((folder) => listFiles(join(root, folder)))
    .map((file) => relative(root, file).replaceAll("\\", "/"))
    .concat(configurations);
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function lines(files: readonly string[]): number {
  return files.map((file) => read(file).split("\n").length - 1).reduce((sum, one) => sum + one, 0);
}

function words(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/** The widths of the window, in rem, that media queries tell apart; a container's width is its own matter. */
function countWidths(styles: readonly string[]): number {
  const queries =
    styles
      .map(read)
      .join("\n")
      .match(/@media[^{]*/g) ?? [];
  return new Set(queries.join("\n").match(/(?<=width [<>]=? )[\d.]+|[\d.]+(?=rem <=? width)/g))
    .size;
}

/** The words that are read: of texts, not of the names that lead to them. */
function countWords(value: unknown): number {
  if (typeof value === "string") return words(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + countWords(one), 0);
}

/** Megabytes (2^20 bytes) of the packages that are not for tests alone, of this kind of machine. */
function measureInstalled(): number {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const folders = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
  // A package of another kind of machine is not there, and one within another is counted with it.
  const bytes = folders
    .filter(([path]) => path.lastIndexOf("node_modules/") === 0 && existsSync(join(root, path)))
    .flatMap(([path]) => listFiles(join(root, path)))
    .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
  return Math.ceil(bytes / 2 ** 20);
}

if (import.meta.main) {
  const show = (number: number) => number.toLocaleString("en").padStart(8);
  console.log("      is    limit");
  const weights = weigh();
  for (const { what, is, limit } of weights) {
    console.log(`${show(is)} ${show(limit)}  ${what}`);
  }
  process.exitCode = weights.some(({ is, limit }) => is > limit) ? 1 : 0;
}
