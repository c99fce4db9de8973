import { afterEach, beforeEach, expect, vi } from "vitest";

// Fails the test on unexpected console output, which would otherwise go unnoticed.
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "unexpected console.error").toEqual([]);
  expect(vi.mocked(console.warn).mock.calls, "unexpected console.warn").toEqual([]);
});
