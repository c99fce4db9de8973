import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../harness/campus.ts";

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();

/**
 * Finds the commit of the last release: the newest commit that changed the version and has
 * different code in server/ or app/ from the current one.
 */
export function findLastRelease(): { commit: string; version: string } {
  const changed = git("log", "--format=%H", '-G"version":', "--", "package.json").split("\n");
  const isOther = (commit: string) =>
    commit !== "" &&
    spawnSync("git", ["diff", "--quiet", commit, "--", "server", "app"], { cwd: root }).status ===
      1;
  const commit = changed.find(isOther);
  if (!commit) throw new Error("The repository's history has no release. Fetch the whole history.");
  return { commit, version: JSON.parse(git("show", `${commit}:package.json`)).version };
}

/** Clones a release into a folder and builds it as its README describes. */
export function buildRelease(folder: string, commit: string): void {
  git("clone", "--quiet", "--shared", "--no-checkout", root, folder);
  execFileSync("git", ["checkout", "--quiet", commit], { cwd: folder });
  const { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS } = process.env;
  // Omits this test run's environment variables, as in a user's terminal, but keeps the authority
  // that npm may need to reach its registry.
  const env = { PATH, HOME, TMPDIR, NODE_EXTRA_CA_CERTS, npm_config_update_notifier: "false" };
  const built = spawnSync("npm", ["run", "build"], { cwd: folder, env, encoding: "utf8" });
  if (built.status !== 0)
    throw new Error(`The release cannot be built: ${built.stdout}${built.stderr}`);
}

/** Settings for running a release's server. */
export const settingsOfRelease = (folder: string) => ({
  CAMPUS_DIR: join(folder, "campus"),
  BUILD_DIR: join(folder, "build"),
});
