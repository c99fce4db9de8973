import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { linkHours, linkMailsPerDay } from "../server/deletion-requests/life/life.ts";
import { type MailWords, mailWordsSchema } from "../server/deletion-requests/telling/mail-words.ts";
import { inLanguage } from "../server/language/in-language.ts";
import { formatNumber, localizeDigits } from "../server/language/message.ts";
import {
  deletionSchema,
  faqItemSchema,
  faqSchema,
  interfaceSchema,
  landingSchema,
  legalFrontMatterSchema,
  postSchema,
  readPostDate,
  translatedPostSchema,
} from "./content-schema.ts";
import {
  CampusError,
  illegible,
  isLegible,
  parseYaml,
  readDataFile,
  readTextFile,
  tellSyntax,
} from "./data-files.ts";
import { tellIssues } from "./issues.ts";
import { findDeadLinks } from "./links.ts";
import { countWords, findUnshown, renderInlineMarkdown, renderMarkdown } from "./markdown.ts";
import { operatorSchema } from "./operator-schema.ts";
import { findRelatedPosts } from "./related-posts.ts";
import { remembered } from "./remembered.ts";
import {
  type CampusSettings,
  calendarSchema,
  type DataKind,
  type DataListSetting,
  dataListSchema,
  settingsSchema,
} from "./schema.ts";
import { findLoneBrace, findPlaceholders } from "./text-schema.ts";

export { CampusError };

/** Something that a language may lack. */
export type Untranslated = {
  /** The language it is shown in, where that is not the page's. */
  language?: string | undefined;
};

export type Post = Omit<z.infer<ReturnType<typeof postSchema>>, "picture" | "imageAlt"> & {
  /** The date as `2025-06-20`. */
  isoDate: string;
  html: string;
  words: number;
  /** Minutes at 200 words a minute, rounded up. */
  readMinutes: number;
  /** Below `campus/`. */
  file: string;
  /** Name of its drawing: its own, or its category's. */
  picture: string;
  imageAlt: string;
  /** Ids of the listed posts that go with it, the closest first; its neighbours in the list are not among them. */
  related: number[];
} & Untranslated;

/** What lists need of a post. */
export type PostListing = Omit<Post, "html" | "file">;

export type LegalSection = {
  title: string;
  /** One sentence of HTML. */
  inShort: string;
  /** HTML; the table of data kinds stands between two parts where the text asks for it. */
  parts: string[];
} & Untranslated;

export type LegalDocument = z.infer<typeof legalFrontMatterSchema> & {
  /** HTML before the first section. */
  intro: string;
  sections: LegalSection[];
} & Untranslated;

type FaqItem = z.infer<typeof faqSchema>[number] & Untranslated;

const readYamlText = remembered(parseYaml);

const contentSchemas = {
  landing: landingSchema,
  interface: interfaceSchema,
  faq: faqSchema,
  deletion: deletionSchema,
  mail: mailWordsSchema,
  operator: operatorSchema,
};

/** The words that ship with the code, a folder a language; what a campus says by the same key comes first. */
export const productWords = join(import.meta.dirname, "../words");

/** Everything a page shows in one language, read from `campus/` and checked. */
export type Campus = {
  /** As they are said in this language, which they name. */
  settings: CampusSettings;
  dataKinds: DataKind[];
  /** What holidays are called, by key, and by what they are called in the first language. */
  holidays: Record<string, string>;
  landing: z.infer<typeof landingSchema>;
  interface: z.infer<typeof interfaceSchema>;
  faq: FaqItem[];
  deletion: z.infer<typeof deletionSchema>;
  mail: MailWords;
  operator: z.infer<typeof operatorSchema>;
  legal: { privacy: LegalDocument; terms: LegalDocument };
};

/** The campus in its first language, its posts newest first, and the same in its other languages. */
export type LoadedCampus = Campus & {
  posts: Post[];
  translations: (Campus & { posts: Post[] })[];
};

/** Related posts that are shown under a post. */
const relatedCount = 3;

/**
 * The words that content may use for names and numbers of the campus: `{product}`, `{email}` and so on.
 * `{callLocalEmergency}` is a link in Markdown, on which a phone calls.
 */
