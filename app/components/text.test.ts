import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { borrow, createBorrowedMarks } from "../../server/platform/i18n/borrowed-words.ts";
import { createSplitRuns } from "../../server/platform/i18n/text-runs.ts";
import { WithAddresses } from "./line-breaks.tsx";
import { Text, TextMarksContext } from "./text.tsx";

const names = { product: "Rickshare", developer: "", campus: "" };

function render(element: React.ReactNode, language: string, firstLanguage?: string): string {
  const value = {
    borrowed: createBorrowedMarks(language, firstLanguage),
    split: createSplitRuns({ language, ...names }),
  };
  return renderToStaticMarkup(createElement(TextMarksContext, { value }, element));
}
const write = (text: string, language = "en", firstLanguage = language) =>
  render(createElement(Text, null, text), language, firstLanguage);

test("marks words in another script with their language", () => {
  expect(write("বাংলায় say welcome to Rickshare", "bn")).toBe(
    'বাংলায় <span lang="en">say welcome to Rickshare</span>',
  );
  expect(write("Rickshare", "bn")).toBe("Rickshare");
  expect(write("قل hello", "ar")).toBe('قل <span lang="en" dir="ltr">hello</span>');
});

test("marks borrowed text only once, with its language and direction", () => {
  expect(write(borrow("Open for 5 min.", "english"), "ar")).toBe(
    '<span lang="en" dir="ltr">Open for 5 min.</span>',
  );
  expect(write(borrow("أهلا", "first"), "fr", "ar")).toBe('<span lang="ar" dir="rtl">أهلا</span>');
});

test("marks borrowed text inside other text", () => {
  const text = borrow(`Due: ${borrow("today", "english")}`, "first");
  expect(write(`Voilà. ${text}!`, "fr", "de")).toBe(
    'Voilà. <span lang="de">Due: <span lang="en">today</span></span>!',
  );
});

test("marks addresses inside borrowed text", () => {
  const text = borrow("Write to a@uni.example.", "english");
  expect(render(createElement(WithAddresses, { text }), "ar")).toBe(
    '<span lang="en" dir="ltr">Write to <span translate="no" dir="ltr">a@uni.example</span>.</span>',
  );
});

test("isolates a code between Arabic words", () => {
  expect(write("رقم 5723-KM42.", "ar")).toBe('رقم <span dir="ltr">5723-KM42</span>.');
  expect(write("No. 5723-KM42.")).toBe("No. 5723-KM42.");
});

test("prints elements unchanged", () => {
  expect(render(createElement(Text, null, "a", createElement("b", null, "c")), "en")).toBe(
    "a<b>c</b>",
  );
});

test("prevents breaks within number ranges but not at other hyphens", () => {
  expect(write("It takes 7-10 days, well-known.")).toBe(
    'It takes <span class="range">7-10</span> days, well-known.',
  );
  expect(write("৭-\u2060১০ দিন", "bn")).toBe('<span class="range">৭-\u2060১০</span> দিন');
  expect(write("Reference FQ85-4HNH, 2026-11-30")).toBe("Reference FQ85-4HNH, 2026-11-30");
});
