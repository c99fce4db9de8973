import { expect, test } from "vitest";
import { remembered } from "./text-files.ts";

test("memoizes only the newest results", () => {
  const parsed: string[] = [];
  const measure = remembered((text) => {
    parsed.push(text);
    return text.length;
  }, 2);
  expect(["one", "two", "three", "three", "two", "one"].map(measure)).toEqual([3, 3, 5, 5, 3, 3]);
  expect(parsed).toEqual(["one", "two", "three", "one"]);
});
