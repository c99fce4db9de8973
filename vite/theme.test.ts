import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stampColours, stampSchemes } from "./pictures-plugin.ts";
import { readTheme } from "./theme.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "theme-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(css: string) {
  const file = join(folder, "theme.css");
  writeFileSync(file, css);
  return readTheme(file);
}

const dark = (rules: string) => `@media (prefers-color-scheme: dark) { :root { ${rules} } }`;

test("both schemes are read, without comments and in lower case; the night changes the day", () => {
  const day = "/* :root{--x:#000000} */ :root { --ink: #1D1433; --rani: #d81e6a; }";
  expect(read(day + dark("--ink: #fff3d6;"))).toEqual({
    light: { ink: "#1d1433", rani: "#d81e6a" },
    dark: { ink: "#fff3d6", rani: "#d81e6a" },
  });
});

test.each([
  [
    ":root { --ink: darkblue; }",
    "--ink: #ffffff;",
    "campus/theme.css: light --ink: must be a colour",
  ],
  [":root { --ink: #000000; }", "--ink: white;", "campus/theme.css: dark --ink: must be a colour"],
  [":root { }", "--ink: #000000;", "campus/theme.css: light --ink: is missing"],
])("%s with %s at night is refused with name and reason", (light, night, message) => {
  expect(() => read(light + dark(night))).toThrow(message);
});

test("a drawing carries the colours it uses, for day and night", () => {
  const theme = {
    light: { "art-line": "#000000", "art-sun": "#ffb000", unused: "#123456" },
    dark: { "art-line": "#ffffff", "art-sun": "#ffb000", unused: "#654321" },
  };
  const svg = stampSchemes(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="var(--art-line)"/><path fill="var(--art-sun)"/></svg>',
    theme,
  );
  expect(svg).toContain("svg{--art-line:#000000;--art-sun:#ffb000}");
  expect(svg).toContain("svg:target{--art-line:#ffffff}");
  expect(svg).not.toContain("unused");
  expect(svg).toMatch(/^<svg id="night" xmlns=/);
});

test("a drawing for pictures of points has plain colours", () => {
  expect(stampColours('fill="var(--art-line)"', { "art-line": "#000000" })).toBe('fill="#000000"');
  expect(() => stampColours("var(--art-typo)", {})).toThrow("--art-typo");
});
