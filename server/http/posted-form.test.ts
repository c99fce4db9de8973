import { expect, test } from "vitest";
import { isSameOrigin } from "./posted-form.ts";

const publicUrl = "https://rides.example";

test.each([
  [{ "sec-fetch-site": "same-origin" }, true],
  [{ "sec-fetch-site": "none" }, true],
  [{ "sec-fetch-site": "same-site" }, false],
  [{ "sec-fetch-site": "cross-site" }, false],
  [{ "sec-fetch-site": "cross-site", origin: publicUrl }, false],
  [{ origin: publicUrl }, true],
  [{ origin: "https://evil.example" }, false],
  [{ origin: "http://rides.example.evil.example" }, false],
  [{ origin: "null" }, false],
  [{ origin: "not an origin" }, false],
  [{ origin: "http://localhost:3000", host: "localhost:3000" }, true],
  [{ origin: "http://localhost:3001", host: "localhost:3000" }, false],
  [{}, true],
] as [Record<string, string>, boolean][])("%j is ours: %s", (headers, expected) => {
  expect(isSameOrigin(new Headers(headers), publicUrl)).toBe(expected);
});
