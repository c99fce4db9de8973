import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createLanguagePaths, type LanguagePaths } from "../server/platform/i18n/language-paths.ts";
import type { FaqItem, LoadedCampus, WithPosts } from "./campus.ts";
import type { SectionName } from "./choices.ts";
import { faqItemSchema, faqSchema } from "./content-schema.ts";
import { CampusError, checkDataFiles } from "./data-files.ts";
import { nameData, readPolicyMonth, settingsIn } from "./facts.ts";
import { readLegal } from "./legal.ts";
import { findDeadLinks } from "./links.ts";
import { readPosts, translatePosts } from "./posts.ts";
import {
  hasText,
  isLeftBehind,
  mapStrings,
  readChecked,
  refuseStrays,
  type Source,
  type Texts,
  textsIn,
} from "./texts.ts";
import { type OwnWords, readWords } from "./words.ts";

/** State of loading, shared by all languages. */
type Reading = Source & { data: Parameters<typeof nameData>[0]; mistakes: string[] };

/**
 * Loads and validates the whole campus folder.
 * @param folder its absolute path
 * @returns the campus and its posts, newest first, including unlisted ones, in every language
 * @throws CampusError listing every mistake, with file, field and reason
 */
export function loadCampus(folder: string): LoadedCampus {
  const reading = readData(folder);
  const { settings, mistakes } = reading;
  const others = Object.keys(settings.translations);
  requireFolders(reading, [settings.language, ...others]);
  const original = readLanguage(reading, settings.language);
  const addresses = createLanguagePaths([settings.language, ...others]);
  // Translations of an invalid text can't be checked.
  const translations =
    mistakes.length > 0
      ? []
      : others.map((language) =>
          withLinksIn(language, addresses, readLanguage(reading, language, original)),
        );
  for (const { campus } of [original, ...translations]) {
    const { language } = campus.settings;
    if (mistakes.length === 0)
      mistakes.push(...findDeadLinks(campus, addresses, join("content", language)));
  }
  if (mistakes.length > 0) throw new CampusError([...new Set(mistakes)].join("\n"));
  return { ...original.campus, translations: translations.map(({ campus }) => campus) };
}

/**
 * Reads the settings, without which nothing else can be checked, and collects the mistakes of the
 * other data files.
 */
function readData(folder: string): Reading {
  const { settings, mistakes, report, ...data } = checkDataFiles(folder);
  if (!settings) throw new CampusError(mistakes.join("\n"));
  if (!readPolicyMonth(settings)) {
    const wanted = "must be a month as it is called in the campus's language or in English";
    report("campus.yaml", "policyDate", `${wanted}, and a year, such as "July 2025"`);
  }
  return { folder, settings, data, report, mistakes };
}

/** Requires a folder for each language and rejects other folders. */
function requireFolders({ folder, report, mistakes }: Reading, languages: string[]): void {
  for (const language of languages) {
    const place = join("content", language);
    if (existsSync(join(folder, place))) continue;
    report(
      place,
      "(whole folder)",
      `is missing; it must hold the texts in the language ${language}`,
    );
    throw new CampusError(mistakes.join("\n"));
  }
  for (const name of readdirSync(join(folder, "content"))) {
    if (languages.includes(name) || isLeftBehind(name)) continue;
    const todo = "name it under translations in campus.yaml, or take them out";
    report(`content/${name}`, "(whole folder)", `has texts that no page shows; ${todo}`);
  }
}

type ReadLanguage = { campus: WithPosts; own: OwnWords };

function readLanguage(reading: Reading, language: string, original?: ReadLanguage): ReadLanguage {
  const { settings, data, report } = reading;
  const has = (name: SectionName) => settings.sections.includes(name);
  const texts = textsIn(language, reading);
  refuseStrays(texts);
  const { words, labels, raw } = readWords(texts, settings, original?.own);
  const canPaint = settings.heroVehicle === "rickshaw" && has("paint");
  const paint = canPaint ? words.landing.paint : undefined;
  const { legal } = original?.campus ?? {};
  return {
    own: raw,
    campus: {
      settings: settingsIn(settings, language),
      ...nameData(data, language, words.deletion.held, texts.fill, report),
      ...words,
      landing: { ...words.landing, paint },
      faq: has("faq") ? readFaq(texts, original?.campus.faq) : [],
      posts: !has("blog")
        ? []
        : original
          ? translatePosts(texts, original.campus.posts, labels.pictures, words.mail.locale)
          : readPosts(texts, settings, labels.pictures),
      legal: {
        privacy: readLegal(texts, "privacy-policy", legal?.privacy),
        terms: readLegal(texts, "terms-conditions", legal?.terms),
      },
    },
  };
}

function readFaq(texts: Texts, originals: readonly FaqItem[] | undefined): FaqItem[] {
  if (originals) return translateFaq(texts, originals);
  return readChecked(texts, "faq", faqSchema(texts.markdown)) ?? [];
}

/**
 * Translates the questions in the original's order; untranslated ones stay in the first language.
 */
function translateFaq(texts: Texts, originals: readonly FaqItem[]): FaqItem[] {
  const { first } = texts;
  const schema = z.array(faqItemSchema(texts.markdown));
  const items = hasText(texts, "faq.yaml") ? readChecked(texts, "faq", schema) : [];
  const byId = new Map((items ?? []).map((item) => [item.id, item]));
  for (const id of byId.keys()) {
    if (originals.some((item) => item.id === id)) continue;
    const wanted = `its id must be that of one in content/${first}/faq.yaml`;
    texts.report(`${texts.content}/faq.yaml`, id, `translates no question; ${wanted}`);
  }
  return originals.map((item) => byId.get(item.id) ?? { ...item, language: first });
}

/** Adds the language to links within the site, unless a link names another language. */
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
