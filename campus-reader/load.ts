import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { paths } from "../server/platform/http/paths.ts";
import { createLanguagePaths, type LanguagePaths } from "../server/platform/i18n/language-paths.ts";
import type { FaqItem, LoadedCampus, WithPosts } from "./campus.ts";
import type { SectionName } from "./choices.ts";
import { faqItemSchema, faqSchema } from "./content-schema.ts";
import { checkDataFiles } from "./data-files.ts";
import { nameData, readPolicyMonth, settingsIn } from "./facts.ts";
import { currentKit, isNewer } from "./kit.ts";
import { isLeftBehind } from "./left-behind.ts";
import { readLegal } from "./legal.ts";
import { reportDeadLinks, type Unread } from "./links.ts";
import { findUnshown, hasPhoto } from "./markdown.ts";
import { CampusError, errorsIn, type Mistake, type Report } from "./mistakes.ts";
import { readNotices } from "./notices.ts";
import { readPages } from "./pages.ts";
import { findMarks } from "./placeholders.ts";
import { listPostNumbers, readPosts, translatePosts } from "./posts.ts";
import type { CampusSettings } from "./schema.ts";
import { refuseStrayFiles } from "./stray-files.ts";
import { isFolder, notAFolder } from "./text-files.ts";
import {
  hasText,
  mapStrings,
  readChecked,
  readYaml,
  refuseStrays,
  reportMarks,
  type Source,
  type Texts,
  textsIn,
} from "./texts.ts";
import { type OwnWords, readWords } from "./words.ts";

/** Inputs that all languages share while a campus loads. */
type Reading = Source & { data: Parameters<typeof nameData>[0] };

/**
 * Loads and validates a campus folder.
 * @param folder absolute path of the campus folder
 * @returns the campus and its posts in every language, newest first, including unlisted posts
 * @throws CampusError with the file, line, field and remedy of every mistake
 */
export function loadCampus(folder: string): LoadedCampus {
  const { campus, mistakes } = readCampus(folder);
  const errors = errorsIn(mistakes);
  if (!campus || errors.length > 0) throw new CampusError(errors);
  return campus;
}

type ReadCampus = {
  /** Product version whose rules the campus follows. */
  kit: string;
  /** All mistakes and notes. `report` adds to them. */
  mistakes: readonly Mistake[];
  report: Report;
  /**
   * The campus, with substitutes for invalid values. `undefined` if the folder of the default
   * language is missing.
   */
  campus?: LoadedCampus;
};

/** Reads a campus folder and collects the mistakes in all files. */
export function readCampus(folder: string): ReadCampus {
  const { settings, kit, all, report: reportAll, doubtful, ...data } = checkDataFiles(folder);
  // If the categories can't be read, the posts' categories can't be checked.
  const report: Report = (file, field, ...rest) => {
    const isAboutCategories = /^(?:category|blog\.(?:categories|pictures))$/.test(field);
    if (!(isAboutCategories && doubtful.includes("categories"))) reportAll(file, field, ...rest);
  };
  refuseStrayFiles(folder, report);
  requirePossible(settings, kit, report);
  const reading = { folder, settings, data, report };
  const translated = Object.keys(settings.translations);
  const missing = requireFolders(reading, [settings.language, ...translated]);
  if (missing.includes(settings.language)) return { kit, mistakes: all, report };
  const original = readLanguage(reading, settings.language);
  const addresses = createLanguagePaths([settings.language, ...translated]);
  const translations = translated
    .filter((language) => !missing.includes(language))
    .map((language) => withLinksIn(language, addresses, readLanguage(reading, language, original)));
  for (const { campus, unread } of [original, ...translations]) {
    const content = join("content", campus.settings.language);
    reportDeadLinks(campus, { addresses, content, report, unread });
  }
  return {
    kit,
    mistakes: all,
    report,
    campus: { ...original.campus, translations: translations.map(({ campus }) => campus) },
  };
}

/** Checks rules about the settings that a schema can't express. */
function requirePossible(settings: CampusSettings, kit: string, report: Report): void {
  if (!readPolicyMonth(settings)) {
    const wanted = "must be a month as it is called in the campus's language or in English";
    report("campus.yaml", "policyDate", `${wanted}, and a year, such as "July 2025"`);
  }
  requireSameHours(settings, "hours", settings.hours, report);
  for (const [language, { hours }] of Object.entries(settings.translations)) {
    requireSameHours(settings, `translations.${language}.hours`, hours, report, "1.14");
  }
  const { usual = 0, longest = 0 } = settings.ride?.waitMinutes ?? {};
  if (usual > longest) {
    const reason = "usual must not be longer than longest";
    report("campus.yaml", "ride.waitMinutes", reason, { since: "1.14" });
  }
  if (isNewer(kit, currentKit)) {
    const todo = `this product knows ${currentKit}; update the product, or lower the number`;
    report("campus.yaml", "kit", `is newer than this product: ${todo}`);
  }
}

/**
 * Requires the hours in words and the clock times of rides to name the same hour on a 12-hour
 * clock. Skips words without digits.
 */
function requireSameHours(
  { ride }: CampusSettings,
  field: string,
  hours: CampusSettings["hours"],
  report: Report,
  since?: string,
): void {
  for (const end of ["from", "until"] as const) {
    const stated = Number(/\d+/.exec(hours?.[end] ?? "")?.[0] ?? Number.NaN);
    const hour = Number(ride?.times?.[end].slice(0, 2) ?? Number.NaN);
    if (Number.isNaN(stated - hour) || (stated - hour) % 12 === 0) continue;
    const todo = `${field}.${end} says ${hours?.[end]}; make both the same time`;
    report("campus.yaml", `ride.times.${end}`, todo, { since });
  }
}

