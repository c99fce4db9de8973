import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../harness/campus.ts";

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();

/**
 * Finds the commit of the last release: the newest commit that changed the version and whose server
 * differs from the current one.
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

/** Clones a release into a folder, then installs and builds it as its README says. */
export function buildRelease(folder: string, commit: string): void {
  git("clone", "--quiet", "--shared", "--no-checkout", root, folder);
  execFileSync("git", ["checkout", "--quiet", commit], { cwd: folder });
  const { PATH, HOME, TMPDIR } = process.env;
  // Runs as if from a terminal, without the environment variables of this test run.
  const env = { PATH, HOME, TMPDIR, npm_config_update_notifier: "false" };
  const built = spawnSync("npm", ["run", "build"], { cwd: folder, env, encoding: "utf8" });
  if (built.status !== 0)
    throw new Error(`The release cannot be built: ${built.stdout}${built.stderr}`);
}

/** Settings that start a release's server instead of the current one. */
export const settingsOfRelease = (folder: string) => ({
  CAMPUS_DIR: join(folder, "campus"),
  BUILD_DIR: join(folder, "build"),
});