function placeholders(from: CampusSettings): Record<string, string> {
  const { target, limit } = from.deletionBusinessDays;
  const days = [...new Set([target, limit])].map((count) => formatNumber(from.language, count));
  return {
    product: from.product,
    developer: from.developer,
    campus: from.campus,
    city: from.city,
    country: from.country,
    jurisdiction: from.jurisdiction,
    email: from.email,
    emergency: localizeDigits(from.language, from.emergency),
    localEmergency: localizeDigits(from.language, from.localEmergency),
    callLocalEmergency: `[${localizeDigits(from.language, from.localEmergency)}](tel:${from.localEmergency.replaceAll(" ", "")})`,
    currency: from.currency.sign,
    wallet: from.wallet,
    policyDate: from.policyDate,
    legalPerson: from.legal.person,
    legalRegistration: from.legal.registration,
    postalAddress: from.legal.address,
    enlistment: from.legal.enlistment,
    dataLocation: from.legal.dataLocation,
    arbitrationSeat: from.legal.arbitrationSeat,
    deletionDays: days.join("-"),
    linkHours: formatNumber(from.language, linkHours),
    mailsPerDay: formatNumber(from.language, linkMailsPerDay),
    ...nameStores(from),
  };
}

/** The shops by their state. A text that speaks of one that there is not has an unknown placeholder. */
function nameStores({ stores, language }: CampusSettings): Record<string, string> {
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const live = stores.filter(({ url }) => url).map(({ name }) => name);
  const coming = stores.filter(({ url }) => !url).map(({ name }) => name);
  return {
    ...(live.length > 0 && { availableStore: list.format(live) }),
    ...(coming.length > 0 && { comingStore: list.format(coming) }),
  };
}

/** The month of both legal documents, written in the campus's language or in English. */
export function readPolicyMonth({
  policyDate,
  language,
}: Pick<CampusSettings, "policyDate" | "language">): Temporal.PlainYearMonth | undefined {
  const [name = "", year = ""] = policyDate.split(" ");
  for (const locale of [language, "en"]) {
    const format = new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" });
    for (let month = 1; month <= 12; month += 1) {
      if (format.format(Date.UTC(2000, month - 1, 1)).toLowerCase() !== name.toLowerCase())
        continue;
      return Temporal.PlainYearMonth.from({ year: Number(year), month });
    }
  }
  return undefined;
}

/** The campus as it is said in one of its languages. */
function settingsIn(settings: CampusSettings, language: string): CampusSettings {
  const translation = settings.translations[language];
  if (!translation) return settings;
  const month = readPolicyMonth(settings);
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return {
    ...settings,
    ...translation,
    language,
    ...(month && {
      policyDate: new Intl.DateTimeFormat(language, format).format(
        new Date(`${month.toPlainDate({ day: 1 })}T00:00:00Z`),
      ),
    }),
  };
}

/**
 * Reads and checks the whole campus folder.
 * @param folder its absolute path
 * @returns the campus and its posts, newest first, unlisted ones included, in every language
 * @throws CampusError listing every mistake found, with file, field and reason
 */
