import { readFileSync } from "node:fs";
import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from "culori";

const toOklch = converter("oklch");

/** Formats a color as hex, with its chroma reduced to what screens can show. */
const toHex = (colour: Oklch) => formatHex(clampChroma(colour, "oklch"));

/**
 * Colors that take on the hue of the new main color: the first campus's teal, ink and night colors.
 * Colors of the sun, skin and trees keep their own hue.
 */
const teal = ["link", "field-sky", "art-peacock"];
const inks = ["ink", "ink-soft", "outline", "field-line", "shadow", "on-primary", "on-marigold"]
  .concat(["night", "on-night-soft", "art-line", "art-wire", "art-tyre", "art-tyre-far"])
  .concat(["art-jeans", "art-inside", "art-night-sky", "art-night-ground", "art-night-hedge"]);
/**
 * Backgrounds that take on the main color's hue only in dark mode. In light mode they keep the
 * color of paper.
 */
const nightGrounds = ["paper", "surface", "art-field", "art-line"];

/** Colors for text on the main color. The one with more contrast is used. */
const paper = "#fff9ef";
const ink = "#1d1433";

export function isReadableOn(primary: string): boolean {
  return Math.max(wcagContrast(paper, primary), wcagContrast(ink, primary)) >= 4.5;
}

/**
 * Derives a light and a dark theme for this main color from the first campus's theme.
 * @param file the first campus's `theme.css`
 */
export function themeWith(primary: string, file: string): string {
  const css = readFileSync(file, "utf8");
  const [day = "", night = ""] = css.split(/(?=@media \(prefers-color-scheme: dark\))/);
  const main = toOklch(primary) as Oklch;
  // Gray has no hue, so the ink colors of a gray theme become slightly warm.
  const turn = (colour: string) => {
    const own = toOklch(colour) as Oklch;
    return toHex({ ...own, c: main.c < 0.03 ? 0.01 : own.c, h: main.h ?? 90 });
  };
  const recolour = (block: string, turned: string[], own: Record<string, string>) =>
    block.replace(/--([\w-]+): (#[0-9a-f]{6})/g, (_, name: string, colour: string) => {
      return `--${name}: ${own[name] ?? (turned.includes(name) ? turn(colour) : colour)}`;
    });
  const isDark = wcagContrast(paper, primary) >= wcagContrast(ink, primary);
  const byNight = { ...main, l: Math.max(main.l, 0.8) };
  return (
    recolour(day, [...teal, ...inks], {
      primary: primary.toLowerCase(),
      "on-primary": isDark ? paper : ink,
      "primary-pressed": toHex({ ...main, l: main.l * (isDark ? 0.85 : 1.06) }),
      "art-peacock": isDark ? primary.toLowerCase() : turn("#006d77"),
    }) +
    recolour(night, [...teal, ...inks, ...nightGrounds], {
      primary: toHex(byNight),
      "on-primary": turn(ink),
      "primary-pressed": toHex({ ...byNight, l: byNight.l - 0.06 }),
    })
  );
}
