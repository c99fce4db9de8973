import { expect, test } from "vitest";
import { weigh } from "../../scripts/weight.ts";

test.each(weigh())("the project has at most its limit of $what", ({ is, limit }) => {
  expect(is).toBeLessThanOrEqual(limit);
});
