import { letters } from "virtual:letters";

/** What systems call their own faces of a script, as one face's names: those for text, and those for what is heavy. */
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
 * The face of the letters that many a machine cannot draw, for what is not a phone: these draw every script of the world,
 * in weights of their own, and load nothing. Nor does a computer that has a face for the script of the page. `Letters`
 * stands first in the theme's family for text: behind a face of the system, Chromium loads it and does not draw with it.
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
