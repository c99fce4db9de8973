import { expect, test } from "vitest";
import { findFormOrigin } from "./posted-form.ts";

const publicUrl = "https://rides.example";

test.each([
  [{ "sec-fetch-site": "same-origin" }, "ours"],
  [{ "sec-fetch-site": "none" }, "ours"],
  [{ "sec-fetch-site": "none", origin: publicUrl }, "ours"],
  [{ "sec-fetch-site": "none", origin: "http://evil.example" }, "elsewhere"],
  [{ "sec-fetch-site": "same-origin", origin: "http://evil.example" }, "elsewhere"],
  [{ "sec-fetch-site": "same-origin", origin: "null" }, "ours"],
  [{ "sec-fetch-site": "none", origin: "null" }, "elsewhere"],
  [{ "sec-fetch-site": "same-site" }, "elsewhere"],
  [{ "sec-fetch-site": "cross-site" }, "elsewhere"],
  [{ "sec-fetch-site": "cross-site", origin: publicUrl }, "elsewhere"],
  [{ origin: publicUrl }, "ours"],
  [{ origin: "https://evil.example" }, "elsewhere"],
  [{ origin: "http://rides.example.evil.example" }, "elsewhere"],
  [{ origin: "null" }, "elsewhere"],
  [{ origin: "not an origin" }, "elsewhere"],
  [{ origin: "https://rides.internal", host: "rides.internal" }, "ours"],
  [{ origin: "https://rides.internal:8443", host: "rides.internal" }, "elsewhere"],
  [{ origin: "http://rides.example", host: "rides.example" }, "elsewhere"],
  [{}, "unknown"],
] as [Record<string, string>, string][])(
  "classifies a form with the headers %j as %s",
  (headers, expected) => {
    expect(findFormOrigin(new Headers(headers), publicUrl)).toBe(expected);
  },
);
