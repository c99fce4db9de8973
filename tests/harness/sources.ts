import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./campus.ts";

/** A source file. The path is relative to the project root, such as `server/app.ts`. */
export type Source = { path: string; text: string };

/** Reads the source files in these folders, except tests and fixtures. */
export function readSources(...folders: string[]): Source[] {
  return globSync(`{${folders.join(",")}}/**/*.{ts,tsx}`, { cwd: root })
    .filter((path) => !/\.(?:test|fixture)\.ts$/.test(path))
    .map((path) => ({
      path: path.replaceAll("\\", "/"),
      text: readFileSync(join(root, path), "utf8"),
    }));
}
