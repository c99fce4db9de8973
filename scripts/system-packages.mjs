// Installs system packages that the commands need. Requires Debian and root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs Debian packages. Returns true on success, and false without root, Debian or a network
 * connection.
 */
export function installPackages(packages, title = packages.join(", ")) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  console.log(`Installing ${title} from the system's packages ...`);
  const apt = (...args) =>
    spawnSync("apt-get", args, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "inherit"],
    }).status === 0;
  return apt("update", "-q") && apt("install", "-qy", "--no-install-recommends", ...packages);
}

/**
 * Finds the missing library in the system loader's message, and derives the name of its Debian
 * package from the library's name and version. Returns `undefined` for other messages.
 */
export function findMissingLibrary(output) {
  const [library, name = "", version = ""] =
    /\b(lib[\w+.-]+)\.so\.(\d+)(?=: cannot open)/.exec(output) ?? [];
  if (!library) return undefined;
  return {
    library,
    package: name.replaceAll("_", "-").toLowerCase() + (/\d$/.test(name) ? "-" : "") + version,
  };
}
