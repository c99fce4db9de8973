import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Creates a function that finds, by a file's URL path, the build that has the file, unless that is
 * this server's own build. After an update, a page in a cache or an open browser asks for files of
 * the former build. While servers restart, a server may be asked for files of the next build.
 * @param clientDir this server's folder of files for browsers
 */
export function createBuildFinder(clientDir: string): (path: string) => string | undefined {
  const builds = dirname(dirname(clientDir));
  // Outside the folder that `npm run build` makes, such as in an image, there is only one build.
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
