import { readFileSync } from "node:fs";
import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from "culori";
import { textPairs } from "../vite/contrast.ts";
import { readThemeText } from "../vite/theme.ts";

const toOklch = converter("oklch");

/** Formats a color as hex, with its chroma reduced to the range of screens. */
const toHex = (colour: Oklch) => formatHex(clampChroma(colour, "oklch"));

/**
 * Colors that get the hue of the new main color: the teal, ink and night colors of the first
 * campus. The colors of the sun, skin and trees don't change.
 */
const teal = ["link", "field-sky", "art-peacock", "peacock-deep"];
const inks = ["ink", "ink-soft", "outline", "field-line", "shadow", "on-primary", "on-marigold"]
  .concat(["night", "on-night-soft", "art-line", "art-wire", "art-tyre", "art-tyre-far"])
  .concat(["art-jeans", "art-inside", "art-night-sky", "art-night-ground", "art-night-hedge"]);
/**
 * Colors that also get the main color's hue in dark mode. In light mode, the backgrounds among them
 * keep the color of paper.
 */
const nightGrounds = ["paper", "surface", "art-field", "art-line"];

/** Candidate colors for text on the main color. The candidate with more contrast is used. */
const paper = "#fff9ef";
const ink = "#1d1433";

/**
 * Colors of a new theme that are adjusted until text has enough contrast. The theme's other colors
 * don't change.
 */
const flexible = ["ink-soft", "link", "primary", "primary-pressed", "peacock-deep"];

/** Minimum contrast of text. It is slightly above 7:1, to allow for rounding. */
const leastContrast = 7.02;

export function isReadableOn(primary: string): boolean {
  return Math.max(wcagContrast(paper, primary), wcagContrast(ink, primary)) >= 4.5;
}

/**
 * Derives a light and a dark theme with the given main color from the first campus's theme.
 * @param file path of the first campus's `theme.css`
 */
export function themeWith(primary: string, file: string): string {
  const css = readFileSync(file, "utf8");
  const [day = "", night = ""] = css.split(/(?=@media \(prefers-color-scheme: dark\))/);
  const main = toOklch(primary) as Oklch;
  // Gray has no hue, so the ink colors of a gray theme get a slightly warm hue.
  const turn = (colour: string) => {
    const oklch = toOklch(colour) as Oklch;
    return toHex({ ...oklch, c: main.c < 0.03 ? 0.01 : oklch.c, h: main.h ?? 90 });
  };
  const recolour = (block: string, turned: string[], colours: Record<string, string>) =>
    block.replace(/--([\w-]+): (#[0-9a-f]{6})/g, (_, name: string, colour: string) => {
      return `--${name}: ${colours[name] ?? (turned.includes(name) ? turn(colour) : colour)}`;
    });
  const isDark = wcagContrast(paper, primary) >= wcagContrast(ink, primary);
  const byNight = { ...main, l: Math.max(main.l, 0.8) };
  // Buttons use a shade of the main color if the main color has too little contrast with text.
  const shade = moveUntilReadable(primary.toLowerCase(), [isDark ? paper : ink]);
  const deep = toOklch(shade) as Oklch;
  const whole =
    recolour(day, [...teal, ...inks], {
      primary: shade,
      "on-primary": isDark ? paper : ink,
      "primary-pressed": toHex({ ...deep, l: deep.l * (isDark ? 0.85 : 1.06) }),
      "art-peacock": isDark ? primary.toLowerCase() : turn("#006d77"),
      "peacock-deep": isDark ? shade : turn("#005a63"),
    }) +
    recolour(night, [...teal, ...inks, ...nightGrounds], {
      primary: toHex(byNight),
      "on-primary": turn(ink),
      "primary-pressed": toHex({ ...byNight, l: byNight.l - 0.06 }),
    });
  return makeAllReadable(whole, flexible);
}

/** Changes the named colors in both color schemes until text has enough contrast. */
function makeAllReadable(css: string, names: readonly string[]): string {
  const { light, dark } = readThemeText(css);
  return css
    .split(/(?=@media \(prefers-color-scheme: dark\))/)
    .map((block, index) => makeReadable(block, index === 0 ? light : dark, names))
    .join("");
}

/**
 * Raises the contrast ratios in a theme from an earlier version to this version's minimum. Adds the
 * deep colors if they are missing, and changes text and background colors as little as possible.
 * @param file path of the first campus's `theme.css`, which defines all colors
 */
export function raiseContrast(css: string, file: string): string {
  const example = readFileSync(file, "utf8");
  const whole = ["rani-deep", "peacock-deep"].reduce((text, name) => {
    const [line] = new RegExp(`\\n *--${name}: #[0-9a-f]{6};`).exec(example) ?? [];
    const isThere = line === undefined || text.includes(`--${name}:`);
    return isThere ? text : text.replace(/\n *--rani: [^;]+;/, (rani) => rani + line);
  }, css);
  const fronts = textPairs.map(([front]) => front);
  const grounds = textPairs.map(([, ground]) => ground);
  const names = new Set([...flexible, ...fronts, ...grounds]);
  // Adjust one color at a time, because each change affects the colors that contrast with it.
  return [...names].reduce((text, name) => makeAllReadable(text, [name]), whole);
}

/** Changes the named colors of a color scheme until text has enough contrast. */
function makeReadable(
  block: string,
  colours: Record<string, string>,
  names: readonly string[],
): string {
  return names.reduce((text, name) => {
    const grounds = textPairs
      .filter((pair) => pair.includes(name))
      .map(([front, ground]) => colours[front === name ? ground : front] ?? "");
    const line = new RegExp(`(--${name}: )(#[0-9a-f]{6})`);
    return text.replace(line, (_, start: string, colour: string) => {
      return start + moveUntilReadable(colour, grounds);
    });
  }, block);
}

/** Changes a color's lightness until the color has enough contrast with all of the other colors. */
function moveUntilReadable(colour: string, backgrounds: readonly string[]): string {
  const lightness = (hex: string) => (toOklch(hex) as Oklch).l;
  const isLighter = backgrounds.every((other) => lightness(colour) > lightness(other));
  let moved = toOklch(colour) as Oklch;
  const isReadable = () =>
    backgrounds.every((other) => wcagContrast(toHex(moved), other) >= leastContrast);
  if (isReadable()) return colour;
  while (!isReadable() && moved.l > 0 && moved.l < 1) {
    moved = { ...moved, l: moved.l + (isLighter ? 0.004 : -0.004) };
  }
  return toHex(moved);
}
