import type { z } from "zod";
import {
  borrow,
  createBorrowedMarks,
  removeMarks,
} from "../server/platform/i18n/borrowed-words.ts";
import type { Campus } from "./campus.ts";
import { labelsSchema, landingSchema, type Service } from "./content-schema.ts";
import { readAs } from "./data-files.ts";
import { findUnshown } from "./markdown.ts";
import { findHidden, findMarks } from "./placeholders.ts";
import {
  findInvalidOverrides,
  type InvalidOverride,
  isFormerPlace,
  isGroup,
  override,
  readEnglish,
  readProductWords,
  type WordFile,
  wordFiles,
} from "./product-words.ts";
import type { CampusSettings } from "./schema.ts";
import { hasText, mapStrings, readYaml, reportMarks, type Texts } from "./texts.ts";

/** Paths of values that only code reads. They are neither translated nor marked as borrowed. */
const isCode = /(?:^|\.)(?:id|status|locale)$/;

/** Marks all strings as borrowed from another language, unless that language is being read. */
function borrowedFrom(texts: Texts, words: unknown, from: "english" | "first"): unknown {
  const language = from === "english" ? "en" : texts.first;
  if (language === texts.language) return words;
  return mapStrings(words, (text, place) => (isCode.test(place) ? text : borrow(text, from)));
}

/** Renders Markdown, with borrowed text in an element that declares its language. */
function renderWords({ markdown, language, first }: Texts, text: string): string {
  const html = markdown.renderInline(removeMarks(text));
  const marks = createBorrowedMarks(language, first)[text.charAt(0)];
  if (!marks) return html;
  const attributes = Object.entries(marks).map(([name, value]) => ` ${name}="${value}"`);
  return `<span${attributes.join("")}>${html}</span>`;
}

/** Text in one language before Markdown is rendered, keyed by file. */
export type OwnWords = Partial<Record<WordFile, unknown>>;

type Labels = z.infer<typeof labelsSchema>["blog"];

/**
 * Reads all text of a campus in one language. In order of precedence: the campus's overrides, the
 * product's text in this language, the campus's default language, English.
 * @param first the `raw` text in the default language, for a translation. Services come from it, and
 * so does all other text if the product isn't translated into this language
 */
export function readWords(
  texts: Texts,
  settings: CampusSettings,
  first?: OwnWords,
  firstLabels?: Labels,
) {
  const raw: OwnWords = {};
  const words: Partial<Record<WordFile, unknown>> = {};
  const overrides: OwnWords = {};
  for (const name of wordFiles) {
    const { ownWords, misfits } = readOwn(texts, name, first);
    reportMisfits(texts, name, misfits);
    reportOwnMarks(texts, name, ownWords);
    const file = `${texts.content}/${name}.yaml`;
    const { report } = texts;
    reportMarks({ file, value: ownWords, report }, (text) => [findHidden(text)]);
    overrides[name] = ownWords;
    const spoken = readProductWords(texts.language, name);
    const firstWords = borrowedFrom(texts, first?.[name], "first");
    const english = override(
      borrowedFrom(texts, readEnglish(name), "english"),
      spoken ?? firstWords,
    );
    raw[name] = override(english, ownWords, placesOf(misfits));
    if (name === "landing" && first?.landing) {
      raw.landing = translateServices(texts, first.landing as Services, raw.landing as Services);
    }
    words[name] = mapStrings(raw[name], (text, place) => {
      const filled = texts.fillMessage(text);
      return isHtml[name].test(place) ? renderWords(texts, filled) : filled;
    });
  }
  const all = words as Pick<Campus, WordFile>;
  const categories = settings.sections.includes("blog") ? settings.categories : undefined;
  const labels = readLabels(texts, overrides.interface, categories, firstLabels);
  return {
    /**
     * The text before facts are filled into the product's strings and before Markdown is rendered.
     * Translations take their missing strings from this text.
     */
    raw,
    labels,
    words: {
      ...all,
      interface: { ...all.interface, blog: { ...all.interface.blog, ...labels } },
      mail: { ...all.mail, locale: readLocale(texts, overrides.mail) },
    },
  };
}

/**
 * Reads the campus's overrides in one file, and finds those that don't match the product's text.
 * @param first text in the default language, from which a translated service takes its missing
 * fields
 * @returns the overrides and the mismatches. `isFormer` marks overrides of text from an earlier
 * release
 */
function readOwn(
  texts: Texts,
  name: WordFile,
  first?: OwnWords,
): { ownWords?: unknown; misfits: Misfit[] } {
  if (!hasText(texts, `${name}.yaml`)) return { misfits: [] };
  const { file, value } = readYaml(texts, name, texts.fillMessage);
  // Older versions used double braces for placeholders that are filled in when a page is rendered.
  const ownWords = mapStrings(value, (text) => text.trim().replace(/\{(\{\w+\})\}/g, "$1"));
  const english = mapStrings(readEnglish(name), texts.fillMessage);
  const misfits = findInvalidOverrides(name, english, ownWords ?? {});
  if (name === "landing") {
    const whole = override(english, ownWords, placesOf(misfits));
    const translated = first ? addFields(whole as Services, first.landing as Services) : whole;
    readAs(landingSchema, translated, file, (_, place, reason) => misfits.push({ place, reason }));
  }
  return {
    ownWords,
    misfits: misfits.map((misfit) => ({ ...misfit, isFormer: isFormerPlace(name, misfit.place) })),
  };
}

