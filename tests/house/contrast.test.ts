import { join } from "node:path";
import { expect, test } from "vitest";
import { contrast, findUnreadable, markPairs, textPairs } from "../../vite/contrast.ts";
import { readTheme } from "../../vite/theme.ts";
import { campusDir } from "../harness/campus.ts";

const theme = readTheme(join(campusDir, "theme.css"));

/** Colours that say nothing by themselves. */
const decoration = ["shadow", "leaf"];

test("everything can be read, by day and by night", () => {
  expect(findUnreadable(theme)).toEqual([]);
});

test("no colour escapes the check", () => {
  const checked = new Set([...textPairs, ...markPairs].flat().concat(decoration));
  const names = Object.keys(theme.light).filter((name) => !name.startsWith("art-"));
  expect(names.filter((name) => !checked.has(name))).toEqual([]);
});

test("black on white is as far as colours go", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
});
