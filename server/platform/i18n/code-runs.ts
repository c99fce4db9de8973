import type { TextRun } from "./borrowed-words.ts";

/**
 * Matches URLs, email addresses (including masked ones), host and file names, references and
 * telephone numbers. Without isolation, the Unicode bidi algorithm reorders their parts between
 * Arabic letters.
 */
const code = new RegExp(
  [
    'https?://[^\\s<>"«»]+(?<![.,;:!?)])',
    "[\\w.+•-]+@[\\w•-]+(?:\\.[\\w-]+)*",
    "(?<![\\w/.-])[A-Za-z][\\w-]*(?:[./][\\w-]+)+",
    "\\b[A-Z2-9]{4}-[A-Z2-9]{4}\\b",
    "(?<![\\p{L}\\p{N}])\\+?\\d(?:[ \\u00a0()-]?\\d){5,}(?!\\p{N})",
  ].join("|"),
  "gu",
);

/** Splits text in a right-to-left language into codes, which run from left to right, and the rest. */
export function splitCodes(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(code)) {
    if (index > end) runs.push(text.slice(end, index));
    runs.push({ marks: { dir: "ltr" }, runs: [found] });
    end = index + found.length;
  }
  if (end < text.length || runs.length === 0) runs.push(text.slice(end));
  return runs;
}
