import type { Theme } from "./theme.ts";

/** Which colour is written or drawn on which: what a campus's look must keep readable in both schemes (WCAG 2.2). */

const grounds = ["paper", "surface"];
const fields = ["field-marigold", "field-sky", "field-rani", "field-leaf"];
const each = (texts: string[], on: string[]) =>
  texts.flatMap((text) => on.map((ground) => [text, ground] as const));

/** Text and what it is written on: 4.5 to 1. */
export const textPairs = [
  ...each(["ink", "ink-soft", "link"], [...grounds, ...fields]),
  ...each(["on-primary"], ["primary", "primary-pressed"]),
  ...each(["on-marigold"], ["marigold"]),
  ...each(["on-rani"], ["rani"]),
  ...each(["art-cream"], ["art-peacock", "rani"]),
  ...each(["on-night", "on-night-soft", "night-link"], ["night"]),
  ...each(["on-danger"], ["danger", "danger-pressed"]),
  ...each(["danger-ink", "ink"], ["danger-field"]),
  ...each(["success-ink", "ink"], ["success-field"]),
];

/** The pen's lines, rings of focus and the stroke under the current page: seen but not read, 3 to 1. */
export const markPairs = [
  ...each(["field-line"], grounds),
  ...each(["outline", "focus", "here"], [...grounds, ...fields]),
  // The header lies open over the hero's sky, and buttons and tiles on the bright fields.
  ...each(["here"], ["art-sky"]),
  ...each(["art-line"], ["marigold"]),
];

/** How much red, green and blue light a colour such as `#1d1433` is, each from 0 to 1 (IEC 61966-2-1). */
export function lightOf(colour: string): [red: number, green: number, blue: number] {
  const channel = (start: number) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Relative luminance of a colour, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = lightOf(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Colours that cannot be read or seen on what they stand on, and colours that are missing: one line each. */
export function findUnreadable(theme: Theme): string[] {
  return (["light", "dark"] as const).flatMap((scheme) => {
    const check = (pairs: readonly (readonly [string, string])[], least: number) =>
      pairs.flatMap(([front, ground]) => {
        const colours = [theme[scheme][front], theme[scheme][ground]] as const;
        for (const [index, name] of [front, ground].entries()) {
          if (!colours[index]) return [`campus/theme.css: ${scheme} --${name}: is missing`];
        }
        const ratio = contrast(colours[0] ?? "", colours[1] ?? "");
        if (ratio >= least) return [];
        return [
          `campus/theme.css: ${scheme} --${front}: stands out from --${ground} by ${ratio.toFixed(1)} to 1, must be ${least} to 1 or more; make one of them ${scheme === "light" ? "darker" : "lighter"}`,
        ];
      });
    return [...new Set([...check(textPairs, 4.5), ...check(markPairs, 3)])];
  });
}
