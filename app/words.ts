import { campus, translations } from "virtual:campus";
import { useLocation } from "react-router";
import type { Campus } from "../campus-reader/campus.ts";
import { directionOf, markLanguage } from "../server/platform/i18n/direction.ts";
import { createSplitByLanguage } from "../server/platform/i18n/foreign-words.ts";
import { createLanguagePaths } from "../server/platform/i18n/language-paths.ts";
import { createCalendarWords, formatNumber } from "../server/platform/i18n/texts.ts";

/** Addresses in the campus's languages. */
export const languagePaths = createLanguagePaths(
  [campus, ...translations].map(({ settings }) => settings.language),
);

/** All texts for a page, in the language of its address. */
export type PageWords = ReturnType<typeof toWords>;

function toWords(content: Campus) {
  const { settings, mail, holidays } = content;
  const { timeZone } = settings;
  const { locale } = mail;
  const dates = createCalendarWords({ locale, timeZone, holidays });
  return {
    ...content,
    /** Returns an address of ours in this language. */
    to: (path: string, query?: Record<string, string> | string[][]) =>
      languagePaths.to(query ? `${path}?${new URLSearchParams(query)}` : path, settings.language),
    /** True in every language but the campus's first. */
    translated: content !== campus,
    /** Formats dates and numbers of days. */
    dates,
    /** Fills in the placeholders of a text. */
    say: dates.say,
    dir: directionOf(settings.language),
    /** Returns the attributes of an element in another language; none if there is no language. */
    inLanguage: (language: string | undefined) => markLanguage(language, settings.language),
    /** Splits a text into its words in this language and in others. */
    splitByLanguage: createSplitByLanguage(settings),
    /** Formats a number with this language's digits. */
    digits: (value: number) => formatNumber(locale, value),
  };
}

const firstWords = toWords(campus);

/** The campus's languages, the first one first. */
export const languages: readonly PageWords[] = [firstWords, ...translations.map(toWords)];

/**
 * Lists a page's addresses in every language by `hreflang`. Readers of other languages get the
 * first one (`x-default`).
 */
export function alternatesOf(path: string): { language: string; address: string }[] {
  const own = languages.map(({ settings: { language }, to }) => ({ language, address: to(path) }));
  return [...own, { language: "x-default", address: path }];
}

/** Returns the texts for an address, whose path names the language. */
export function wordsAt({ pathname }: { pathname: string }): PageWords {
  const { language } = languagePaths.read(pathname);
  return languages.find(({ settings }) => settings.language === language) ?? firstWords;
}

/** Returns the path of an address without its language, to compare with `paths`. */
export function pathAt({ pathname }: { pathname: string }): string {
  return languagePaths.read(pathname).path;
}

/** Returns the texts for the page being rendered. */
export function useWords(): PageWords {
  return wordsAt(useLocation());
}

/** Returns the path of the page being rendered, the same in every language. */
export function usePath(): string {
  return pathAt(useLocation());
}
