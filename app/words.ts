import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { inLanguage, languageParameter } from "../server/language/in-language.ts";
import { createCalendarWords, formatNumber } from "../server/language/texts.ts";

/** Everything that a page says, in the language that its address asks for. */
export type Words = ReturnType<typeof toWords>;

function toWords(content: Campus, to: (address: string) => string) {
  const { settings, mail, holidays } = content;
  const { timeZone } = settings;
  const { locale } = mail;
  const dates = createCalendarWords({ locale, timeZone, holidays });
  return {
    ...content,
    /** One of our addresses, in this language: where it leads, everything is said in it, too. */
    to: (path: string, query?: Record<string, string> | string[][]) =>
      to(query ? `${path}?${new URLSearchParams(query)}` : path),
    /** True in all languages but the campus's first. */
    translated: content !== campus,
    /** Dates and counts of days in words. */
    dates,
    /** A text with what it asks for filled in. */
    say: dates.say,
    /** A number in the digits of this language. */
    digits: (value: number) => formatNumber(locale, value),
  };
}

const firstWords = toWords(campus, (path) => path);

/** The campus's languages, its first one first. */
export const languages: readonly Words[] = [
  firstWords,
  ...translations.map((translation) =>
    toWords(translation, (path) => inLanguage(path, translation.settings.language)),
  ),
];

/** The words for an address. A language that the campus does not have is its first one. */
export function wordsAt({ search }: { search: string }): Words {
  const asked = new URLSearchParams(search).get(languageParameter);
  return languages.find(({ settings }) => settings.language === asked) ?? firstWords;
}

/** The words of the page that is being made. */
export function useWords(): Words {
  return wordsAt(useLocation());
}
