import { expect, test } from "vitest";
import { directionOf, markLanguage } from "./direction.ts";

test.each([
  ["ar", "rtl"],
  ["ar-EG", "rtl"],
  ["he", "rtl"],
  ["ur", "rtl"],
  ["en", "ltr"],
  ["bn", "ltr"],
  ["uk", "ltr"],
])("returns the writing direction of %s", (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});

test("sets `dir` only if it differs from the direction of the surrounding text", () => {
  expect(markLanguage("en", "ar")).toEqual({ lang: "en", dir: "ltr" });
  expect(markLanguage("ar", "en")).toEqual({ lang: "ar", dir: "rtl" });
  expect(markLanguage("en", "bn")).toEqual({ lang: "en" });
  expect(markLanguage(undefined, "ar")).toEqual({});
});
