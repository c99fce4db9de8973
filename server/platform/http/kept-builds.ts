import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Creates a function that finds the build that contains a file, by the file's URL path. The
 * function returns that build's client folder. After an update, cached pages and open browsers
 * request files of the previous build. While servers restart, browsers may request files of the
 * next build.
 * @param clientDir folder of this server's files for browsers
 */
export function createBuildFinder(clientDir: string): (path: string) => string | undefined {
  const builds = dirname(dirname(clientDir));
  // A build outside of `.builds`, such as in an image, has no previous or next build.
  if (basename(builds) !== ".builds") return () => undefined;
  const files = new Map<string, Set<string>>();
  return (path) =>
    readdirSync(builds)
      .filter((name) => existsSync(join(builds, name, ".built")))
      .map((name) => join(builds, name, "client"))
      .find((folder) => files.getOrInsertComputed(folder, listFiles).has(path));
}

/** Returns the URL paths of a complete build's files, which never change. */
function listFiles(clientDir: string): Set<string> {
  const paths = ["assets", "art"].flatMap((folder) =>
    readdirSync(join(clientDir, folder), { recursive: true }).map((name) => `/${folder}/${name}`),
  );
  return new Set(paths);
}
