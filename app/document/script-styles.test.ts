import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loosen, loosePath, looseScriptOf } from "./script-styles.ts";

const bengali = readFileSync(join(import.meta.dirname, "../components/bengali.css"), "utf8");

test.each([
  [
    "space between lines",
    "h1{line-height:.98}p{line-height:1.6}",
    "h1{line-height:1.3}p{line-height:1.6}",
  ],
  ["no letter spacing", "h1{letter-spacing:-.03em}", "h1{letter-spacing:0}"],
  ["no capitals", "i{text-transform:uppercase}", "i{text-transform:none}"],
  ["no italics", "q{font-style:italic}", "q{font-style:normal}"],
  ["its own digits", "li{content:counter(item)}", "li{content:counter(item,bengali)}"],
  ["lists with its own digits", "ol{list-style:decimal}", "ol{list-style:bengali}"],
  // The same in a font with one weight, next to heavier commas and Latin names.
  ["bold text", "a{font-weight:600}b{font-weight:700}", "a{font-weight:650}b{font-weight:700}"],
])("Bengali has %s", (_, css, own) => {
  expect(loosen(css, "Beng")).toBe(own);
});

test("loosens stylesheets for Bengali and leaves them unchanged for Latin", () => {
  const pathIn = (language: string) => loosePath("/assets/page-1.css", looseScriptOf(language));
  expect(pathIn("bn")).toBe("/assets/page-1.Beng.css");
  expect(pathIn("en")).toBe("/assets/page-1.css");
  expect(pathIn("de")).toBe("/assets/page-1.css");
});

test("uses Bengali digits only in the site's own counters, and bold instead of italics", () => {
  expect(bengali).not.toMatch(/list-style/);
  expect(bengali).toMatch(/\nem\s*\{[^}]*font-style:\s*normal/);
});
