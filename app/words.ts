import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { directionOf, markLanguage } from "../server/platform/i18n/direction.ts";
import { createSplitByLanguage } from "../server/platform/i18n/foreign-words.ts";
import { createLanguagePaths } from "../server/platform/i18n/language-paths.ts";
import { createCalendarWords, formatNumber } from "../server/platform/i18n/texts.ts";

/** The site's URLs in the campus's languages. */
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
    /** Returns a URL of this site in the page's language. */
    to: (path: string, query?: Record<string, string> | string[][]) =>
      languagePaths.to(query ? `${path}?${new URLSearchParams(query)}` : path, settings.language),
    /** Whether the language is a translation rather than the campus's first language. */
    translated: content !== campus,
    /** Formats dates and numbers of days. */
    dates,
    /** Fills in the placeholders in a text. */
    say: dates.say,
    dir: directionOf(settings.language),
    /**
     * Returns the HTML attributes of an element in another language, or none if `language` is
     * undefined.
     */
    inLanguage: (language: string | undefined) => markLanguage(language, settings.language),
    /** Splits a text into the parts in this language and the parts in others. */
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

/** Returns the texts for a URL, whose path starts with the language. */
export function wordsAt({ pathname }: { pathname: string }): PageWords {
  const { language } = languagePaths.read(pathname);
  return languages.find(({ settings }) => settings.language === language) ?? firstWords;
}

/** Returns a URL's path without its language, to compare with `paths`. */
export function pathAt({ pathname }: { pathname: string }): string {
  return languagePaths.read(pathname).path;
}

/** Returns the texts for the page that is being rendered. */
export function useWords(): PageWords {
  return wordsAt(useLocation());
}

/** Returns the path of the page that is being rendered. It is the same in every language. */
export function usePath(): string {
  return pathAt(useLocation());
}
