import { letters } from "virtual:letters";

/** System fonts for a script, as one list for text and one for headings. */
const facesOfScripts: Record<string, readonly [string[], string[]]> = {
  Beng: [
    ["Nirmala UI", "Noto Sans Bengali", "Kohinoor Bangla", "Bangla Sangam MN", "Lohit Bengali"],
    [
      "Nirmala UI Bold",
      "Noto Sans Bengali Bold",
      "KohinoorBangla-Semibold",
      "Bangla Sangam MN Bold",
    ],
  ],
};

/**
 * Returns the `@font-face` for characters that many desktop systems can't draw. Phones have fonts
 * for every script, in several weights, and load nothing; neither does a computer with a font for
 * the page's script. `Letters` comes first in the theme's text family: behind a system font,
 * Chromium loads it but doesn't draw with it.
 */
export function facesOfLetters(language: string): string {
  const [text, heavy] = facesOfScripts[new Intl.Locale(language).maximize().script ?? ""] ?? [];
  const face = (weights: string, names: string[] = []) =>
    (letters[language] ?? []).map(({ url, range }) => {
      const sources = [...names.map((name) => `local("${name}")`), `url(${url})`];
      return `@font-face{font-family:Letters;src:${sources};font-weight:${weights};font-display:swap;unicode-range:${range}}`;
    });
  const faces = heavy ? [...face("1 549", text), ...face("550 900", heavy)] : face("400 750");
  return faces.length > 0 ? `@media(pointer:fine){${faces.join("")}}` : "";
}
