import { markLanguage } from "./direction.ts";

/**
 * Marks texts that a language lacks and therefore borrows from another. Unicode's isolates around
 * such a text preserve its direction wherever it appears, even in an attribute, a title or plain
 * text. Pages and emails turn the isolates into elements with `lang` and `dir` (WCAG 2.2, 3.1.2).
 */

/**
 * Isolates that begin a borrowed text. Which one it is depends on the source: English, or the
 * campus's first language.
 */
const begins = { english: "\u2066", first: "\u2068" } as const;
const end = "\u2069";

/** Marks a text as borrowed. Does nothing if the text is already marked. */
export function borrow(text: string, from: keyof typeof begins): string {
  return isBorrowed(text) ? text : `${begins[from]}${text}${end}`;
}

export function isBorrowed(text: string): boolean {
  return text.startsWith(begins.english) || text.startsWith(begins.first);
}

/** Removes the marks from a text that a program will read. */
export function removeMarks(text: string): string {
  return text.replace(/[\u2066\u2068\u2069]/g, "");
}

/** Elements that can't have content. */
const empty =
  /^<(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b|^<!|\/>$/i;

/** Elements that can contain only text, so the isolates are kept there. */
const textOnly = /^<(\/?)(?:title|textarea|script|style|option)\b/i;

/** The language of an HTML document, and the language that it borrows texts from. */
export type Languages = { language: string; firstLanguage?: string | undefined };

/**
 * Replaces the isolates around borrowed texts with elements that declare their language. Keeps
 * isolates that begin and end in different elements.
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

/** Finds the pairs of isolates that begin and end in the same element, among tags and texts. */
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

/** Returns by how many levels a tag changes the depth. */
function levelsOf(tag: string): number {
  if (tag.startsWith("</")) return -1;
  return empty.test(tag) ? 0 : 1;
}