const placesOf = (misfits: readonly InvalidOverride[]) => misfits.map(({ place }) => `${place}.`);

type Misfit = InvalidOverride & { isFormer: boolean };

/**
 * Reports overrides that don't match the product's text. Pages ignore them. If an override matched
 * an earlier release, the report is only a note.
 */
function reportMisfits({ content, report }: Texts, name: WordFile, misfits: readonly Misfit[]) {
  const file = `${content}/${name}.yaml`;
  for (const { place, reason, isFormer } of misfits) {
    if (!isFormer) report(file, place, reason, { since: "1.12", isIgnored: true });
    else {
      const todo = `remove it, or compare it with words/en/${name}.yaml`;
      report(file, place, `is not shown any more; ${todo}`, { isNote: true, isIgnored: true });
    }
  }
}

/**
 * Reports markup in the campus's overrides that a page would show literally or not at all. Skips
 * emails, because they can show bold text.
 */
function reportOwnMarks({ content, report }: Texts, name: WordFile, ownWords: unknown): void {
  if (name === "mail") return;
  reportMarks({ file: `${content}/${name}.yaml`, value: ownWords, report }, (text, place) =>
    isHtml[name].test(place) ? findUnshown(text).map(({ reason }) => reason) : [findMarks(text)],
  );
}

type Services = { services: { items: Service[] } };

/** Adds the fields that a translated service omits. They come from the default language. */
function addFields(landing: Services, { services: { items } }: Services): Services {
  const whole = landing.services.items.map((item) => ({
    ...items.find(({ id }) => id === item.id),
    ...item,
  }));
  return { ...landing, services: { ...landing.services, items: whole } };
}

/**
 * Returns the landing page with all services of the default language, translated if possible. The
 * default language also determines the status of each service. Untranslated services stay in the
 * default language.
 */
function translateServices({ first }: Texts, { services }: Services, landing: Services): Services {
  const items = services.items.map(({ status, ...item }) => {
    const translated = landing.services.items.find(({ id }) => id === item.id);
    return translated ? { ...item, ...translated, status } : { ...item, status, language: first };
  });
  return { ...landing, services: { ...landing.services, items } };
}

/**
 * Reads the names and pictures of the blog's categories from `interface.yaml`. By default, a
 * category's name is its key, and the category has no picture.
 * @param categories the blog's categories, or `undefined` if the campus has no blog
 * @param first the labels in the default language, as defaults for a translation
 */
function readLabels(
  texts: Texts,
  interfaceTexts: unknown,
  categories: readonly string[] | undefined,
  first: Labels | undefined,
): Labels {
  const file = `${texts.content}/interface.yaml`;
  const blog = isGroup(interfaceTexts) && isGroup(interfaceTexts.blog) ? interfaceTexts.blog : {};
  const { categories: names = {}, pictures = {} } = blog;
  const given = { blog: { categories: names, pictures } };
  const labels = readAs(labelsSchema, given, file, texts.report)?.blog;
  if (!labels) return { categories: {}, pictures: {} };
  for (const list of ["categories", "pictures"] as const) {
    const all = Object.keys(isGroup(labels[list]) ? labels[list] : {});
    for (const left of all) {
      if (categories?.includes(left) ?? true) continue;
      const todo = "is not one of the categories in campus.yaml; rename it, or remove it";
      texts.report(file, `blog.${list}`, `"${left}" ${todo}`);
    }
  }
  const ownLabels = labels as Labels;
  const keys = Object.fromEntries((categories ?? []).map((category) => [category, category]));
  return {
    categories: { ...keys, ...first?.categories, ...ownLabels.categories },
    pictures: { ...first?.pictures, ...ownLabels.pictures },
  };
}

/**
 * Returns the locale for dates: the campus's, the product's, or the language itself, in this order.
 */
function readLocale({ language, content, report }: Texts, mailWords: unknown): string {
  const spoken = readProductWords(language, "mail")?.locale;
  const chosen = isGroup(mailWords) ? (mailWords.locale ?? spoken) : spoken;
  const locale = typeof chosen === "string" ? chosen : language;
  const place = `${content}/mail.yaml`;
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf(locale).length === 0) throw new RangeError(locale);
  } catch {
    const wanted = "must be a language that dates can be written in, such as en-GB";
    report(place, "locale", wanted);
    return language;
  }
  if (new Intl.Locale(locale).language !== new Intl.Locale(language).language) {
    const why = "because dates are written in it";
    report(place, "locale", `must be ${language}, with or without a country, ${why}`);
  }
  return locale;
}

/** Paths of Markdown text that is rendered to HTML. */
const isHtml: Record<WordFile, RegExp> = {
  landing: /^(?:(?:careers|contact)\.text|refund\.note)$/,
  interface: /^error\.help$/,
  deletion:
    /^(?:before\.items\.\d+|success\.notes\.\d+|visit\.(?:overdue|entered\.notYou|status\.(?:stillStop|held\.due|complain|afterCancelling)))$/,
  mail: /^$/,
  operator: /^$/,
};
