import { markLanguage } from "./direction.ts";

/**
 * Marks text that is missing in a language and therefore borrowed from a fallback language. Unicode
 * isolates around borrowed text preserve its direction everywhere, including attributes, titles and
 * plain text. Pages and emails replace the isolates with elements that have `lang` and `dir`
 * attributes (WCAG 2.2, 3.1.2).
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

/** Removes the isolates from text that a program will read. */
export function removeMarks(text: string): string {
  return text.replace(/[\u2066\u2068\u2069]/g, "");
}

/** Matches tags that don't change the depth: void elements, self-closing tags and declarations. */
const empty =
  /^<(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b|^<!|\/>$/i;

/** Matches tags of elements that can contain only text. Isolates inside these elements are kept. */
const textOnly = /^<(\/?)(?:title|textarea|script|style|option)\b/i;

/** Language of an HTML document, and the default language that it borrows text from. */
export type Languages = { language: string; firstLanguage?: string | undefined };

/**
 * Replaces the isolates around borrowed text with `<span lang>` elements. Keeps isolates that start
 * and end in different elements.
 */
export function markBorrowed(html: string, { language, firstLanguage }: Languages): string {
  if (!/[\u2066\u2068]/.test(html)) return html;
  const parts = html.split(/(<[^>]*>|[\u2066\u2068\u2069])/);
  for (const [begin, behind] of findPairs(parts)) {
    const from = parts[begin] === begins.first ? (firstLanguage ?? language) : "en";
    const { lang, dir } = markLanguage(from, language);
    parts[begin] = `<span lang="${lang}"${dir ? ` dir="${dir}"` : ""}>`;
    parts[behind] = "</span>";
  }
  return parts.join("");
}

/** Finds the pairs of isolates that start and end in the same element. */
function findPairs(parts: readonly string[]): [begin: number, end: number][] {
  const pairs: [number, number][] = [];
  const open: { at: number; depth: number }[] = [];
  let depth = 0;
  let isTextOnly = false;
  for (const [at, part] of parts.entries()) {
    const [, closing] = textOnly.exec(part) ?? [];
    if (closing !== undefined) isTextOnly = closing === "";
    else if (part.startsWith("<")) depth += levelsOf(part);
    else if (isTextOnly) continue;
    else if (isBorrowed(part)) open.push({ at, depth });
    else if (part === end) {
      const begin = open.pop();
      if (begin?.depth === depth) pairs.push([begin.at, at]);
    }
  }
  return pairs;
}

/** Returns how a tag changes the nesting depth: -1, 0 or 1. */
function levelsOf(tag: string): number {
  if (tag.startsWith("</")) return -1;
  return empty.test(tag) ? 0 : 1;
}
