import { isBorrowed } from "./borrowed-words.ts";

/**
 * Finds words in a different script than the surrounding text. Screen readers then pronounce
 * "welcome" in a Bangla sentence as English, and বাংলা in an English sentence as Bangla (WCAG 2.2,
 * 3.1.2). Names, abbreviations, addresses, file names and numbers don't count as foreign words.
 */

/** Part of a text. `language` is set only if it differs from the language of the text. */
type TextPart = { text: string; language?: string };

/** Splits text into parts that are each in one language. */
type SplitByLanguage = (text: string) => TextPart[];

/** Scripts, keyed by ISO 15924 code. `language` is the assumed language of words in the script. */
const scripts: Record<string, { letter: string; language: string }> = {
  Latn: { letter: "\\p{Script=Latin}", language: "en" },
  Beng: { letter: "[\\p{Script=Bengali}\\p{M}]", language: "bn" },
  Arab: { letter: "[\\p{Script=Arabic}\\p{M}]", language: "ar" },
  Deva: { letter: "[\\p{Script=Devanagari}\\p{M}]", language: "hi" },
  Thai: { letter: "[\\p{Script=Thai}\\p{M}]", language: "th" },
  Cyrl: { letter: "[\\p{Script=Cyrillic}\\p{M}]", language: "uk" },
};

/**
 * Returns a pattern for consecutive words outside addresses, codes, placeholders and file names.
 */
function wordsOf(letter: string): RegExp {
  const word = `${letter}+(?:['’-]\\u2060?${letter}+)*`;
  const before = "(?<![\\p{L}\\p{M}\\p{N}@._/:#&?={-])";
  const behind = `(?!${letter}|[\\p{N}@_/:;}•…]|[.-][\\p{Script=Latin}\\p{N}])`;
  return new RegExp(`${before}${word}(?:,? ${word})*${behind}`, "gu");
}

/**
 * Language of a text, and the campus's names. Names count as part of that language in any script.
 */
export type LanguageAndNames = {
  language: string;
  product: string;
  developer: string;
  campus: string;
};

export function createSplitByLanguage({
  language,
  product,
  developer,
  campus,
}: LanguageAndNames): SplitByLanguage {
  const ownScript = new Intl.Locale(language).maximize().script ?? "";
  const otherScripts = Object.entries(scripts).filter(([script]) => script !== ownScript);
  const foreign = otherScripts.map(([, { letter, language: of }]) => ({
    words: wordsOf(letter),
    of,
  }));
  // Most texts contain no foreign letters, and testing for one is far cheaper than matching words.
  const foreignLetter = new RegExp(otherScripts.map(([, { letter }]) => letter).join("|"), "u");
  // A longer name may contain the product name, so longer names come first.
  const names = [product, developer, campus].toSorted((a, b) => b.length - a.length);
  const isWord = (found: string, of: string) => {
    const rest = names.reduce((left, name) => left.replaceAll(name, ""), found);
    // In scripts with capital letters, a word without lowercase letters is an abbreviation.
    return of === "en" ? /\p{Ll}{2}|^\p{Ll}/u.test(rest) : rest !== "";
  };
  return (text) => {
    if (!foreignLetter.test(text) || isBorrowed(text)) return [{ text }];
    return foreign.reduce<TextPart[]>(
      (parts, { words, of }) =>
        parts.flatMap((part) =>
          part.language ? [part] : splitAt(part.text, words, of, (found) => isWord(found, of)),
        ),
      [{ text }],
    );
  };
}

function splitAt(
  text: string,
  words: RegExp,
  language: string,
  isWord: (found: string) => boolean,
): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(words)) {
    if (!isWord(found)) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: found, language });
    end = index + found.length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) });
  return parts;
}
