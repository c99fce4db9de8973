import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { createSplitByLanguage } from "../server/platform/i18n/foreign-words.ts";
import { inLanguage, languageParameter } from "../server/platform/i18n/in-language.ts";
import { createCalendarWords, formatNumber } from "../server/platform/i18n/texts.ts";

/** All texts for a page, in the language of its address. */
export type PageWords = ReturnType<typeof toWords>;

function toWords(content: Campus, to: (address: string) => string) {
  const { settings, mail, holidays } = content;
  const { timeZone } = settings;
  const { locale } = mail;
  const dates = createCalendarWords({ locale, timeZone, holidays });
  return {
    ...content,
    /** Returns an address of ours in this language. */
    to: (path: string, query?: Record<string, string> | string[][]) =>
      to(query ? `${path}?${new URLSearchParams(query)}` : path),
    /** True in every language but the campus's first. */
    translated: content !== campus,
    /** Formats dates and numbers of days. */
    dates,
    /** Fills in the placeholders of a text. */
    say: dates.say,
    /** Splits a text into its words in this language and in others. */
    splitByLanguage: createSplitByLanguage(settings),
    /** Formats a number with this language's digits. */
    digits: (value: number) => formatNumber(locale, value),
  };
}

const firstWords = toWords(campus, (path) => path);

/** The campus's languages, the first one first. */
export const languages: readonly PageWords[] = [
  firstWords,
  ...translations.map((translation) =>
    toWords(translation, (path) => inLanguage(path, translation.settings.language)),
  ),
];

/** Returns the texts for an address. An unknown language falls back to the campus's first. */
export function wordsAt({ search }: { search: string }): PageWords {
  const asked = new URLSearchParams(search).get(languageParameter);
  return languages.find(({ settings }) => settings.language === asked) ?? firstWords;
}

/** Returns the texts for the page being rendered. */
export function useWords(): PageWords {
  return wordsAt(useLocation());
}
