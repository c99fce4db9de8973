import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect } from "vitest";

export type CampusCopy = ReturnType<typeof copyCampus>;

/**
 * Copies a campus so that a test can change files and restore them. All paths are relative to the
 * campus folder.
 */
export function copyCampus(source: string) {
  const folder = mkdtempSync(join(tmpdir(), "campus-"));
  cpSync(source, folder, { recursive: true });
  const touched = new Set<string>();
  const read = (file: string) => readFileSync(join(folder, file), "utf8");

  function write(file: string, content: string | Buffer): void {
    const made = mkdirSync(dirname(join(folder, file)), { recursive: true });
    touched.add(made ? relative(folder, made) : file);
    writeFileSync(join(folder, file), content);
  }

  return {
    folder,
    read,
    write,
    /** Replaces text in a file. Creates the file with the new text if it doesn't exist. */
    change(file: string, from: string | RegExp, to: string): void {
      const text = existsSync(join(folder, file)) ? read(file) : undefined;
      const changed = (text ?? "").replace(from, to);
      expect(changed, `${file} is changed`).not.toBe(text);
      write(file, changed);
    },
    remove(file: string): void {
      touched.add(file);
      rmSync(join(folder, file), { recursive: true });
    },
    restore(): void {
      for (const file of touched) {
        rmSync(join(folder, file), { recursive: true, force: true });
        if (existsSync(join(source, file))) {
          cpSync(join(source, file), join(folder, file), { recursive: true });
        }
      }
      touched.clear();
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
