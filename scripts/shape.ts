/**
 * The shape of the code outside tests, as `npm run weight` counts it: functions over 60 lines, circles between files, and
 * files that know of a request's hold, the fact by which the owners of an act are counted. `npm run weight -- functions` names all.
 */
import { parseSync, Visitor } from "vite";
import { findCircles } from "../tests/harness/rooms.ts";
import { folders, importsOf, readSources } from "../tests/harness/sources.ts";

const sources = readSources(...folders.filter((folder) => folder !== "tests")).filter(({ path }) =>
  /\.tsx?$/.test(path),
);

type LongFunction = { lines: number; path: string; name: string };

/** Every function, also one within another, of more than 60 lines from its first to its last, the longest first. */
export function longFunctions(): LongFunction[] {
  const found = sources.flatMap(({ path, text }) => {
    const { program } = parseSync(path, text);
    const functions: LongFunction[] = [];
    let name = "";
    const measure = (node: { start: number; end: number; id?: { name: string } | null }) => {
      const lines = text.slice(node.start, node.end).split("\n").length;
      if (lines > 60) functions.push({ lines, path, name: node.id?.name ?? name });
    };
    new Visitor({
      VariableDeclarator({ id }) {
        if (id.type === "Identifier") name = id.name;
      },
      Property({ key }) {
        if (key.type === "Identifier") name = key.name;
      },
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    }).visit(program);
    return functions;
  });
  return found.sort((one, other) => other.lines - one.lines);
}

/** Files that take from one another, types counted as well. */
export function fileCircles(): string[][] {
  return findCircles(
    new Map(sources.map((source) => [source.path, importsOf(source).map(({ to }) => to)])),
  );
}

/** The hold of a request: as a word of the code, as a field, or as its reason. That of a restored copy is another. */
const hold = /"(?:hold|held|release)"|\.hold\b|\bhold(?=[?:,]| [=}])|\b[hH]oldReasons?\b/;

/** Files of the product whose code, comments aside, says something of a hold. */
export function holdReaders(): string[] {
  const withoutComments = (text: string) =>
    text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/ .*$/gm, "");
  return sources
    .filter(
      ({ path, text }) => !/^(?:bench|scripts)\//.test(path) && hold.test(withoutComments(text)),
    )
    .map(({ path }) => path);
}

if (import.meta.main) {
  const shape = {
    "functions over 60 lines": longFunctions().map((one) => Object.values(one).join("  ")),
    "circles between files": fileCircles().map((circle) => circle.join("  ")),
    "files that know of a hold": holdReaders(),
  };
  for (const [what, found] of Object.entries(shape)) {
    console.log([`${found.length} ${what}`, ...found].join("\n  "));
  }
}