export function loadCampus(folder: string): LoadedCampus {
  const mistakes: string[] = [];

  function check<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    mistakes.push(...tellIssues(result.error, file));
    return undefined as T;
  }

  function readData<T>(name: "campus" | "calendar" | "deletion", schema: z.ZodType<T>) {
    const { file, value } = readDataFile(folder, name);
    return { file, data: check(schema, value, file) };
  }

  const settings = readData("campus", settingsSchema).data;
  const calendar = readData("calendar", calendarSchema);
  const dataList = readData("deletion", dataListSchema);
  // Nothing can be read without knowing whose it is.
  if (!settings) throw new CampusError(mistakes.join("\n"));
  const { categories } = settings;
  if (!readPolicyMonth(settings)) {
    mistakes.push(
      `campus/campus.yaml: policyDate: must be a month as it is called in the campus's language or in English, and a year, such as "July 2025"`,
    );
  }
  const today = Temporal.Now.plainDateISO(settings.timeZone);

  /** What holidays and kinds of data are called in a language. */
  function readNames(language: string): Pick<Campus, "dataKinds" | "holidays"> {
    const lacking = (file: string, place: string) =>
      mistakes.push(
        `campus/${file}: ${place}: has no words in the language ${language}; write them there as ${language}:`,
      );
    const holidays = Object.entries(calendar.data?.names ?? {}).map(([key, names]) => {
      if (!names[language]) lacking(calendar.file, `names.${key}`);
      return [key, names[language] ?? key];
    });
    const list: DataListSetting | undefined = dataList.data;
    for (const { key, words } of list?.ownershipProofs ?? []) {
      if (!words[language]) lacking(dataList.file, `ownershipProofs.${key}.words`);
    }
    const places = new Map(
      list?.stores.map(({ key, words }) => {
        if (!words[language]) lacking(dataList.file, `stores.${key}.words`);
        return [key, words[language] ?? key];
      }),
    );
    const kinds = (list?.kinds ?? []).flatMap(({ words, ...kind }): DataKind[] => {
      const own = words[language];
      if (!own) lacking(dataList.file, `kinds.${kind.key}.words`);
      return own ? [{ ...kind, ...own, place: places.get(kind.store) ?? kind.store }] : [];
    });
    // Promises of former times hold the name in the first language in place of the key.
    const former = Object.entries(calendar.data?.names ?? {}).map(([key, names]) => [
      names[settings.language] ?? key,
      names[language] ?? key,
    ]);
    return { dataKinds: kinds, holidays: Object.fromEntries([...former, ...holidays]) };
  }

  function readLanguage(language: string, original?: Campus & { posts: Post[] }) {
    const own = settingsIn(settings, language);
    const words = placeholders(own);
    const content = join("content", language);

    /** What is not the campus's own is left to the schema of the text. */
    function fill(text: string): string {
      return text.replace(/(?<!\{)\{([A-Za-z]+)\}(?!\})/g, (whole, name: string) => {
        return words[name] ?? whole;
      });
    }

    /** Of a text without a schema of its own. */
    function fillAll(text: string, file: string): string {
      const filled = fill(text);
      const table = file.endsWith("/privacy-policy.md") ? "{{table:data-kinds}}" : "";
      const known = filled.replaceAll(table, "");
      for (const name of new Set(findPlaceholders(known))) {
        mistakes.push(`campus/${file}: (text): ${name} is no known placeholder here`);
      }
      const alone = findLoneBrace(known);
      if (alone) mistakes.push(`campus/${file}: (text): ${alone}`);
      return filled;
    }

    /** Undefined for a file that is not there, which is told. */
    function read(file: string): string | undefined {
      try {
        const text = readTextFile(join(folder, file));
        if (isLegible(text)) return text;
        mistakes.push(`campus/${file}: (whole file): ${illegible}`);
        return undefined;
      } catch (error) {
        const model = join("content", settings.language, relative(content, file));
        const todo = original
          ? `begin with a copy of ${model}`
          : "every campus has one, such as those in campus-examples";
        const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
        const reason = isMissing ? `is missing; ${todo}` : "cannot be read; see whose file it is";
        mistakes.push(`campus/${file}: (whole file): ${reason}`);
        return undefined;
      }
    }

    function readYaml<T>(name: keyof typeof contentSchemas, schema: z.ZodType<T>): T {
      const file = join(content, `${name}.yaml`);
      const product = readProductWords(language, name);
      if (product !== undefined && !existsSync(join(folder, file))) {
        return check(schema, mapStrings(product, fill), file);
      }
      const text = read(file);
      if (text === undefined) return undefined as T;
      let value: unknown;
      try {
        // Placeholders are filled in the parsed values: a sign in a name cannot break the file's syntax.
        value = mapStrings(override(product, readYamlText(text)), fill);
      } catch (error) {
        mistakes.push(`campus/${file}: (whole file): ${tellSyntax(error as Error)}`);
        return undefined as T;
      }
      return check(schema, value, file);
    }

    function readMarkdown<T>(file: string, schema: z.ZodType<T>): { front: T; body: string } {
      const text = read(file);
      if (text === undefined) return { front: undefined as T, body: "" };
      const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
      if (!match) {
        mistakes.push(
          `campus/${file}: (front matter): must stand between two lines of three hyphens`,
        );
        return { front: undefined as T, body: "" };
      }
      let front: unknown;
      try {
        front = mapStrings(readYamlText(`\n${match[1] ?? ""}`), fill);
      } catch (error) {
        mistakes.push(`campus/${file}: (front matter): ${tellSyntax(error as Error)}`);
        return { front: undefined as T, body: "" };
      }
      const body = fillAll(match[2] ?? "", file);
      for (const unshown of findUnshown(body)) {
        mistakes.push(`campus/${file}: (text): ${unshown}`);
      }
      return { front: check(schema, front, file), body };
    }

    /** What nobody would read: a picture beside the posts, a text under another name. */
    function refuseStrays(): void {
      const files = Object.keys(contentSchemas).map((name) => `${name}.yaml`);
      const known = new Map([
        ["", [...files, "sources.json", "legal", "posts"]],
        ["legal", ["privacy-policy.md", "terms-conditions.md"]],
      ]);
      for (const place of ["", "legal", "posts"]) {
        const at = join(content, place);
        const names = existsSync(join(folder, at)) ? readdirSync(join(folder, at)) : [];
        for (const name of names) {
          // Files that a file manager leaves behind.
          if (/^\.|^(thumbs\.db|desktop\.ini)$/i.test(name)) continue;
          if (known.get(place)?.includes(name) ?? name.endsWith(".md")) continue;
          const wanted = known.get(place)?.join(", ") ?? "posts, whose names end in .md";
          mistakes.push(
            `campus/${join(at, name)}: (whole file): has no place here; this folder holds ${wanted}${/\.(?:jpe?g|png|gif|webp|avif|svg|heic)$/i.test(name) ? ", and posts are shown with our drawings, which `picture:` names" : ""}`,
          );
        }
      }
    }

    /** The day of a post, and how it is shown. */
    function datePost(date: string): Pick<Post, "date" | "isoDate"> {
      const day = readPostDate(date)?.toString() ?? "";
      if (date !== day) return { date, isoDate: day };
      const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
      return { date: format.format(new Date(`${day}T00:00:00Z`)), isoDate: day };
    }

    /** The text of a post, with what follows from it. */
    function readText(body: string, file: string, least: number) {
      const html = renderMarkdown(body);
      const words = countWords(html);
      if (words < least || words > 1400) {
        mistakes.push(`campus/${file}: (text): has ${words} words, must have ${least} to 1400`);
      }
      return { html, words, readMinutes: Math.max(1, Math.ceil(words / 200)), file };
    }

    function readPosts(byCategory: Campus["interface"]["blog"]["pictures"] | undefined): Post[] {
      const schema = postSchema(categories, today);
      const seen = new Map<number, string>();
      const posts: Post[] = [];
      const unread: string[] = [];
      if (!existsSync(join(folder, content, "posts"))) {
        mistakes.push(
          `campus/${content}/posts: (whole folder): is missing; it must hold the posts`,
        );
        return [];
      }
      for (const name of readdirSync(join(folder, content, "posts")).toSorted()) {
        if (!name.endsWith(".md")) continue;
        const file = join(content, "posts", name);
        const { front, body } = readMarkdown(file, schema);
        if (!front) {
          unread.push(name);
          continue;
        }
        const { id } = front;
        if (!basename(name).startsWith(`${id}-`)) {
          mistakes.push(`campus/${file}: id: the file's name must begin with "${id}-"`);
        }
        const other = seen.get(id);
        if (other) {
          mistakes.push(
            `campus/${file}: id: ${id} is ${other}'s, too; give it a number of its own`,
          );
        }
        seen.set(id, name);
        posts.push({
          ...front,
          ...datePost(front.date),
          ...readText(body, file, 400),
          picture: front.picture ?? byCategory?.[front.category]?.picture ?? "",
          imageAlt: front.imageAlt ?? byCategory?.[front.category]?.alt ?? "",
          related: [],
        });
      }
      // A post that cannot be read may be its category's only one.
      for (const category of unread.length > 0 ? [] : categories) {
        if (!posts.some((post) => post.category === category && post.listed)) {
          mistakes.push(
            `campus/${content}/posts: category: "${category}" has no listed post; write one, or take it out of the categories`,
          );
        }
      }
      posts.sort((a, b) =>
        a.isoDate === b.isoDate ? b.id - a.id : a.isoDate < b.isoDate ? 1 : -1,
      );
      relate(posts);
      return posts;
    }

    /** The posts of the original; those without a file here are shown as they are there. */
    function translatePosts(
      originals: Post[],
      labels: Campus["interface"],
      locale: string,
    ): Post[] {
      // Months are cut short in English; elsewhere that may be no word (এপ্রি).
      const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
      const files = existsSync(join(folder, content, "posts"))
        ? readdirSync(join(folder, content, "posts")).filter((name) => name.endsWith(".md"))
        : [];
      const names = new Map(originals.map((post) => [basename(post.file), post]));
      for (const name of files) {
        if (!names.has(name)) {
          mistakes.push(
            `campus/${content}/posts/${name}: (whole file): translates no post; its name must be that of one in content/${settings.language}/posts`,
          );
        }
      }
      return originals.map((post): Post => {
        const date = format.format(new Date(`${post.isoDate}T00:00:00Z`));
        const name = basename(post.file);
        if (!files.includes(name)) return { ...post, date, language: settings.language };
        const file = join(content, "posts", name);
        const { front, body } = readMarkdown(file, translatedPostSchema);
        if (!front) return post;
        for (const field of ["id", "category", "listed", "date"] as const) {
          if (front[field] === undefined || front[field] === post[field]) continue;
          mistakes.push(`campus/${file}: ${field}: must be the original's, ${post[field]}`);
        }
        const { title, author, excerpt } = front;
        const imageAlt =
          front.imageAlt ?? labels?.blog.pictures[post.category]?.alt ?? post.imageAlt;
        return { ...post, title, author, excerpt, imageAlt, date, ...readText(body, file, 200) };
      });
    }

    function readLegal(name: string, original?: LegalDocument): LegalDocument {
      const file = join(content, "legal", `${name}.md`);
      if (original && !existsSync(join(folder, file))) {
        return { ...original, language: settings.language };
      }
      const { front, body } = readMarkdown(file, legalFrontMatterSchema);
      // Without a text nothing more can be said of it.
      if (!front && body === "") return { ...(front as LegalDocument), intro: "", sections: [] };
      const [intro = "", ...chunks] = `\n${body}`.split(/\n## /);
      const sections = chunks.map((chunk, index): LegalSection => {
        const [title = "", ...lines] = chunk.split("\n");
        const rest = lines.join("\n").trim();
        const same = original?.sections[index];
        // A heading of one hyphen keeps the place of a section that is not translated.
        if (same && title.trim() === "-") return { ...same, language: settings.language };
        const quote = /^> (.+)(?:\n(?!>)|$)/.exec(rest);
        if (!quote) {
          mistakes.push(`campus/${file}: "${title}": must begin with one line "> in short"`);
          return { title, inShort: "", parts: [] };
        }
        return {
          title: title.trim(),
          inShort: renderInlineMarkdown(quote[1] ?? ""),
          parts: renderMarkdown(rest.slice(quote[0].length)).split("<p>{{table:data-kinds}}</p>"),
        };
      });
      if (sections.length === 0) {
        mistakes.push(
          `campus/${file}: (text): has no section; each begins with "## " and its title`,
        );
      }
      if (original && sections.length !== original.sections.length) {
        mistakes.push(
          `campus/${file}: (text): has ${sections.length} sections, must have ${original.sections.length} as the original has; "## -" keeps the place of one that is not translated`,
        );
      }
      const tables = sections.reduce((sum, { parts }) => sum + Math.max(0, parts.length - 1), 0);
      if (name === "privacy-policy" && tables !== 1) {
        mistakes.push(
          `campus/${file}: (text): must hold the line {{table:data-kinds}} once, where the table of data belongs`,
        );
      }
      if (original && front && front.authoritative !== settings.language) {
        mistakes.push(
          `campus/${file}: authoritative: must be ${settings.language}, the language whose text counts`,
        );
      }
      return { ...front, intro: renderMarkdown(intro), sections };
    }

    /** The questions of the original, in its order; those that are not here are shown as they are there. */
    function translateFaq(originals: FaqItem[]): FaqItem[] {
      const file = `${content}/faq.yaml`;
      const items = existsSync(join(folder, file)) ? readYaml("faq", z.array(faqItemSchema)) : [];
      const byId = new Map((items ?? []).map((item) => [item.id, item]));
      for (const id of byId.keys()) {
        if (!originals.some((item) => item.id === id)) {
          mistakes.push(
            `campus/${file}: ${id}: translates no question; its id must be that of one in content/${settings.language}/faq.yaml`,
          );
        }
      }
      return originals.map((item) => byId.get(item.id) ?? { ...item, language: settings.language });
    }

    refuseStrays();
    const labels = readYaml("interface", interfaceSchema);
    for (const category of labels ? categories : []) {
      for (const list of ["categories", "pictures"] as const) {
        if (labels.blog[list][category]) continue;
        mistakes.push(`campus/${content}/interface.yaml: blog.${list}: has none for "${category}"`);
      }
    }
    for (const list of ["categories", "pictures"] as const) {
      for (const left of Object.keys(labels?.blog[list] ?? {})) {
        if (categories.includes(left)) continue;
        mistakes.push(
          `campus/${content}/interface.yaml: blog.${list}: "${left}" is none of the categories of campus.yaml; rename it, or take it out`,
        );
      }
    }
    const landing = readYaml("landing", landingSchema);
    if (landing && Boolean(landing.paint) !== (settings.heroVehicle === "rickshaw")) {
      mistakes.push(
        `campus/${content}/landing.yaml: paint: must stand here when heroVehicle is "rickshaw", and only then`,
      );
    }
    const mail = readYaml("mail", mailWordsSchema);
    const locale = mail?.locale ?? language;
    if (new Intl.Locale(locale).language !== new Intl.Locale(language).language) {
      mistakes.push(
        `campus/${content}/mail.yaml: locale: must be ${language}, with or without a country, because dates are written in it`,
      );
    }
    return {
      settings: own,
      ...readNames(language),
      landing,
      interface: labels,
      faq: original ? translateFaq(original.faq) : readYaml("faq", faqSchema),
      deletion: readYaml("deletion", deletionSchema),
      mail,
      operator: readYaml("operator", operatorSchema),
      posts: original
        ? translatePosts(original.posts, labels, locale)
        : readPosts(labels?.blog.pictures),
      legal: {
        privacy: readLegal("privacy-policy", original?.legal.privacy),
        terms: readLegal("terms-conditions", original?.legal.terms),
      },
    };
  }

  /** Texts in a language that no page is in. Data may have words of others: lists are shared and copied. */
  function refuseOtherLanguages(): void {
    const own = [settings.language, ...Object.keys(settings.translations)];
    const todo = "name it under translations in campus.yaml, or take them out";
    for (const name of readdirSync(join(folder, "content"))) {
      if (own.includes(name) || /^\.|^(thumbs\.db|desktop\.ini)$/i.test(name)) continue;
      mistakes.push(
        `campus/content/${name}: (whole folder): has texts that no page shows; ${todo}`,
      );
    }
  }

  for (const language of [settings.language, ...Object.keys(settings.translations)]) {
    if (existsSync(join(folder, "content", language))) continue;
    throw new CampusError(
      [
        ...mistakes,
        `campus/content/${language}: (whole folder): is missing; it must hold the texts in the language ${language}`,
      ].join("\n"),
    );
  }
  refuseOtherLanguages();
  const original = readLanguage(settings.language);
  const broken = mistakes.length > 0;
  // What translates a text that is wrong itself cannot be judged.
  const translations = broken
    ? []
    : Object.keys(settings.translations).map((language) =>
        withLinksIn(language, readLanguage(language, original)),
      );
  if (mistakes.length === 0) {
    mistakes.push(...findDeadLinks(original, join("content", settings.language)));
  }
  if (mistakes.length === 0) {
    for (const words of translations) {
      mistakes.push(...findDeadLinks(words, join("content", words.settings.language)));
    }
  }
  if (mistakes.length > 0) throw new CampusError([...new Set(mistakes)].join("\n"));
  return { ...original, translations };
}

