/**
 * No-break characters for Bangla text, added when the text is loaded. They keep a number on the
 * same line as its short unit, and a short suffix on the same line as its word.
 */

const noBreakSpace = "\u00a0";
/** Word joiner: prevents a line break, has no width, and is silent in screen readers. */
const wordJoiner = "\u2060";

const bengali = "[\\p{Script=Bengali}\\p{M}]";

/**
 * Matches the space between a number (unless it is a year) and its short unit: "৫ মিনিট", even if
 * the number is bold or a phone link in Markdown. Also matches the space between a telephone number
 * and its Latin digits: "১০৯ (109)".
 */
const unit = new RegExp(
  `(?<=(?<![০-৯])[০-৯]{1,3}(?:\\**|\\]\\(tel:\\d+\\))) (?=${bengali}{1,8}(?!${bengali}))|(?<=[০-৯]) (?=\\(\\d+\\))`,
  "gu",
);

/**
 * Matches the position after a hyphen if the suffix is too short to start a line: "পা-ও",
 * "১২-৩৪৫৬". Skips URLs.
 */
const ending = new RegExp(`(?<=(?<![/#]\\S*)-)(?=${bengali}{1,6}(?!${bengali}))`, "gu");

/** Keeps numbers on one line with their units. Used after values are filled in. */
export function keepUnits(text: string): string {
  return text.replace(unit, noBreakSpace);
}

/**
 * Keeps numbers on one line with their units, and suffixes with their words. Accepts plain text and
 * Markdown.
 */
export function addNoBreaks(text: string): string {
  return keepUnits(text).replace(ending, wordJoiner);
}

/** Removes no-break characters from plain text, because they would prevent search matches. */
export function removeNoBreaks(text: string): string {
  return text.replaceAll(noBreakSpace, " ").replaceAll(wordJoiner, "");
}
