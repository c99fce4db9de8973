/** Scripts whose letters are wider than Latin letters of the same font size. */
const wideScripts = /[\p{Script=Bengali}\p{Script=Devanagari}\p{Script=Han}]/u;

const signs = new Intl.Segmenter();

/**
 * Splits a headline into two lines: after a comma if it has one, or else into lines of similar
 * length. A headline of one word stays on one line. Also returns the width of the longer line, in
 * Latin letters.
 */
export function splitHeadline(headline: string): { lines: string[]; letters: number } {
  const words = headline.trim().split(/\s+/);
  const widthOf = (line: string) =>
    Math.ceil([...signs.segment(line)].length * (wideScripts.test(line) ? 1.4 : 1));
  const splits = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")]);
  const lettersOf = (lines: string[]) => Math.max(...lines.map(widthOf));
  const lines = splits.find(([first = ""]) => /[,،、]$/u.test(first)) ??
    splits.toSorted((a, b) => lettersOf(a) - lettersOf(b))[0] ?? [headline];
  return { lines, letters: lettersOf(lines) };
}
