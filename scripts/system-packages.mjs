// What the commands need of the system itself, installed from Debian's packages where they run as root on Debian.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** True where the packages could be installed: by root on Debian, with a network. */
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
 * The library for want of which a program did not start, by what the system's loader said, and Debian's package of it:
 * named after the library and its version. Undefined where it said something else.
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
