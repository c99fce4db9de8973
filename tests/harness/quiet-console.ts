import { afterEach, beforeEach, expect, vi } from "vitest";

// Whatever is written to the console by surprise is a fault that nobody would otherwise read.
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  expect(vi.mocked(console.error).mock.calls, "unexpected console.error").toEqual([]);
  expect(vi.mocked(console.warn).mock.calls, "unexpected console.warn").toEqual([]);
});
