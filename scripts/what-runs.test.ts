import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tests/harness/campus.ts";
import { listWhatRuns } from "./what-runs.mjs";

type Locked = {
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
};

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};

/**
 * Finds a dependency's path in the lock file: inside the package, or otherwise in the nearest
 * parent folder.
 */
function resolve(path: string, name: string): string | undefined {
  for (let folder = path; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const found = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[found]) return found;
    if (folder === "") return undefined;
  }
}

test("lists all direct and indirect production dependencies and no test tools", () => {
  const needed = new Set<string>();
  const follow = (path: string) => {
    if (needed.has(path)) return;
    needed.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      packages[path] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = resolve(path, name);
      if (found) follow(found);
    }
  };
  follow("");
  needed.delete("");
  const named = (path: string) =>
    `${path.replace(/^.*node_modules\//, "")} ${packages[path]?.version}`;
  const listed = listWhatRuns().components.map(({ name, version }) => `${name} ${version}`);
  expect(listed.sort()).toEqual([...needed].map(named).sort());
  expect(listed.length).toBeGreaterThan(50);
});
