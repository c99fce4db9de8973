// Installs system packages for the commands. Requires Debian and root.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs the packages, which requires root, Debian and a network. Returns true on success. */
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
 * Finds the name of the missing library in the system loader's message, and returns its Debian
 * package, which is named after the library and its version. Returns undefined for any other
 * message.
 */
export function findMissingLibrary(said) {
  const [library, name = "", version = ""] =
    /\b(lib[\w+.-]+)\.so\.(\d+)(?=: cannot open)/.exec(said) ?? [];
  if (!library) return undefined;
  return {
    library,
    package: name.replaceAll("_", "-").toLowerCase() + (/\d$/.test(name) ? "-" : "") + version,
  };
}
