export type Direction = "ltr" | "rtl";

/** Attributes of an element whose language or direction differs from its surroundings. */
export type LanguageMarks = { lang?: string; dir?: Direction };

export function directionOf(language: string): Direction {
  return new Intl.Locale(language).getTextInfo().direction === "rtl" ? "rtl" : "ltr";
}

/**
 * Returns the attributes for an element whose language differs from its surroundings: `lang`, and
 * `dir` if the direction differs, too. If there is no language, returns no attributes.
 */
export function markLanguage(language: string | undefined, around: string): LanguageMarks {
  if (!language) return {};
  const dir = directionOf(language);
  return dir === directionOf(around) ? { lang: language } : { lang: language, dir };
}