/**
 * Requires a folder for each language in `content/` and rejects anything else there.
 * @returns the languages without a folder
 */
function requireFolders({ folder, settings, report }: Reading, languages: string[]): string[] {
  const missing = languages.filter((language) => !isFolder(join(folder, "content", language)));
  for (const language of missing) {
    const wanted = `it must contain the texts in the language ${language}`;
    const isThere = existsSync(join(folder, "content", language));
    const reason = isThere ? notAFolder : `is missing; ${wanted}`;
    report(`content/${language}`, "(whole folder)", reason);
  }
  const content = join(folder, "content");
  for (const name of isFolder(content) ? readdirSync(content) : []) {
    if (languages.includes(name) || isLeftBehind(name)) continue;
    const small = languages.find((language) => language === name.toLowerCase());
    const isFile = name.includes(".");
    const todo =
      (small && `write its name as ${small}, in small letters`) ??
      (isFile
        ? `put it into the folder of its language, such as content/${settings.language}`
        : "name it under translations in campus.yaml, or take them out");
    const field = isFile ? "(whole file)" : "(whole folder)";
    report(`content/${name}`, field, `has texts that no page shows; ${todo}`);
  }
  return missing;
}

type ReadLanguage = { campus: WithPosts; own: OwnWords; unread: Unread };

function readLanguage(reading: Reading, language: string, original?: ReadLanguage): ReadLanguage {
  const { settings, data, report } = reading;
  const has = (name: SectionName) => settings.sections.includes(name);
  const texts = textsIn(language, reading);
  refuseStrays(texts);
  const { words, labels, raw } = readWords(
    texts,
    settings,
    original?.own,
    original?.campus.interface.blog,
  );
  const { faq, legal, posts } = original?.campus ?? {};
  const isFaqUnread = original?.unread.pages.includes(paths.faq);
  if (has("faq")) reportFaqMarks(texts);
  const ownFaq =
    original || !has("faq") ? undefined : readChecked(texts, "faq", faqSchema(texts.markdown));
  const read: ReadLanguage = {
    own: raw,
    unread: original?.unread ?? {
      posts: has("blog") ? listPostNumbers(texts) : [],
      pages: ownFaq || !has("faq") ? [] : [paths.faq],
    },
    campus: {
      settings: settingsIn(settings, language),
      ...nameData(data, { language, held: words.deletion.held, fill: texts.fill, report }),
      ...words,
      faq:
        faq && has("faq") ? translateFaq(texts, faq, { areUnread: isFaqUnread }) : (ownFaq ?? []),
      posts: !has("blog")
        ? []
        : posts
          ? translatePosts(texts, posts, labels.pictures, words.mail.locale)
          : readPosts(texts, settings, labels.pictures),
      notices: readNotices(texts, settings),
      pages: readPages(texts, original?.campus.pages),
      legal: {
        privacy: readLegal(texts, "privacy-policy", legal?.privacy),
        terms: readLegal(texts, "terms-conditions", legal?.terms),
      },
    },
  };
  return read;
}

/**
 * Translates the questions, in the original's order. Untranslated questions stay in the default
 * language.
 */
function translateFaq(
  texts: Texts,
  originals: readonly FaqItem[],
  { areUnread = false },
): FaqItem[] {
  const { first } = texts;
  const schema = z.array(faqItemSchema(texts.markdown));
  const items = hasText(texts, "faq.yaml") ? readChecked(texts, "faq", schema) : [];
  const byId = new Map((items ?? []).map((item) => [item.id, item]));
  for (const id of byId.keys()) {
    if (areUnread || originals.some((item) => item.id === id)) continue;
    const wanted = `its id must be that of one in content/${first}/faq.yaml`;
    texts.report(`${texts.content}/faq.yaml`, id, `translates no question; ${wanted}`);
  }
  return originals.map((item) => byId.get(item.id) ?? { ...item, language: first });
}

/**
 * Reports markup that a question would show literally, and markup that an answer would not show.
 */
function reportFaqMarks(texts: Texts): void {
  if (!hasText(texts, "faq.yaml")) return;
  const { file, value } = readYaml({ ...texts, report: () => undefined }, "faq");
  reportMarks({ file, value, report: texts.report }, (text, place) =>
    place.endsWith("question")
      ? [findMarks(text)]
      : [
          ...findUnshown(text).map(({ reason }) => reason),
          hasPhoto(text) ? "shows a picture; only posts and your own pages can" : undefined,
        ],
  );
}

/** Adds a language to internal links that don't specify a language. */
function withLinksIn(
  language: string,
  { read: readAddress, current, to }: LanguagePaths,
  read: ReadLanguage,
): ReadLanguage {
  const toLink = (written: string) => {
    const address = current(written.replaceAll("&#x26;", "&"));
    return (readAddress(address).path === address ? to(address, language) : address).replaceAll(
      "&",
      "&#x26;",
    );
  };
  const campus = mapStrings(read.campus, (text) =>
    text.replace(/href="(\/(?!\/)[^"]*)"/g, (_, written: string) => `href="${toLink(written)}"`),
  ) as WithPosts;
  return { ...read, campus };
}
