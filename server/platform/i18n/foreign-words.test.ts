import { describe, expect, test } from "vitest";
import { createSplitByLanguage } from "./foreign-words.ts";

const names = { product: "Rickshare", developer: "Rickshare Team", campus: "Bokul College" };

/** Creates a function that marks foreign words as `[language text]`. */
const markIn = (language: string) => {
  const split = createSplitByLanguage({ language, ...names });
  return (text: string) =>
    split(text)
      .map((part) => (part.language ? `[${part.language} ${part.text}]` : part.text))
      .join("");
};
const inBangla = markIn("bn");

describe("in Bangla text", () => {
  test.each([
    ["মেইলবক্সে “welcome” লিখে খুঁজুন।", "মেইলবক্সে “[en welcome]” লিখে খুঁজুন।"],
    [
      "অধ্যাদেশ, ২০২৫ (Personal Data Protection Ordinance, 2025)",
      "অধ্যাদেশ, ২০২৫ ([en Personal Data Protection Ordinance], 2025)",
    ],
    ["ম্যাপে এটা “Gate 1”", "ম্যাপে এটা “[en Gate] 1”"],
    ["যাত্রী (rider)", "যাত্রী ([en rider])"],
    ["“welcome”-\u2060এ", "“[en welcome]”-\u2060এ"],
  ])("marks English words in Bangla text: %s", (text, marked) => {
    expect(inBangla(text)).toBe(marked);
  });

  test.each([
    "Rickshare অ্যাপ, Bokul College-এর জন্য",
    "© ২০২৬ Rickshare Team",
    "WCAG 2.2, AA স্তর, SHA-256",
    "লিখুন help@rickshare.example ঠিকানায়, receipt.txt নামে, https://rickshare.example/faq",
    "ঠিকানা a•••••@uni.example, a… @ uni.example",
    "http://localhost:3000/delete-my-account?link=i56Q-Nk&visit=a",
    "রেফারেন্স K7RM-4XQP",
    "{date} তারিখের মধ্যে",
    "ক & খ, <গ>",
    "",
  ])("doesn't mark names, abbreviations, addresses or placeholders: %s", (text) => {
    expect(inBangla(text)).toBe(text);
  });
});

test("marks words in Bengali script in an English text as Bangla", () => {
  expect(markIn("en")("Say ধন্যবাদ, কেমন আছেন to the rider.")).toBe(
    "Say [bn ধন্যবাদ, কেমন আছেন] to the rider.",
  );
});

test("doesn't mark words in the same script as the text", () => {
  const plain = "Say thanks, isn’t it; Prüfung.";
  expect(markIn("de")(plain)).toBe(plain);
});
