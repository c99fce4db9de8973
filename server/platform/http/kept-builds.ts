import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Creates a function that finds the build, other than this server's, that has a file for browsers,
 * by the file's URL path. After an update, a page that a cache or a browser still holds asks for
 * files of the former build; while servers restart, one of them is asked for files of the next.
 * @param clientDir this server's folder of files for browsers
 */
export function createBuildFinder(clientDir: string): (path: string) => string | undefined {
  const builds = dirname(dirname(clientDir));
  // Outside of the folder that `npm run build` makes, such as in an image, there is one build.
  if (basename(builds) !== ".builds") return () => undefined;
  const files = new Map<string, Set<string>>();
  return (path) =>
    readdirSync(builds)
      .filter((name) => existsSync(join(builds, name, ".built")))
      .map((name) => join(builds, name, "client"))
      .find((folder) => files.getOrInsertComputed(folder, listFiles).has(path));
}

/** Lists a complete build's files, which never change, by URL path. */
function listFiles(clientDir: string): Set<string> {
  const paths = ["assets", "art"].flatMap((folder) =>
    readdirSync(join(clientDir, folder), { recursive: true }).map((name) => `/${folder}/${name}`),
  );
  return new Set(paths);
}
