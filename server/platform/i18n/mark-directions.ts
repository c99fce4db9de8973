import { type Languages, markBorrowed } from "./borrowed-words.ts";
import { directionOf } from "./direction.ts";

/**
 * Marks the language of borrowed texts and, on pages from right to left, the direction of codes.
 * Every page, email and data export passes through this function.
 */
export function markDirections(html: string, languages: Languages): string {
  const marked = markBorrowed(html, languages);
  return directionOf(languages.language) === "rtl" ? isolateCodes(marked) : marked;
}

/** A place at which a long address may break. */
const breakable = "(?:<wbr ?/?>)?";

/**
 * Matches URLs, email addresses (including masked ones), host and file names, references and
 * telephone numbers. Without isolation, Unicode's algorithm reorders their parts between Arabic
 * letters.
 */
const code = new RegExp(
  [
    'https?://(?:[^\\s<>"«»]|<wbr ?/?>)+(?<![.,;:!?)])',
    `[\\w.+•-]+@${breakable}[\\w•-]+(?:${breakable}\\.${breakable}[\\w-]+)*`,
    `(?<![\\w/.-])[A-Za-z][\\w-]*(?:${breakable}[./]${breakable}[\\w-]+)+`,
    "\\b[A-Z2-9]{4}-[A-Z2-9]{4}\\b",
    "(?<![\\p{L}\\p{N}])\\+?\\d(?:[ \\u00a0()-]?\\d){5,}(?!\\p{N})",
  ].join("|"),
  "gu",
);

/** Elements whose content is code in any language. */
const codeElement = /^<(?:code|kbd|samp)(?![^>]*\sdir=)(?=[\s>])/;

/** Elements that may contain only text, or whose text isn't part of the HTML. */
const textOnly = /^<(\/?)(?:title|textarea|script|style|option|text|code|kbd|samp)\b/i;

/** Isolates the codes in an HTML document whose texts run from right to left. */
function isolateCodes(html: string): string {
  let isTextOnly = false;
  let isLeftToRight = false;
  return html
    .split(/(<(?!wbr)[^>]*>)/)
    .map((part) => {
      if (!part.startsWith("<") || part.startsWith("<wbr")) {
        if (isTextOnly || isLeftToRight) return part;
        return part.replace(code, '<span dir="ltr">$&</span>');
      }
      const [, closing] = textOnly.exec(part) ?? [];
      if (closing !== undefined) isTextOnly = closing === "";
      isLeftToRight = part.includes(' dir="ltr"');
      return part.replace(codeElement, '$& dir="ltr"');
    })
    .join("");
}
