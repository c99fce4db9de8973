export type Direction = "ltr" | "rtl";

/** Returns the direction in which a language is written. */
export function directionOf(language: string): Direction {
  return new Intl.Locale(language).getTextInfo().direction === "rtl" ? "rtl" : "ltr";
}

/**
 * Returns the attributes of an element whose language differs from its surroundings' language, and
 * its direction if that differs, too. Empty if there is no language.
 */
export function markLanguage(
  language: string | undefined,
  around: string,
): { lang?: string; dir?: Direction } {
  if (!language) return {};
  const dir = directionOf(language);
  return dir === directionOf(around) ? { lang: language } : { lang: language, dir };
}
