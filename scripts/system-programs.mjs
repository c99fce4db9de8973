// Finds programs that tests run with our settings. Uses the system's installation or downloads
// Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./project.mjs";

/** Returns the path of nginx, or `undefined` if it isn't installed and can't be downloaded. */
export const findNginx = () =>
  // Debian's version determines which of the two packages contains the program.
  findProgram({
    name: "nginx",
    packages: ["nginx-light", "nginx"],
    versionOption: "-v",
    purpose: "the test of its sample",
  });

/** Returns the path of pgbouncer, or `undefined` if it isn't installed and can't be downloaded. */
export const findPgbouncer = () =>
  findProgram({
    name: "pgbouncer",
    packages: ["pgbouncer"],
    versionOption: "--version",
    purpose: "the tests behind a pooler",
  });

function findProgram({ name, packages, versionOption, purpose }) {
  // The packages are only unpacked into this folder, so no root access is needed and no service is
  // started.
  const folder = join(root, "node_modules/.cache", name);
  const places = ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter), `${folder}/usr/sbin`];
  const find = () => places.map((place) => join(place, name)).find((file) => existsSync(file));
  const found = find();
  if (found) return found;
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  console.log(`Fetching ${name} from the system's packages, for ${purpose} ...`);
  unpack(folder, packages);
  // If a library is missing, the program can't even print its version.
  return spawnSync(find() ?? "", [versionOption]).status === 0 ? find() : undefined;
}

function unpack(folder, packages) {
  mkdirSync(folder, { recursive: true });
  const run = (...words) => spawnSync(words[0], words.slice(1), { cwd: folder, stdio: "ignore" });
  if (process.getuid?.() === 0) run("apt-get", "update", "-q");
  run("apt-get", "download", "-q", ...packages);
  for (const name of readdirSync(folder)) if (name.endsWith(".deb")) run("dpkg", "-x", name, ".");
}
