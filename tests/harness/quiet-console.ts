import { afterEach, beforeEach, expect, vi } from "vitest";

// Makes unexpected console output fail a test; otherwise, nobody would notice it.
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "unexpected console.error").toEqual([]);
  expect(vi.mocked(console.warn).mock.calls, "unexpected console.warn").toEqual([]);
});
