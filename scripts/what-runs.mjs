// Lists all packages that run in production, in CycloneDX format. Reads the lock file, because
// npm's own list is incomplete.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";

export function listWhatRuns() {
  const { name, version, packages } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { type: "application", name, version } },
    components: Object.entries(packages)
      .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
      // Skips TypeScript's platform packages. TypeScript is an optional peer dependency of React
      // Router's build, and npm doesn't mark its platform packages as development dependencies.
      .filter(([path]) => !path.startsWith("node_modules/@typescript/"))
      .map(([path, entry]) => toComponent(path.replace(/^.*node_modules\//, ""), entry)),
  };
}

function toComponent(name, { version, license, integrity, optional }) {
  const [algorithm, checksum] = integrity.split("-", 2);
  return {
    type: "library",
    name,
    version,
    // Each platform has its own optional package, and npm installs only the current platform's.
    scope: optional ? "optional" : "required",
    hashes: [
      {
        alg: algorithm.replace("sha", "SHA-"),
        content: Buffer.from(checksum, "base64").toString("hex"),
      },
    ],
    licenses: license ? [{ expression: license }] : [],
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  };
}
