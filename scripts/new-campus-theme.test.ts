import { join } from "node:path";
import { converter, wcagContrast } from "culori";
import { expect, test } from "vitest";
import { root } from "../tests/harness/campus.ts";
import { findUnreadable } from "../vite/contrast.ts";
import { readTheme, readThemeText } from "../vite/theme.ts";
import { isReadableOn, themeWith } from "./new-campus-theme.ts";

const file = join(root, "campus/theme.css");
const hueOf = (colour: string) => converter("oklch")(colour)?.h ?? 0;
const steps = ["00", "55", "aa", "ff"];
const colours = steps
  .flatMap((red) => steps.flatMap((green) => steps.map((blue) => `#${red}${green}${blue}`)))
  .filter(isReadableOn);

test.each(colours)("creates a theme from %s with AAA contrast in light and dark mode", (colour) => {
  const theme = readThemeText(themeWith(colour, file));
  expect(findUnreadable(theme)).toEqual([]);
});

test.each(["#006d77", "#8a1538", "#ffcc00", "#ff5555", "#5555ff"])(
  "keeps the hue of %s when its text needs more contrast",
  (colour) => {
    const primary = readThemeText(themeWith(colour, file)).light.primary ?? "";
    const text = readThemeText(themeWith(colour, file)).light["on-primary"] ?? "";
    if (wcagContrast(text, colour) >= 7.02) expect(primary).toBe(colour);
    else expect(Math.abs(hueOf(primary) - hueOf(colour))).toBeLessThan(8);
  },
);

test("replaces the first campus's teal, ink and night colors", () => {
  const first = readTheme(file);
  const theme = readThemeText(themeWith("#8a1538", file));
  for (const name of ["primary", "link", "art-peacock", "ink", "night"]) {
    expect(theme.light[name], name).not.toBe(first.light[name]);
  }
  for (const name of ["primary", "link", "paper", "surface", "night"]) {
    expect(theme.dark[name], name).not.toBe(first.dark[name]);
  }
});
