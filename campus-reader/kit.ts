/**
 * Each campus declares the product version whose rules it follows (`kit: 1.14` in `campus.yaml`).
 * Checks that are newer than this version only print notes, until `npm run campus -- update` raises
 * the version. Rust's editions work in a similar way.
 */

/** Version of the checks in this folder: the version of the next release. */
export const currentKit = "1.14";

/** Kit version of a campus that doesn't declare one. */
const oldestKit = "0.0";

const kitLine = /^kit:[ \t]*["']?(\d+\.\d+)(?:\.\d+)?["']?[ \t]*(?:#.*)?$/m;

/**
 * Reads the kit version from the text of `campus.yaml`. Doesn't parse the YAML, because a YAML
 * parser reads 1.10 as the number 1.1.
 */
export function readKit(text: string): string {
  return kitLine.exec(text)?.[1] ?? oldestKit;
}

export function namesKit(kit: string): boolean {
  return kit !== oldestKit;
}

/** Sets the kit version in the text of `campus.yaml`. */
export function writeKit(text: string, kit: string): string {
  if (/^kit:/m.test(text)) return text.replace(/^kit:.*$/m, `kit: ${kit}`);
  // Inserts the line after the comments at the top of the file.
  return text.replace(/^(?!#|\s*$)/m, `kit: ${kit}\n`);
}

export function isNewer(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split(".").map(Number);
  return major === otherMajor ? minor > otherMinor : major > otherMajor;
}
