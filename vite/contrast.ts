import { wcagContrast } from "culori";
import type { Mistake } from "../campus-reader/mistakes.ts";
import { findNearest } from "../campus-reader/spelling.ts";
import { missingColour, type Theme } from "./theme.ts";

/**
 * Pairs of a foreground and a background color. In both color schemes, a campus's theme must give
 * each pair enough contrast (WCAG 2.2).
 */

const grounds = ["paper", "surface"];
const fields = ["field-marigold", "field-sky", "field-rani", "field-leaf"];
const pairsOf = (texts: string[], on: string[]) =>
  texts.flatMap((text) => on.map((ground) => [text, ground] as const));

/** Text colors and their backgrounds. The contrast must be at least 7 to 1 (level AAA). */
export const textPairs = [
  ...pairsOf(["ink", "ink-soft", "link"], [...grounds, ...fields]),
  ...pairsOf(["on-primary"], ["primary", "primary-pressed"]),
  // The hero's text and the header are on top of the hero's drawing.
  ...pairsOf(["ink"], ["art-sky", "art-road"]),
  ...pairsOf(["on-night"], ["art-night-sky", "art-night-ground"]),
  ...pairsOf(["on-marigold"], ["marigold"]),
  ...pairsOf(["on-rani", "art-cream"], ["rani-deep"]),
  ...pairsOf(["art-cream"], ["peacock-deep"]),
  ...pairsOf(["on-night", "on-night-soft", "night-link", "marigold"], ["night"]),
  ...pairsOf(["on-danger"], ["danger", "danger-pressed"]),
  ...pairsOf(["danger-ink"], [...grounds, "danger-field"]),
  ...pairsOf(["ink"], ["danger-field"]),
  ...pairsOf(["success-ink", "ink"], ["success-field"]),
];

/**
 * Text colors on bright backgrounds. Emails use these pairs, and so do themes without the deep
 * colors. The contrast must be at least 4.5 to 1 (level AA).
 */
export const brightPairs = [
  ...pairsOf(["on-rani", "art-cream"], ["rani"]),
  ...pairsOf(["art-cream"], ["art-peacock"]),
];

/**
 * The first kit version that requires the deep colors. It also requires a contrast of 7 to 1 for
 * text; earlier versions required only 4.5 to 1.
 */
const aaaKit = "1.14";
const newColours = ["rani-deep", "peacock-deep"];

/**
 * Colors of outlines, focus rings and the current page's underline, each with a background. The
 * contrast must be at least 3 to 1.
 */
export const markPairs = [
  ...pairsOf(["field-line"], grounds),
  ...pairsOf(["outline", "focus", "here"], [...grounds, ...fields]),
  // The transparent header is on top of the hero's sky; buttons and tiles are on bright sections.
  ...pairsOf(["here"], ["art-sky"]),
  ...pairsOf(["art-line"], ["marigold"]),
];

const checked = new Set([...textPairs, ...brightPairs, ...markPairs].flat());

/** Explains a missing color. If the theme has a similar name, suggests that it is a typo. */
function explainMissing(name: string, present: readonly string[]): string {
  const unchecked = present.filter((colour) => !checked.has(colour) && !colour.startsWith("art-"));
  const suggestion = findNearest(name, unchecked);
  return suggestion ? `is missing; is it --${suggestion}, mistyped?` : missingColour;
}

/**
 * Finds missing colors and pairs with too little contrast.
 * @param wrong names of colors to skip, because another mistake in them is already reported
 */
export function findUnreadable(theme: Theme, wrong: readonly string[] = []): Mistake[] {
  const found = (["light", "dark"] as const).flatMap((scheme) => {
    const say = (name: string, sentence: string, since?: string): Mistake => ({
      file: "theme.css",
      field: `${scheme} --${name}`,
      sentence,
      since,
    });
    const check = (pairs: readonly (readonly [string, string])[], base: number, aaa = base) =>
      pairs
        .filter((pair) => !pair.some((name) => wrong.includes(name)))
        .flatMap(([front, ground]) => {
          const colours = theme[scheme];
          const missing = [front, ground].find((name) => !colours[name]);
          if (missing) {
            const sentence = explainMissing(missing, Object.keys(colours));
            return [say(missing, sentence, newColours.includes(missing) ? aaaKit : undefined)];
          }
          const ratio = wcagContrast(colours[front] ?? "", colours[ground] ?? "");
          if (ratio >= aaa) return [];
          const [since, least] = ratio < base ? [undefined, base] : [aaaKit, aaa];
          const todo = `make one of them ${scheme === "light" ? "darker" : "lighter"}`;
          const measured = `has a contrast of ${ratio.toFixed(1)} to 1 with --${ground}`;
          return [say(front, `${measured}, but needs ${least} to 1 or more; ${todo}`, since)];
        });
    return [...check(textPairs, 4.5, 7), ...check(brightPairs, 4.5), ...check(markPairs, 3)];
  });
  return found.filter(
    (mistake, index) =>
      found.findIndex(
        ({ field, sentence }) => mistake.field === field && mistake.sentence === sentence,
      ) === index,
  );
}
