import { expect, test } from "vitest";
import { describeError } from "./services.ts";

const failed = Object.assign(new TypeError("nadia@uni.example"), { code: "EPIPE" });

test("describes a failure in one line, with its place in our code and without its message", () => {
  const line = describeError(failed, { withStack: false });
  expect(line).toMatch(/^TypeError EPIPE at .*services.test\.ts:\d+:\d+\)?$/);
  expect(line).not.toContain("nadia");
});

test("adds the stack in development, and if the settings ask for it", () => {
  const lines = describeError(failed, { withStack: true }).split("\n");
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join("")).not.toContain("nadia");
});
