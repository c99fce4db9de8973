import { Parser } from "htmlparser2";

/**
 * Says of words in another script whose language they are, so that a screen reader speaks "welcome" in a Bangla sentence
 * as English, and বাংলা in an English one as Bangla (WCAG 2.2, 3.1.2). Names, abbreviations, addresses, file names and
 * numbers need no language of their own and get none. On the same way through a page a Bengali ending is kept in the line
 * of its word, and a number in the line of what it counts.
 */

/** Letters of a script (ISO 15924), and the language that words in it are taken for where another is written. */
const scripts: Record<string, { letter: string; language: string }> = {
  Latn: { letter: "\\p{Script=Latin}", language: "en" },
  Beng: { letter: "[\\p{Script=Bengali}\\p{M}]", language: "bn" },
};

/** Words in a row that stand apart from whatever makes an address, a code or a file name of them. */
function wordsOf(letter: string): RegExp {
  const word = `${letter}+(?:['’-]${letter}+)*`;
  const before = "(?<![\\p{L}\\p{M}\\p{N}@._/:#&-])";
  const behind = `(?!${letter}|[\\p{N}@_/:;]|[.-][\\p{Script=Latin}\\p{N}])`;
  return new RegExp(`${before}${word}(?:,? ${word})*${behind}`, "gu");
}

/** What follows a hyphen and is too short for a line's beginning: "পা-ও", "১২-৩৪৫৬". */
const bengaliEnding = /-[\p{Script=Bengali}\p{M}]{1,6}(?![\p{Script=Bengali}\p{M}])/gu;

/**
 * The space between a number, which is no year, and what it counts, where that is short: "৫ মিনিট", "৬ কিমি". So
 * is that between a number to dial and its digits on the keys: "১০৯ (109)".
 */
const bengaliUnit =
  /(?<=(?<![০-৯])[০-৯]{1,3}) (?=[\p{Script=Bengali}\p{M}]{1,8}(?![\p{Script=Bengali}\p{M}]))|(?<=[০-৯]) (?=\(\d+\))/gu;

/** The same where the number is marked, as a range or a bold one is: its end, and the space that its unit begins with. */
const shortNumber = /(?<![০-৯])[০-৯]{1,3}$/u;
const unitFirst = /^ (?=[\p{Script=Bengali}\p{M}]{1,8}(?![\p{Script=Bengali}\p{M}]))/u;
const marks = ["a", "b", "span", "strong"];

/** What is no running text, or is spoken letter by letter anyway. */
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
 * What marks a text of one language: plain, or HTML without tags.
 * @param names in any script, which are marked nowhere
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

/**
 * Marks a whole page.
 * @param language the page's
 */
export function markForeignWords(html: string, language: string, names: readonly string[]): string {
  const markText = createWordMarks(language, names);
  let marked = "";
  let copied = 0;
  let depth = 0;
  // How deep the outermost element stands that is passed over.
  let over: number | undefined;
  // The text that ended just before, where nothing but a mark has ended since.
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
      // What has no small letter is an abbreviation; scripts without capitals have only words.
      const isWord = of === "en" ? /\p{Ll}{2}|^\p{Ll}/u.test(rest) : rest !== "";
      return isWord ? `<span lang="${of}">${found}</span>` : found;
    });
}
