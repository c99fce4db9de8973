import { writeFile } from "node:fs/promises";
import { createSealingKeys } from "../platform/crypto/sealed-file.ts";
import { whyUnwritten } from "./copies.ts";
import { print, wantsHelp } from "./program.ts";
import { failed, type Outcome } from "./sentences.ts";

/**
 * `npm run store -- backup`: creates key pairs for sealed backups. It needs no database, so it runs
 * on any machine.
 */

const usage = `Sealed backups

  npm run store -- backup new-key KEYFILE       make a key that opens backups; keep KEYFILE away from the server.
                                                Prints the key that seals them, for: requests -- backup FILE --seal-for KEY

A sealed backup is opened by: store -- restore COPY EXPORT --backup-key KEYFILE; with --look it changes nothing
`;

export async function runCommand([
  command = "help",
  file,
  ...rest
]: readonly string[]): Promise<Outcome> {
  if (wantsHelp([command, ...(file ? [file] : []), ...rest])) return { code: 0, out: usage };
  if (command !== "new-key" || !file || rest.length > 0) return { code: 2, problem: usage };
  const { sealing, opening } = createSealingKeys();
  try {
    await writeFile(file, `${opening}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    return failed(whyUnwritten(file, error));
  }
  return { code: 0, out: `${sealing}\n` };
}

if (import.meta.main) process.exitCode = print(await runCommand(process.argv.slice(2)));
