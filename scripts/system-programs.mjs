// Finds programs that tests run with our settings. Uses the system's installation or downloads
// Debian's packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./project.mjs";

/**
 * Returns environment variables with the path of nginx, or `undefined` if it isn't installed and
 * can't be downloaded.
 */
export const findNginx = () =>
  // Debian's version determines which of the two packages contains the program.
  findProgram({
    name: "nginx",
    packages: ["nginx-light", "nginx"],
    versionOption: "-v",
    purpose: "the test of its sample",
  });

/**
 * Returns environment variables with the path of pgbouncer, or `undefined` if it isn't installed and
 * can't be downloaded.
 */
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
  const variable = `${name.toUpperCase()}_PATH`;
  const places = ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter)];
  const installed = places.map((place) => join(place, name)).find((file) => existsSync(file));
  if (installed) return { [variable]: installed };
  if (!existsSync("/usr/bin/apt-get")) return undefined;
  const file = join(folder, "usr/sbin", name);
  if (!existsSync(file)) {
    console.log(`Fetching ${name} from the system's packages, for ${purpose} ...`);
    unpack(folder, packages);
  }
  if (!existsSync(file)) return undefined;
  // Debian keeps libraries in a folder named after the machine, such as x86_64-linux-gnu.
  const libraries = join(folder, "usr/lib");
  const machines = existsSync(libraries) ? readdirSync(libraries) : [];
  const machine = machines.find((name) => name.includes("-linux-gnu"));
  const settings = {
    [variable]: file,
    ...(machine && { LD_LIBRARY_PATH: join(libraries, machine) }),
  };
  // If a library is missing, the program can't even print its version.
  const env = { ...process.env, ...settings };
  return spawnSync(file, [versionOption], { env }).status === 0 ? settings : undefined;
}

function unpack(folder, packages) {
  mkdirSync(folder, { recursive: true });
  const run = (...words) =>
    spawnSync(words[0], words.slice(1), { cwd: folder, encoding: "utf8" }).stdout;
  if (process.getuid?.() === 0) run("apt-get", "update", "-q");
  const plan = run("apt-get", "install", "--simulate", "--no-install-recommends", ...packages);
  const libraries = [...plan.matchAll(/^Inst (lib\S+)/gm)].map(([, name]) => name);
  run("apt-get", "download", "-q", ...packages, ...libraries);
  for (const name of readdirSync(folder)) if (name.endsWith(".deb")) run("dpkg", "-x", name, ".");
}
