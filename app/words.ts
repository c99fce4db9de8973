import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { directionOf, markLanguage } from "../server/platform/i18n/direction.ts";
import { createSplitByLanguage } from "../server/platform/i18n/foreign-words.ts";
import { createLanguagePaths } from "../server/platform/i18n/language-paths.ts";
import { createCalendarWords, formatNumber } from "../server/platform/i18n/texts.ts";

/** Adds language prefixes to URL paths, and reads them from URL paths. */
export const languagePaths = createLanguagePaths(
  [campus, ...translations].map(({ settings }) => settings.language),
);

/** All texts for a page, in the language of its URL. */
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
    /** Whether the language is a translation rather than the campus's first language. */
    translated: content !== campus,
    dates,
    /** Fills in the placeholders in a text. */
    say: dates.say,
    dir: directionOf(settings.language),
    /**
     * Returns the HTML attributes of an element in another language. Empty if `language` is
     * undefined.
     */
    inLanguage: (language: string | undefined) => markLanguage(language, settings.language),
    /** Splits a text into parts in this language and parts in other languages. */
    splitByLanguage: createSplitByLanguage(settings),
    /** Formats a number with this language's digits. */
    digits: (value: number) => formatNumber(locale, value),
  };
}

const firstWords = toWords(campus);

/** Texts in each of the campus's languages, starting with the first language. */
export const languages: readonly PageWords[] = [firstWords, ...translations.map(toWords)];

/**
 * Lists a page's URLs in every language, keyed by `hreflang`. Readers of any other language get the
 * campus's first language (`x-default`).
 */
export function alternatesOf(path: string): { language: string; address: string }[] {
  const own = languages.map(({ settings: { language }, to }) => ({ language, address: to(path) }));
  return [...own, { language: "x-default", address: path }];
}

/** Returns the texts in the language that the URL's path starts with. */
export function wordsAt({ pathname }: { pathname: string }): PageWords {
  const { language } = languagePaths.read(pathname);
  return languages.find(({ settings }) => settings.language === language) ?? firstWords;
}

/** Returns a URL's path without its language prefix, to compare with `paths`. */
export function pathAt({ pathname }: { pathname: string }): string {
  return languagePaths.read(pathname).path;
}

/** Returns the texts for the current page. */
export function useWords(): PageWords {
  return wordsAt(useLocation());
}

/** Returns the current page's path without its language prefix. */
export function usePath(): string {
  return pathAt(useLocation());
}
