import { readFile } from "node:fs/promises";

/** A list of accounts as some other system exported it. Undefined where the file cannot be read. */
export async function readLines(path: string): Promise<string[] | undefined> {
  try {
    return (await readFile(path, "utf8")).split(/\r?\n/);
  } catch {
    return undefined;
  }
}
