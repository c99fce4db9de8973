import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { WebAddress, WithAddresses, WithDates } from "./line-breaks.tsx";

const write = (text: string) => renderToStaticMarkup(createElement(WithAddresses, { text }));

test("allows a break only after the @ of a long email address", () => {
  const text = "Enter an address in the form name@very-old-university.example.";
  const html = write(text);
  expect(html).toContain(
    '<span translate="no" dir="ltr">name@<wbr/>very-old-university.example</span>.',
  );
  expect(html.replace(/<[^>]+>/g, "")).toBe(text);
  expect(write("Write to name@uni.example?")).toBe(
    'Write to <span translate="no" dir="ltr">name@uni.example</span>?',
  );
  expect(write("No address at all.")).toBe("No address at all.");
});

test("allows breaks in a URL only before dots and slashes", () => {
  const html = renderToStaticMarkup(
    createElement(WebAddress, { url: "https://android.campus.example/get" }),
  );
  expect(html).toBe("android<wbr/>.campus<wbr/>.example<wbr/>/get");
});

test.each([
  ["Monday 14\u00a0December 2026 at 11:10", "14\u00a0December 2026"],
  ["Monday, December\u00a014, 2026 at 11:10", "December\u00a014, 2026"],
  ["Montag, 14.\u00a0Dezember 2026 um 11:10\u00a0Uhr", "14.\u00a0Dezember 2026"],
  // The comma after the year belongs on the same line.
  ["সোমবার, ১৪\u00a0ডিসেম্বর, ২০২৬, ১১:১০", "১৪\u00a0ডিসেম্বর, ২০২৬,"],
])("wraps a date and its year in one element: %s", (text, day) => {
  const html = renderToStaticMarkup(createElement(WithDates, { text, className: "date" }));
  expect(html).toContain(`<span class="date">${day}</span>`);
  expect(html.replace(/<[^>]+>/g, "")).toBe(text);
});
