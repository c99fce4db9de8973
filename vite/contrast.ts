import { wcagContrast } from "culori";
import type { Mistake } from "../campus-reader/mistakes.ts";
import type { Theme } from "./theme.ts";

/**
 * Contrasts that a campus's theme must have in both color schemes (WCAG 2.2), as pairs of
 * foreground and background colors.
 */

const grounds = ["paper", "surface"];
const fields = ["field-marigold", "field-sky", "field-rani", "field-leaf"];
const each = (texts: string[], on: string[]) =>
  texts.flatMap((text) => on.map((ground) => [text, ground] as const));

/** Text on its background: a contrast of at least 4.5 to 1. */
export const textPairs = [
  ...each(["ink", "ink-soft", "link"], [...grounds, ...fields]),
  ...each(["on-primary"], ["primary", "primary-pressed"]),
  // The hero's text and the header lie on top of the hero's drawing.
  ...each(["ink"], ["art-sky", "art-road"]),
  ...each(["on-night"], ["art-night-sky", "art-night-ground"]),
  ...each(["on-marigold"], ["marigold"]),
  ...each(["on-rani"], ["rani"]),
  ...each(["art-cream"], ["art-peacock", "rani"]),
  ...each(["on-night", "on-night-soft", "night-link", "marigold"], ["night"]),
  ...each(["on-danger"], ["danger", "danger-pressed"]),
  ...each(["danger-ink"], [...grounds, "danger-field"]),
  ...each(["ink"], ["danger-field"]),
  ...each(["success-ink", "ink"], ["success-field"]),
];

/**
 * Graphics: a contrast of at least 3 to 1, for outlines of drawings, focus rings and the underline
 * of the current page.
 */
export const markPairs = [
  ...each(["field-line"], grounds),
  ...each(["outline", "focus", "here"], [...grounds, ...fields]),
  // The transparent header lies over the hero's sky, and buttons and tiles lie on bright sections.
  ...each(["here"], ["art-sky"]),
  ...each(["art-line"], ["marigold"]),
];

/**
 * Finds missing colors and pairs with too little contrast.
 * @param wrong names of colors to skip, because another mistake in them is already reported
 */
export function findUnreadable(theme: Theme, wrong: readonly string[] = []): Mistake[] {
  const found = (["light", "dark"] as const).flatMap((scheme) => {
    const say = (name: string, sentence: string): Mistake => ({
      file: "theme.css",
      field: `${scheme} --${name}`,
      sentence,
    });
    const check = (pairs: readonly (readonly [string, string])[], least: number) =>
      pairs.flatMap(([front, ground]) => {
        const colours = theme[scheme];
        if (wrong.includes(front) || wrong.includes(ground)) return [];
        const missing = [front, ground].find((name) => !colours[name]);
        if (missing) return [say(missing, "is missing")];
        const ratio = wcagContrast(colours[front] ?? "", colours[ground] ?? "");
        if (ratio >= least) return [];
        const wanted = `must be ${least} to 1 or more`;
        const todo = `make one of them ${scheme === "light" ? "darker" : "lighter"}`;
        const measured = `stands out from --${ground} by ${ratio.toFixed(1)} to 1`;
        return [say(front, `${measured}, ${wanted}; ${todo}`)];
      });
    return [...check(textPairs, 4.5), ...check(markPairs, 3)];
  });
  return found.filter(
    (one, index) =>
      found.findIndex(({ field, sentence }) => one.field === field && one.sentence === sentence) ===
      index,
  );
}
