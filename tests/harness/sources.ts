import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./campus.ts";

/** A file of the project, with its address from the project's folder, such as `server/app.ts`. */
export type Source = { path: string; text: string };

/** Where the project's own files are; what else is in its folder comes from git, npm or a run. */
export const folders =
  "app bench campus campus-examples campus-reader docs examples scripts server tests vite".split(
    " ",
  );

const tested = /\.(test|fixture)\.ts$/;

/** Every text file below these folders that is part of the product: no tests. */
export function readSources(...folders: string[]): Source[] {
  return folders
    .flatMap((folder) => listFiles(join(root, folder)))
    .map((file) => ({ file, path: relative(root, file).replaceAll("\\", "/") }))
    .filter(({ path }) => /\.(tsx?|m?js|css|ya?ml|md|json)$/.test(path) && !tested.test(path))
    .map(({ file, path }) => ({ path, text: readFileSync(file, "utf8") }));
}

export type Import = { from: string; to: string; typeOnly: boolean };

/** What a file takes from other files of the project. Packages and virtual modules are left out. */
export function importsOf({ path, text }: Source): Import[] {
  const statements = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^"';]*?\sfrom\s+)?"(\.[^"]+)"|import\(\s*"(\.[^"]+)"/g,
  );
  return [...statements].map((match) => {
    const names = /\{([^}]*)\}/.exec(match[2] ?? "")?.[1];
    const allTypes = names
      ?.split(",")
      .filter((name) => name.trim())
      .every((name) => name.trim().startsWith("type "));
    const before = text.slice(Math.max(0, (match.index ?? 0) - 8), match.index);
    return {
      from: path,
      to: join(dirname(path), match[3] ?? match[4] ?? "")
        .replaceAll("\\", "/")
        .replace(/\?\w+$/, ""),
      typeOnly: Boolean(match[1] || allTypes || /typeof\s$/.test(before)),
    };
  });
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
