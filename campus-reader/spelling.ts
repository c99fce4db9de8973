/** Keys that people try, with hints to the setting that they mean. */
const elsewhere: Record<string, string> = {
  logo: "save it as pictures/logo.svg",
  favicon: "save it as pictures/icon.svg",
  icon: "save it as pictures/icon.svg",
  hero: "save the picture as pictures/hero.svg, and describe it in landing.yaml",
  blog: "to have no blog, leave blog out of sections",
  careers: "to have none, leave careers out of sections",
  draft: "listed: false hides a post from lists",
  published: "listed: false hides a post from lists",
  direction: "it follows the language by itself",
  dir: "it follows the language by itself",
  rtl: "it follows the language by itself",
  locale: "it belongs in content/LANGUAGE/mail.yaml",
  primary: "colours are in theme.css",
  color: "colours are in theme.css",
  colour: "colours are in theme.css",
  colours: "colours are in theme.css",
  theme: "colours are in theme.css",
  font: "put the file into fonts/ and name it as headingFont",
  weekend: "it belongs in calendar.yaml",
  holidays: "they belong in calendar.yaml",
  services: "they belong in content/LANGUAGE/landing.yaml, under services.items",
  faq: "questions are in content/LANGUAGE/faq.yaml",
  pages: "write each page as content/LANGUAGE/pages/NAME.md",
  notice: "write a list called notices",
  phone: "write emergency or localEmergency",
  languages: "write language for the first, and translations for the others",
};

/** A message lists the known keys only if there are at most this many. */
const mostKeys = 12;

/** Explains that a key is unknown, and suggests the nearest known key. */
export function explainUnknown(key: string, known: readonly string[]): string {
  if (/^\d+$/.test(key)) return "is the rest of a number with a comma; write a point, such as 2.6";
  const place = Object.hasOwn(elsewhere, key.toLowerCase()) && elsewhere[key.toLowerCase()];
  if (place && !known.includes(key.toLowerCase())) return `is not known here; ${place}`;
  const nearest = findNearest(key, known);
  if (nearest !== undefined) return `is not known here; did you mean ${nearest}?`;
  const isShort = known.length > 0 && known.length <= mostKeys;
  const list = isShort ? ` (known: ${known.join(", ")})` : "";
  return `is not known here; check its spelling, or remove it${list}`;
}

/**
 * Finds the known word that is closest to the given word. Up to a third of the letters may differ,
 * and one letter of even the shortest word. Returns `undefined` if no word is that close.
 */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((one) => ({ one, distance: distanceBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.one;
}

/**
 * Returns the Damerau-Levenshtein distance: the number of inserted, deleted, replaced and swapped
 * letters.
 */
function distanceBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      const isSwapped = letter === b[column - 2] && a[index - 1] === b[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row.at(-1) ?? 0;
}
