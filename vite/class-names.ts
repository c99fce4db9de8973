import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const first = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const rest = `${first}0123456789`;

/**
 * Creates names for the classes of all CSS Modules: two letters each, because every page sends them
 * in its markup and its styles. The same sources always give the same names, in every environment
 * of the build.
 */
export function createClassNames(root: string): (name: string, file: string) => string {
  const keys = globSync("app/**/*.module.css", { cwd: root })
    .sort()
    .flatMap((path) => {
      const css = readFileSync(join(root, path), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      const names = [...css.matchAll(/\.([a-zA-Z_][\w-]*)|@keyframes\s+([\w-]+)/g)];
      return [...new Set(names.map((match) => match[1] ?? match[2]))].map(
        (name) => `${join(root, path)} ${name}`,
      );
    });
  const shortNames = new Map(keys.map((key, index) => [key, shortName(index)]));
  return (name, file) => {
    const short = shortNames.get(`${file.split("?")[0]} ${name}`);
    if (short === undefined) throw new Error(`${file}: the class "${name}" has no short name`);
    return short;
  };
}

function shortName(index: number): string {
  if (index >= first.length * rest.length) throw new Error("There are more classes than names");
  return `${first[Math.floor(index / rest.length)]}${rest[index % rest.length]}`;
}
