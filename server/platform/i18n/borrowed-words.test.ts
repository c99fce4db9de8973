import { expect, test } from "vitest";
import { borrow, borrowPart, createBorrowedMarks, splitBorrowed } from "./borrowed-words.ts";
import { createSplitByLanguage } from "./foreign-words.ts";

const english = borrow("Open for 5 min.", "english");
const inArabic = createBorrowedMarks("ar");
const inFrench = createBorrowedMarks("fr", "ar");
const fromEnglish = { lang: "en" };
const fromArabic = { lang: "ar", dir: "rtl" };

test("finds borrowed text with its language and direction", () => {
  expect(splitBorrowed(`${english} نعم`, inArabic)).toEqual([
    { marks: { lang: "en", dir: "ltr" }, runs: ["Open for 5 min."] },
    " نعم",
  ]);
  expect(splitBorrowed(borrow("أهلا", "first"), inFrench)).toEqual([
    { marks: fromArabic, runs: ["أهلا"] },
  ]);
});

test("finds borrowed text nested in other borrowed text", () => {
  const text = borrow(`Due: ${borrow("today", "english")}`, "first");
  expect(splitBorrowed(text, inFrench)).toEqual([
    { marks: fromArabic, runs: ["Due: ", { marks: fromEnglish, runs: ["today"] }] },
  ]);
});

test("marks each part of a borrowed text", () => {
  const line = borrowPart(english, "\u2066Open for");
  expect(line).toBe(borrow("Open for", "english"));
  expect(borrowPart("Open", "Op")).toBe("Op");
});

test("keeps isolates without a counterpart", () => {
  const pieces = (text: string) => splitBorrowed(text, inFrench);
  expect(pieces("a\u2069b").join("")).toBe("a\u2069b");
  expect(pieces("\u2066a").join("")).toBe("\u2066a");
  expect(pieces(`\u2068a ${borrow("b", "english")}`)).toEqual([
    "\u2068",
    "a ",
    { marks: fromEnglish, runs: ["b"] },
  ]);
});

test("finds no foreign words in borrowed text", () => {
  const split = createSplitByLanguage({ language: "ar", product: "", developer: "", campus: "" });
  expect(split(english)).toEqual([{ text: english }]);
});
