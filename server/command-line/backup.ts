import { readFile, writeFile } from "node:fs/promises";
import { createSealingKeys, isSealingKey, openSealedFile } from "../keys/sealed-file.ts";
import type { Outcome } from "./sentences.ts";
import { print } from "./start.ts";

/** `npm run store -- backup`: the keys of sealed backups, and opening one. Needs no database, so that any machine will do. */

const usage = `Sealed backups

  npm run store -- backup new-key KEYFILE       make a key that opens backups; keep KEYFILE away from the server.
                                                Prints the key that seals them, for: requests -- backup FILE --seal-for KEY
  npm run store -- backup open FILE KEYFILE OUT write the database that FILE holds into the new file OUT
`;

export async function runCommand(words: readonly string[]): Promise<Outcome> {
  const [command = "help", file, keyFile, out, ...rest] = words;
  if (command === "new-key" && file && !keyFile) return makeKey(file);
  if (command === "open" && file && keyFile && out && rest.length === 0) {
    return openBackup(file, keyFile, out);
  }
  return command === "help" ? { code: 0, out: usage } : { code: 2, problem: usage };
}

async function makeKey(file: string): Promise<Outcome> {
  const { sealing, opening } = createSealingKeys();
  try {
    await writeFile(file, `${opening}\n`, { flag: "wx", mode: 0o600, flush: true });
  } catch (error) {
    return cannot(file, error, "written");
  }
  return { code: 0, out: `${sealing}\n` };
}

async function openBackup(file: string, keyFile: string, out: string): Promise<Outcome> {
  let opening: string;
  try {
    opening = (await readFile(keyFile, "utf8")).trim();
  } catch (error) {
    return cannot(keyFile, error, "read");
  }
  if (!isSealingKey(opening)) return { code: 1, problem: `The file ${keyFile} holds no key.\n` };
  try {
    return (await openSealedFile(file, out, opening)) === "opened"
      ? { code: 0, out: `The database is in ${out}.\n` }
      : {
          code: 1,
          problem: `${file} is damaged, or sealed for another key. Nothing was written.\n`,
        };
  } catch (error) {
    return cannot(`${file} or ${out}`, error, "read or written");
  }
}

function cannot(file: string, error: unknown, what: string): Outcome {
  const { code } = error as NodeJS.ErrnoException;
  return {
    code: 1,
    problem:
      code === "EEXIST"
        ? "The file that would be written is there already. Choose a new name.\n"
        : `The file ${file} cannot be ${what} (${code}).\n`,
  };
}

if (import.meta.main) process.exitCode = await print(await runCommand(process.argv.slice(2)));
