// Finds the nginx that tests use to check examples/nginx: the system's, or one from Debian's
// packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./project.mjs";

/**
 * The package is only unpacked into this folder, so it needs no root and starts no service on port
 * 80.
 */
const folder = join(root, "node_modules/.cache/nginx");

/** Returns the path of nginx, or undefined if it isn't installed and can't be downloaded. */
export function findNginx() {
  const places = ["/usr/sbin", ...(process.env.PATH ?? "").split(delimiter), `${folder}/usr/sbin`];
  const find = () => places.map((place) => join(place, "nginx")).find((file) => existsSync(file));
  return find() ?? (unpack() && spawnSync(find() ?? "", ["-v"]).status === 0 ? find() : undefined);
}

function unpack() {
  if (!existsSync("/usr/bin/apt-get")) return false;
  console.log("Fetching nginx from the system's packages, for the test of its sample ...");
  mkdirSync(folder, { recursive: true });
  const run = (...words) => spawnSync(words[0], words.slice(1), { cwd: folder, stdio: "ignore" });
  if (process.getuid?.() === 0) run("apt-get", "update", "-q");
  // Which of the two packages contains the program depends on Debian's version.
  run("apt-get", "download", "-q", "nginx-light", "nginx");
  for (const name of readdirSync(folder)) if (name.endsWith(".deb")) run("dpkg", "-x", name, ".");
  return true;
}
