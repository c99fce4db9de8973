import { expect, test } from "vitest";
import { shareTwelfths } from "./fare-bar.ts";

test.each([
  [[20, 20, 5], 3, [5, 5, 2]],
  [[1, 1, 1], 3, [4, 4, 4]],
  [[90, 5, 5], 3, [8, 2, 2]],
  [[1.2, 1.2, 0.6], 3, [5, 5, 2]],
  [[20, 20, 5], 2, [6, 6]],
  [[], 3, [4, 4, 4]],
])("splits a bar by %j into %i parts", (amounts, parts, shares) => {
  expect(shareTwelfths(amounts, parts)).toEqual(shares);
});
