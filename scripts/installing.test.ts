import { execSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root, whichPackages } from "./project.mjs";

/** Older versions of npm ignore `--dry-run` in `npm ci` and delete the installed packages. */
const hasDryRun = Number.parseInt(execSync("npm --version", { encoding: "utf8" }), 10) >= 11;

test.runIf(hasDryRun).each([true, false])(
  "installs the packaged Node even if npm is set to omit optional packages (with test tools: %s)",
  (withTools) => {
    const npm = spawnSync("npm", ["ci", ...whichPackages(withTools), "--dry-run", "--offline"], {
      cwd: root,
      env: { ...process.env, npm_config_omit: "optional" },
      encoding: "utf8",
    });
    expect(npm.stderr).toBe("");
    expect(npm.stdout).not.toMatch(/^remove node-/m);
  },
);
