import { expect, test } from "vitest";
import { unwrap, wrap } from "./wrap.ts";

const long =
  "We have more requests than we can carry out by the day that we promised to you before. "
    .repeat(3)
    .trim();

test("unwrap restores wrapped paragraphs, quotes and lists", () => {
  const text = [long, `> ${long}`, `- ${long}`].join("\n\n");
  const wrapped = [wrap(long), wrap(long, "> "), wrap(long, "- ", "  ")].join("\n\n");
  expect(wrapped).not.toBe(text);
  expect(unwrap(wrapped)).toBe(text);
});

test("unwrap keeps facts, URLs and list items on separate lines", () => {
  const address = `https://rides.uni.example/${"a".repeat(60)}`;
  const text = `Reference:   ABCD-EFGH\nDone by:     Sunday\n\nSee it here:\n${address}\n\n- one\n- two`;
  expect(unwrap(text)).toBe(text);
});

test("unwrap keeps facts that are longer than a line on separate lines", () => {
  const text = `Received:  ${long}\nConfirmed: ${long}\nReference: ABCD-EFGH`;
  expect(unwrap(text)).toBe(text);
});
