import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTheme } from "../../vite/theme.ts";
import { campusDir } from "../harness/campus.ts";
import { contrast } from "../harness/contrast.ts";

const theme = readTheme(join(campusDir, "theme.css"));

const grounds = ["paper", "surface"];
const fields = ["field-marigold", "field-sky", "field-rani", "field-leaf"];
const each = (texts: string[], on: string[]) =>
  texts.flatMap((text) => on.map((ground) => [text, ground] as const));

/** Text and what it is written on: 4.5 to 1. */
const texts = [
  ...each(["ink", "ink-soft", "link"], [...grounds, ...fields]),
  ...each(["on-primary"], ["primary", "primary-pressed"]),
  ...each(["on-marigold"], ["marigold"]),
  ...each(["on-rani"], ["rani"]),
  ...each(["on-night", "on-night-soft", "night-link"], ["night"]),
  ...each(["on-danger"], ["danger", "danger-pressed"]),
  ...each(["danger-ink", "ink"], ["danger-field"]),
  ...each(["success-ink", "ink"], ["success-field"]),
];

/** The pen's lines, rings of focus and the stroke under the current page: seen but not read, 3 to 1. */
const marks = [
  ...each(["field-line"], grounds),
  ...each(["outline", "focus", "here"], [...grounds, ...fields]),
  // The header lies open over the hero's sky, and buttons and tiles on the bright fields.
  ...each(["here"], ["art-sky"]),
  ...each(["art-line"], ["marigold"]),
];

/** Colours that say nothing by themselves. */
const decoration = ["shadow", "leaf"];

describe.each(["light", "dark"] as const)("in the %s scheme", (scheme) => {
  const colours = theme[scheme];
  const ratio = (one: string, other: string) =>
    contrast(colours[one] ?? "#000000", colours[other] ?? "#000000");

  test.each(texts)("%s can be read on %s", (text, ground) => {
    expect(ratio(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(marks)("%s can be seen on %s", (mark, ground) => {
    expect(ratio(mark, ground)).toBeGreaterThanOrEqual(3);
  });
});

test("no colour escapes the check", () => {
  const checked = new Set([...texts, ...marks].flat().concat(decoration));
  const names = Object.keys(theme.light).filter((name) => !name.startsWith("art-"));
  expect(names.filter((name) => !checked.has(name))).toEqual([]);
});

test("black on white is as far as colours go", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});
