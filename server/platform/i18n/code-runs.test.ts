import { expect, test } from "vitest";
import { splitCodes } from "./code-runs.ts";

test.each([
  ["a reference that begins with digits", "5723-KM42"],
  ["an email address", "1.student+a@uni.example"],
  ["a masked email address", "s••••@uni.example"],
  ["a URL", "https://uni.example/a?b=1-2"],
  ["a URL with a port", "http://localhost:3000/delete-my-account?link=a-1"],
  ["a host without a scheme", "app.uni.example/get"],
  ["a telephone number", "+20 2 1234 5678"],
])("isolates %s between Arabic words", (_name, code) => {
  expect(splitCodes(`رقم ${code}.`)).toEqual([
    "رقم ",
    { marks: { dir: "ltr" }, runs: [code] },
    ".",
  ]);
});

test("does not isolate dates, ranges and times", () => {
  const text = "من 7-10 أيام، 23 نوفمبر 2026 في 6:00 ص";
  expect(splitCodes(text)).toEqual([text]);
});
