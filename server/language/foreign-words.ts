import { Parser } from "htmlparser2";

/**
 * Marks the language of words in another script, so that a screen reader speaks "welcome" in a
 * Bangla sentence as English, and বাংলা in an English one as Bangla (WCAG 2.2, 3.1.2). Names,
 * abbreviations, addresses, file names and numbers get no mark. In the same pass it keeps a
 * Bengali ending on the line of its word, and a number on the line of the word that it counts.
 */

/** Scripts (ISO 15924), and the language assumed for words in them within another language. */
const scripts: Record<string, { letter: string; language: string }> = {
  Latn: { letter: "\\p{Script=Latin}", language: "en" },
  Beng: { letter: "[\\p{Script=Bengali}\\p{M}]", language: "bn" },
};

/** Matches consecutive words that are not part of an address, a code or a file name. */
function wordsOf(letter: string): RegExp {
  const word = `${letter}+(?:['’-]${letter}+)*`;
  const before = "(?<![\\p{L}\\p{M}\\p{N}@._/:#&-])";
  const behind = `(?!${letter}|[\\p{N}@_/:;]|[.-][\\p{Script=Latin}\\p{N}])`;
  return new RegExp(`${before}${word}(?:,? ${word})*${behind}`, "gu");
}

/** An ending behind a hyphen that is too short to begin a line: "পা-ও", "১২-৩৪৫৬". */
const bengaliEnding = /-[\p{Script=Bengali}\p{M}]{1,6}(?![\p{Script=Bengali}\p{M}])/gu;

/**
 * The space between a number, unless it is a year, and a short word that it counts: "৫ মিনিট",
 * "৬ কিমি"; also between a telephone number and its Latin digits: "১০৯ (109)".
 */
const bengaliUnit =
  /(?<=(?<![০-৯])[০-৯]{1,3}) (?=[\p{Script=Bengali}\p{M}]{1,8}(?![\p{Script=Bengali}\p{M}]))|(?<=[০-৯]) (?=\(\d+\))/gu;

/**
 * The same for a marked number, such as a range or a bold one: its end, and the space before
 * its unit.
 */
const shortNumber = /(?<![০-৯])[০-৯]{1,3}$/u;
const unitFirst = /^ (?=[\p{Script=Bengali}\p{M}]{1,8}(?![\p{Script=Bengali}\p{M}]))/u;
const marks = ["a", "b", "span", "strong"];

/** Elements that are no running text, or are spoken letter by letter anyway. */
const passedOver = new Set([
  "head",
  "script",
  "style",
  "svg",
  "code",
  "pre",
  "kbd",
  "samp",
  "textarea",
  "select",
  "title",
]);

/**
 * Makes a function that marks a text of one language, plain or HTML without tags.
 * @param names in any script, never marked
 */
export function createWordMarks(language: string, names: readonly string[]) {
  const own = new Intl.Locale(language).maximize().script ?? "";
  const foreign = Object.entries(scripts)
    .filter(([script]) => script !== own)
    .map(([, { letter, language: of }]) => ({ words: wordsOf(letter), of }));
  return (text: string): string =>
    foreign
      .reduce(mark(names), text)
      .replace(bengaliUnit, "\u00a0")
      .replace(bengaliEnding, '<span class="whole">$&</span>');
}

/** Marks a whole page. @param language the page's */
export function markForeignWords(html: string, language: string, names: readonly string[]): string {
  const markText = createWordMarks(language, names);
  let marked = "";
  let copied = 0;
  let depth = 0;
  // Depth of the outermost skipped element.
  let over: number | undefined;
  // The preceding text, if only tags of marks have ended since.
  let before = "";
  const parser = new Parser(
    {
      onopentag(name, { lang = language }) {
        depth++;
        if (passedOver.has(name) || lang !== language) over ??= depth;
        before = "";
      },
      onclosetag(name) {
        if (over === depth) over = undefined;
        depth--;
        if (!marks.includes(name)) before = "";
      },
      ontext(text) {
        const held = shortNumber.test(before) ? text.replace(unitFirst, "\u00a0") : text;
        before = text;
        if (over !== undefined) return;
        marked += html.slice(copied, parser.startIndex) + markText(held);
        copied = parser.endIndex + 1;
      },
    },
    { decodeEntities: false },
  );
  parser.end(html);
  return marked + html.slice(copied);
}

function mark(names: readonly string[]) {
  return (text: string, { words, of }: { words: RegExp; of: string }): string =>
    text.replace(words, (found) => {
      const rest = names.reduce((left, name) => left.replaceAll(name, ""), found);
      // A word without lower-case letters is an abbreviation, in scripts that have capitals.
      const isWord = of === "en" ? /\p{Ll}{2}|^\p{Ll}/u.test(rest) : rest !== "";
      return isWord ? `<span lang="${of}">${found}</span>` : found;
    });
}
