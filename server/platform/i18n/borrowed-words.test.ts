import { expect, test } from "vitest";
import { borrow, markBorrowed } from "./borrowed-words.ts";
import { createSplitByLanguage } from "./foreign-words.ts";

const inArabic = { language: "ar", firstLanguage: "ar" };
const english = borrow("Open for 5 min.", "english");

test("marks borrowed text with its language and direction", () => {
  expect(markBorrowed(`<p>${english}</p>`, inArabic)).toBe(
    '<p><span lang="en" dir="ltr">Open for 5 min.</span></p>',
  );
});

test("marks text from the default language as being in that language", () => {
  const text = borrow("أهلا", "first");
  expect(markBorrowed(`<b>${text}</b>`, { language: "fr", firstLanguage: "ar" })).toBe(
    '<b><span lang="ar" dir="rtl">أهلا</span></b>',
  );
});

test("keeps elements inside borrowed text", () => {
  const text = borrow("Write <a href='/'>to<br>us</a>.", "english");
  expect(markBorrowed(`<p>${text}</p>`, inArabic)).toBe(
    '<p><span lang="en" dir="ltr">Write <a href=\'/\'>to<br>us</a>.</span></p>',
  );
});

test("marks borrowed text nested in other borrowed text", () => {
  const text = borrow(`Due: ${borrow("today", "english")}`, "first");
  expect(markBorrowed(text, { language: "fr", firstLanguage: "ar" })).toBe(
    '<span lang="ar" dir="rtl">Due: <span lang="en">today</span></span>',
  );
});

test("keeps isolates where HTML allows no element, such as in a title", () => {
  for (const html of [
    `<title>${english}</title>`,
    `<select><option>${english}</option></select>`,
    `<img alt="${english}">`,
    "<b>\u2066a</b>b\u2069",
  ]) {
    expect(markBorrowed(html, inArabic)).toBe(html);
  }
});

test("finds no foreign words in borrowed text", () => {
  const split = createSplitByLanguage({ language: "ar", product: "", developer: "", campus: "" });
  expect(split(english)).toEqual([{ text: english }]);
});
