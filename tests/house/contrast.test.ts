import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contrast, markPairs as marks, textPairs as texts } from "../../vite/contrast.ts";
import { readTheme } from "../../vite/theme.ts";
import { campusDir } from "../harness/campus.ts";

const theme = readTheme(join(campusDir, "theme.css"));

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
