import { type LanguageMarks, markLanguage } from "./direction.ts";

/**
 * Marks text that is missing in a language and therefore borrowed from a fallback language. Unicode
 * isolates around borrowed text preserve its direction everywhere, including attributes, titles and
 * plain text. In HTML, `<Text>` and the emails' `say` print an element with `lang` and `dir`
 * attributes instead (WCAG 2.2, 3.1.2).
 */

/**
 * Isolates that start borrowed text, keyed by its source: English or the campus's default language.
 */
const begins = { english: "\u2066", first: "\u2068" } as const;
const end = "\u2069";

/** Marks text as borrowed. Returns text that is already marked unchanged. */
export function borrow(text: string, from: keyof typeof begins): string {
  return isBorrowed(text) ? text : `${begins[from]}${text}${end}`;
}

export function isBorrowed(text: string): boolean {
  return text.startsWith(begins.english) || text.startsWith(begins.first);
}

/** Marks part of a text as borrowed if the text is borrowed. */
export function borrowPart(text: string, part: string): string {
  return isBorrowed(text) ? text.charAt(0) + removeMarks(part) + end : part;
}

/** Removes the isolates from text that a program will read. */
export function removeMarks(text: string): string {
  return text.replace(/[\u2066\u2068\u2069]/g, "");
}

/**
 * Part of a text: a string in the language around it, or a part with other `lang` and `dir`
 * attributes.
 */
export type TextRun = string | { marks: LanguageMarks; runs: readonly TextRun[] };

/** Attributes for borrowed text, keyed by the isolate that starts it. */
export type BorrowedMarks = Readonly<Record<string, LanguageMarks>>;

/** @param firstLanguage the campus's default language */
export function createBorrowedMarks(language: string, firstLanguage = language): BorrowedMarks {
  return {
    [begins.english]: markLanguage("en", language),
    [begins.first]: markLanguage(firstLanguage, language),
  };
}

/**
 * Splits text where borrowed text starts and ends. Borrowed text can contain other borrowed text,
 * because placeholders are filled with texts. Keeps isolates that have no counterpart.
 */
export function splitBorrowed(text: string, borrowed: BorrowedMarks): readonly TextRun[] {
  if (!/[\u2066\u2068]/.test(text)) return [text];
  const open: { begin: string; runs: TextRun[] }[] = [{ begin: "", runs: [] }];
  const close = (toRuns: (begin: string, runs: TextRun[]) => TextRun[]) => {
    const { begin, runs } = open.pop() ?? { begin: "", runs: [] };
    open.at(-1)?.runs.push(...toRuns(begin, runs));
  };
  for (const part of text.split(/([\u2066\u2068\u2069])/).filter(Boolean)) {
    const marks = borrowed[part];
    if (marks) open.push({ begin: part, runs: [] });
    else if (part !== end || open.length === 1) open.at(-1)?.runs.push(part);
    else close((begin, runs) => [{ marks: borrowed[begin] ?? {}, runs }]);
  }
  while (open.length > 1) close((begin, runs) => [begin, ...runs]);
  return open[0]?.runs ?? [];
}
