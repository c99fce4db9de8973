import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { afterAll, expect, test } from "vitest";
import { scriptPlugin } from "./script-plugin.ts";

const folder = mkdtempSync(join(tmpdir(), "scripts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads a script as the build does; tells the text that a page gets and the files that are watched. */
function load(source: string, suffix = "?script") {
  const file = join(folder, "page.js");
  writeFileSync(file, source);
  const watched: string[] = [];
  const context = {
    addWatchFile: (path: string) => watched.push(path),
    error: (message: string) => {
      throw new Error(message);
    },
  };
  const { load } = scriptPlugin() as unknown as {
    load: (this: typeof context, id: string) => unknown;
  };
  return { module: load.call(context, file + suffix), watched, file };
}

test("a script becomes a text without comments and spaces that does the same", async () => {
  const { module, watched, file } = load(
    "// A reason.\n(() => {\n  globalThis.seen = ['2', '</p>'].join(' ');\n})();\n",
  );
  const { default: text } = await import(
    `data:text/javascript,${encodeURIComponent(String(module))}`
  );
  expect(text).not.toMatch(/reason|\n {2}/);
  runInThisContext(text);
  expect(globalThis).toHaveProperty("seen", "2 </p>");
  expect(watched).toEqual([file]);
});

test("other files are left to others", () => {
  expect(load("1", "").module).toBeUndefined();
});

test("a script with a mistake ends the build and names the file", () => {
  expect(() => load("const = 1")).toThrow(/page\.js: /);
});
