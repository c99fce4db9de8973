import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The campus that the specification describes, composed and built where nobody edits it. */
export const frozen = {
  CAMPUS_DIR: "build-default-campus-source",
  BUILD_DIR: "build-default-campus",
};

/**
 * Before the tests of this folder: what the specification fixes is taken from `frozen/`, everything else (words of
 * operators' pages, holidays, data kinds) from the campus as it is, so that a campus can change its words and every test
 * still holds.
 */
export default function buildFrozen(): void {
  const root = join(import.meta.dirname, "../..");
  const folder = join(root, frozen.CAMPUS_DIR);
  rmSync(folder, { recursive: true, force: true });
  for (const file of ["calendar.yaml", "deletion.yaml", "content/en"]) {
    cpSync(join(root, "campus", file), join(folder, file), { recursive: true });
  }
  rmSync(join(folder, "content/en/posts"), { recursive: true });
  cpSync(join(import.meta.dirname, "frozen"), folder, { recursive: true });
  const ensure = 'import("./scripts/project.mjs").then((project) => project.ensureBuilt())';
  const built = spawnSync(process.execPath, ["-e", ensure], {
    cwd: root,
    env: { ...process.env, ...frozen },
    encoding: "utf8",
  });
  if (built.status !== 0) throw new Error(`${built.stdout}${built.stderr}`);
}
