import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tests/harness/campus.ts";
import { forName, withWaves } from "./edges-plugin.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const waves = read("app/ui/waves.css");
const marked = globSync("app/**/*.module.css", { cwd: root }).filter((path) =>
  read(path).includes("<edge "),
);

test("each scalloped edge of our stylesheets has a wave", () => {
  expect(marked.length).toBeGreaterThan(3);
  for (const path of marked) {
    const css = read(path);
    const waved = withWaves(css, waves);
    expect(waved, path).not.toContain("<edge");
    expect(waved, path).toContain("28.9%");
    expect(waved.split("{").length, path).toBe(css.split("{").length);
  }
});

test("ends the build on an edge without a wave", () => {
  expect(() => withWaves("/* <edge sail> */ top: 0; /* </edge> */", waves)).toThrow(
    "app/ui/waves.css has no edge named sail",
  );
});

test.each(["site-header", "site-footer"])(
  "%s has styles for a long app name only if the name is long",
  (name) => {
    const css = read(`app/ui/${name}.module.css`);
    expect(forName(css, "Ride Share of the Long Lake")).toBe(css);
    expect(css).toContain(".long {");
    const short = forName(css, "Short Ride");
    expect(short).not.toContain(".long {");
    expect(short.split("{").length).toBe(short.split("}").length);
  },
);
