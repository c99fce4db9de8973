import { expect, test } from "vitest";
import { describeError } from "./services.ts";

const failed = Object.assign(new TypeError("nadia@uni.example"), { code: "EPIPE" });

test("describes an error in one line with its location in our code but without its message", () => {
  const line = describeError(failed, { withStack: false });
  expect(line).toMatch(/^TypeError EPIPE at .*services.test\.ts:\d+:\d+\)?$/);
  expect(line).not.toContain("nadia");
});

test("lists the stack frames without the error's message if `withStack` is set", () => {
  const lines = describeError(failed, { withStack: true }).split("\n");
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join("")).not.toContain("nadia");
});
