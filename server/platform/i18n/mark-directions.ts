import { type Languages, markBorrowed } from "./borrowed-words.ts";
import { directionOf } from "./direction.ts";

/**
 * Marks the language of borrowed text and, on right-to-left pages, the direction of codes. Every
 * page, email and data export passes through this function.
 */
export function markDirections(html: string, languages: Languages): string {
  const marked = markBorrowed(html, languages);
  return directionOf(languages.language) === "rtl" ? isolateCodes(marked) : marked;
}

/** Optional line-break opportunity in a long address. */
const breakable = "(?:<wbr ?/?>)?";

/**
 * Matches URLs, email addresses (including masked ones), host and file names, references and
 * telephone numbers. Without isolation, the Unicode bidi algorithm reorders their parts between
 * Arabic letters.
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

/** Matches opening tags of code elements that have no `dir` attribute. */
const codeElement = /^<(?:code|kbd|samp)(?![^>]*\sdir=)(?=[\s>])/;

/** Matches tags of elements whose text is left unchanged. */
const textOnly = /^<(\/?)(?:title|textarea|script|style|option|text|code|kbd|samp)\b/i;

/** Isolates the codes in a right-to-left HTML document. */
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
