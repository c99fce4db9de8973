import { expect, test } from "vitest";
import { whereFrom } from "./posted-form.ts";

const publicUrl = "https://rides.example";

test.each([
  [{ "sec-fetch-site": "same-origin" }, "ours"],
  [{ "sec-fetch-site": "none" }, "ours"],
  [{ "sec-fetch-site": "same-site" }, "elsewhere"],
  [{ "sec-fetch-site": "cross-site" }, "elsewhere"],
  [{ "sec-fetch-site": "cross-site", origin: publicUrl }, "elsewhere"],
  [{ origin: publicUrl }, "ours"],
  [{ origin: "https://evil.example" }, "elsewhere"],
  [{ origin: "http://rides.example.evil.example" }, "elsewhere"],
  [{ origin: "null" }, "elsewhere"],
  [{ origin: "not an origin" }, "elsewhere"],
  [{ origin: "http://localhost:3000", host: "localhost:3000" }, "ours"],
  [{ origin: "http://localhost:3001", host: "localhost:3000" }, "elsewhere"],
  [{}, "unsaid"],
] as [Record<string, string>, string][])(
  "what came with %j stood here: %s",
  (headers, expected) => {
    expect(whereFrom(new Headers(headers), publicUrl)).toBe(expected);
  },
);
