import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { createBorrowedMarks } from "../server/platform/i18n/borrowed-words.ts";
import { directionOf, markLanguage } from "../server/platform/i18n/direction.ts";
import { createLanguagePaths } from "../server/platform/i18n/language-paths.ts";
import { createSplitRuns } from "../server/platform/i18n/text-runs.ts";
import { createCalendarWords, formatNumber } from "../server/platform/i18n/texts.ts";

export const languagePaths = createLanguagePaths(
  [campus, ...translations].map(({ settings }) => settings.language),
);

/** All text for a page, in the language of its URL. */
export type PageWords = ReturnType<typeof toWords>;

function toWords(content: Campus) {
  const { settings, mail, holidays } = content;
  const { timeZone } = settings;
  const { locale } = mail;
  const dates = createCalendarWords({ locale, timeZone, holidays });
  return {
    ...content,
    /** Returns the path of a page in this language, with an optional query string. */
    to: (path: string, query?: Record<string, string> | string[][]) =>
      languagePaths.to(query ? `${path}?${new URLSearchParams(query)}` : path, settings.language),
    /** Whether this language is a translation rather than the campus's default language. */
    translated: content !== campus,
    dates,
    /** Fills in the placeholders in a template string. */
    say: dates.say,
    dir: directionOf(settings.language),
    /**
     * Returns the `lang` and `dir` attributes of an element in another language, or no attributes
     * if `language` is undefined.
     */
    inLanguage: (language: string | undefined) => markLanguage(language, settings.language),
    /** How text in other languages is marked on pages in this language. */
    textMarks: {
      borrowed: createBorrowedMarks(settings.language, campus.settings.language),
      split: createSplitRuns(settings),
    },
    /** Formats a number with this language's digits. */
    digits: (value: number) => formatNumber(locale, value),
  };
}

const firstWords = toWords(campus);

/** The text in each of the campus's languages, default language first. */
export const languages: readonly PageWords[] = [firstWords, ...translations.map(toWords)];

/**
 * Lists a page's URLs, one per language, with `hreflang` codes. Search engines show the URL for
 * `x-default`, in the campus's default language, to speakers of other languages.
 */
export function alternatesOf(path: string): { language: string; address: string }[] {
  const addresses = languages.map(({ settings: { language }, to }) => ({
    language,
    address: to(path),
  }));
  return [...addresses, { language: "x-default", address: path }];
}

/** Returns the text in the language that the URL path starts with. */
export function wordsAt({ pathname }: { pathname: string }): PageWords {
  const { language } = languagePaths.read(pathname);
  return languages.find(({ settings }) => settings.language === language) ?? firstWords;
}

/** Returns a language's text marks, for elements whose language differs from the page's. */
export function textMarksIn(language: string): PageWords["textMarks"] {
  const { textMarks } =
    languages.find(({ settings }) => settings.language === language) ?? firstWords;
  return textMarks;
}

export function pathAt({ pathname }: { pathname: string }): string {
  return languagePaths.read(pathname).path;
}

export function useWords(): PageWords {
  return wordsAt(useLocation());
}

export function usePath(): string {
  return pathAt(useLocation());
}
