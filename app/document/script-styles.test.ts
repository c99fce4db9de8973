import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { styleForScript } from "./script-styles.ts";

const bengali = readFileSync(join(import.meta.dirname, "../ui/bengali.css"), "utf8");
const css =
  "h1{line-height:.98;letter-spacing:-.03em}p{line-height:1.6}b{line-height:1}i{letter-spacing:.1em;text-transform:uppercase}";

test("a page in Latin letters has the site's styles as they are", () => {
  expect(styleForScript(css, "en")).toBe(css);
  expect(styleForScript(css, "de")).toBe(css);
});

test("Bengali has air between its lines, letters that hang together and no capitals", () => {
  const styles = styleForScript(css, "bn");
  expect(styles).toContain(
    "h1{line-height:1.3;letter-spacing:0}p{line-height:1.6}b{line-height:1.3}i{letter-spacing:.1em;text-transform:none}",
  );
});

test("what a stylesheet counts, it counts in Bengali digits", () => {
  const counted = "li::before{content:counter(item)}li{counter-increment:item}";
  expect(styleForScript(counted, "bn")).toContain("content:counter(item,bengali)");
  expect(styleForScript(counted, "de")).toBe(counted);
  expect(styleForScript("ol{list-style:decimal}", "bn")).toContain("ol{list-style:bengali}");
});

test("a number that a stylesheet draws beside a line stands there once", () => {
  // A list's own numbers come only where the site's styles have them.
  expect(bengali).not.toMatch(/list-style/);
});

test("no Bengali letter is slanted: emphasis is heavier instead", () => {
  expect(styleForScript("q{font-style:italic}", "bn")).toContain("q{font-style:normal}");
  expect(bengali).toMatch(/\nem\s*\{[^}]*font-style:\s*normal/);
});

test("words that are heavier are so in a face of one weight, too, beside heavier commas and Latin names", () => {
  expect(styleForScript("a{font-weight:600}b{font-weight:700}", "bn")).toContain(
    "a{font-weight:650}b{font-weight:700}",
  );
  expect(styleForScript("a{font-weight:600}", "en")).toBe("a{font-weight:600}");
});
