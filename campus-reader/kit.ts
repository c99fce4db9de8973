/**
 * A campus names the version of the product that made it (`kit: 1.14` in `campus.yaml`). A check
 * that is newer is a note for that campus and fails no build, until `npm run campus -- update`
 * raises the number. Rust's editions work alike.
 */

/** Version of the checks in this folder: that of the next release. */
export const currentKit = "1.14";

/** Kit of a campus that names none. */
const oldestKit = "0.0";

const kitLine = /^kit:[ \t]*["']?(\d+\.\d+)(?:\.\d+)?["']?[ \t]*(?:#.*)?$/m;

/** Reads the kit from the text of `campus.yaml`. As a number in YAML, 1.10 would become 1.1. */
export function readKit(text: string): string {
  return kitLine.exec(text)?.[1] ?? oldestKit;
}

export function namesKit(kit: string): boolean {
  return kit !== oldestKit;
}

/** Returns the text of `campus.yaml` with this kit. */
export function writeKit(text: string, kit: string): string {
  if (/^kit:/m.test(text)) return text.replace(/^kit:.*$/m, `kit: ${kit}`);
  // Stays behind the comments at the top.
  return text.replace(/^(?!#|\s*$)/m, `kit: ${kit}\n`);
}

/** Returns true if a version is newer than another one. */
export function isNewer(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split(".").map(Number);
  return major === otherMajor ? minor > otherMinor : major > otherMajor;
}
