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
])("knows the direction of %s", (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});

test("names a direction only if it differs from the surroundings", () => {
  expect(markLanguage("en", "ar")).toEqual({ lang: "en", dir: "ltr" });
  expect(markLanguage("ar", "en")).toEqual({ lang: "ar", dir: "rtl" });
  expect(markLanguage("en", "bn")).toEqual({ lang: "en" });
  expect(markLanguage(undefined, "ar")).toEqual({});
});