/** The product's own words of one file, in a language that it speaks; undefined for a file that is the campus's alone. */
function readProductWords(language: string, name: string): unknown {
  const path = join(productWords, language, `${name}.yaml`);
  return existsSync(path) ? readYamlText(readTextFile(path)) : undefined;
}

/** What a campus says itself, by the same keys, stands in place of the product's words; lists are taken whole. */
function override(words: unknown, own: unknown): unknown {
  if (!isGroup(words) || !isGroup(own)) return own ?? words;
  const entries = Object.entries(own).map(([key, value]) => [key, override(words[key], value)]);
  return { ...words, ...Object.fromEntries(entries) };
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Links within the site lead on in the same language. */
function withLinksIn<T>(language: string, content: T): T {
  return mapStrings(content, (text) =>
    text.replace(
      /href="(\/(?!\/)[^"]*)"/g,
      (_, path: string) => `href="${inLanguage(path, language).replace(/&(?!#x26;)/g, "&#x26;")}"`,
    ),
  ) as T;
}

/** Finds for each post the listed ones that go with it. */
function relate(posts: Post[]): void {
  const listed = posts.filter((post) => post.listed);
  const places = new Map(listed.map(({ id }, place) => [id, place]));
  const unlisted = Math.min(posts.length - listed.length, 10);
  const found = findRelatedPosts(posts, relatedCount + 2 + unlisted);
  for (const post of posts) {
    const place = places.get(post.id);
    const isNeighbour = (other: number) => place !== undefined && Math.abs(other - place) === 1;
    post.related = (found.get(post.id) ?? [])
      .filter((id) => {
        const other = places.get(id);
        return other !== undefined && !isNeighbour(other);
      })
      .slice(0, relatedCount);
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]),
    );
  }
  return value;
}
