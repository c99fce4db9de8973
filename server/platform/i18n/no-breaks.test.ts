import { expect, test } from "vitest";
import { addNoBreaks, keepUnits, removeNoBreaks } from "./no-breaks.ts";

test.each([
  ["৫ মিনিট", "৫\u00a0মিনিট"],
  ["৫,০০০ টাকা", "৫,০০০\u00a0টাকা"],
  ["**৭** কর্মদিবস", "**৭**\u00a0কর্মদিবস"],
  ["[৯৯৯](tel:999) নম্বরে", "[৯৯৯](tel:999)\u00a0নম্বরে"],
  ["১৬২৬৩ (16263)", "১৬২৬৩\u00a0(16263)"],
])("keeps a number on the same line as its unit: %s", (text, kept) => {
  expect(addNoBreaks(text)).toBe(kept);
  expect(keepUnits(text)).toBe(kept);
});

test.each(["২০ সেমিস্টারের পর", "২০২৬ সালে", "**২০২৬** সালে", "5 minutes"])(
  "doesn't add a no-break space after a year or before a long word: %s",
  (text) => {
    expect(addNoBreaks(text)).toBe(text);
  },
);

test.each([
  ["পা-ও নামান", "পা-\u2060ও নামান"],
  ["Rickshare-এর অ্যাপ", "Rickshare-\u2060এর অ্যাপ"],
  ["“welcome”-এ, ১২-৩৪৫৬", "“welcome”-\u2060এ, ১২-\u2060৩৪৫৬"],
  ["যাওয়া-আসার সেলফ-ডিফেন্স", "যাওয়া-\u2060আসার সেলফ-ডিফেন্স"],
])("keeps a short suffix on the same line as its word: %s", (text, kept) => {
  expect(addNoBreaks(text)).toBe(kept);
  expect(addNoBreaks(kept)).toBe(kept);
  expect(removeNoBreaks(kept)).toBe(text);
});

test.each(["[here](https://bn.example/wiki/পা-ও)", "[here](#পা-ও)", "twenty-one, 7-10"])(
  "doesn't change URLs or text in other scripts: %s",
  (text) => {
    expect(addNoBreaks(text)).toBe(text);
  },
);
