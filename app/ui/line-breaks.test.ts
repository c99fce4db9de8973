import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { breakAddresses, Counted, WithAddresses } from "./line-breaks.tsx";

const write = (part: typeof Counted | typeof WithAddresses, text: string) =>
  renderToStaticMarkup(createElement(part, { text }));

test("an address may break behind its @, and nowhere is a sign added or lost", () => {
  const text = "Enter an address in the form name@university.example.";
  const html = write(WithAddresses, text);
  expect(html).toContain("name<span>@<wbr/>university.example.</span>");
  expect(html.replace(/<[^>]+>/g, "")).toBe(text);
  expect(write(WithAddresses, "No address at all.")).toBe("No address at all.");
});

test("of links made from Markdown only addresses that are shown break, not the one that is linked to", () => {
  expect(
    breakAddresses(
      'Write to <a href="mailto:help@campus.example?subject=A">help@campus.example</a>.',
    ),
  ).toBe('Write to <a href="mailto:help@campus.example?subject=A">help@<wbr>campus.example</a>.');
  const named = '<a href="mailto:help@campus.example">Write to us</a>, or to @campus';
  expect(breakAddresses(named)).toBe(named);
});

test.each([
  ["It takes 7-10 business days.", "It takes <span>7-10 business</span> days."],
  ["14 Dec 2026, 11:00", "<span>14 Dec 2026</span>, 11:00"],
  ["by Tuesday, 29 December 2026", "by Tuesday, <span>29 December</span> 2026"],
  ["14. Dez. 2026 um 11:00", "<span>14. Dez. 2026</span> um 11:00"],
  ["১৪ ডিসেম্বর", "<span>১৪ ডিসেম্বর</span>"],
  ["Until we begin, you can cancel.", "Until we begin, you can cancel."],
])("in '%s' a number stands beside what it counts", (text, html) => {
  expect(write(Counted, text)).toBe(html);
});
