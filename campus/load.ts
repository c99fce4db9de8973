import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type MailWords, mailWordsSchema } from "../server/deletion-requests/mail-words.ts";
import {
  deletionSchema,
  faqSchema,
  interfaceSchema,
  landingSchema,
  legalFrontMatterSchema,
  postSchema,
  readPostDate,
} from "./content-schema.ts";
import { CampusError, readDataFile, tellIssues } from "./data-files.ts";
import { countWords, renderInlineMarkdown, renderMarkdown } from "./markdown.ts";
import { findRelatedPosts } from "./related-posts.ts";
import { type CampusSettings, calendarSchema, dataKindSchema, settingsSchema } from "./schema.ts";

export { CampusError };

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
};

/** What lists need of a post. */
export type PostListing = Omit<Post, "html" | "file">;

export type LegalSection = {
  title: string;
  /** One sentence of HTML. */
  inShort: string;
  /** HTML; the table of data kinds stands between two parts where the text asks for it. */
  parts: string[];
};

export type LegalDocument = z.infer<typeof legalFrontMatterSchema> & {
  /** HTML before the first section. */
  intro: string;
  sections: LegalSection[];
};

const contentSchemas = {
  landing: landingSchema,
  interface: interfaceSchema,
  faq: faqSchema,
  deletion: deletionSchema,
  mail: mailWordsSchema,
};

/** Everything a page shows, read from `campus/` and checked. */
export type Campus = {
  settings: CampusSettings;
  dataKinds: z.infer<typeof dataKindSchema>[];
  landing: z.infer<typeof landingSchema>;
  interface: z.infer<typeof interfaceSchema>;
  faq: z.infer<typeof faqSchema>;
  deletion: z.infer<typeof deletionSchema>;
  mail: MailWords;
  legal: { privacy: LegalDocument; terms: LegalDocument };
};

/** Related posts that are shown under a post. */
const relatedCount = 3;

/** The words that content may use for names and numbers of the campus: `{product}`, `{email}` and so on. */
function placeholders(from: CampusSettings): Record<string, string> {
  const { target, limit } = from.deletionBusinessDays;
  return {
    product: from.product,
    developer: from.developer,
    campus: from.campus,
    city: from.city,
    country: from.country,
    jurisdiction: from.jurisdiction,
    email: from.email,
    emergency: from.emergency,
    localEmergency: from.localEmergency,
    currency: from.currency.sign,
    wallet: from.wallet,
    policyDate: from.policyDate,
    legalPerson: from.legal.person,
    legalRegistration: from.legal.registration,
    postalAddress: from.legal.address,
    enlistment: from.legal.enlistment,
    dataLocation: from.legal.dataLocation,
    arbitrationSeat: from.legal.arbitrationSeat,
    deletionDays: target === limit ? String(limit) : `${target}-${limit}`,
    availableStore: from.stores.available.name,
    comingStore: from.stores.coming.name,
  };
}

/**
 * Reads and checks the whole campus folder.
 * @param folder its absolute path
 * @returns the campus and its posts, newest first, unlisted ones included
 * @throws CampusError listing every mistake found, with file, field and reason
 */
export function loadCampus(folder: string): Campus & { posts: Post[] } {
  const mistakes: string[] = [];

  function check<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    mistakes.push(...tellIssues(result.error, file));
    return undefined as T;
  }

  function readData<T>(name: "campus" | "calendar" | "deletion", schema: z.ZodType<T>): T {
    const { file, value } = readDataFile(folder, name);
    return check(schema, value, file);
  }

  const settings = readData("campus", settingsSchema);
  readData("calendar", calendarSchema);
  const dataKinds = readData("deletion", z.array(dataKindSchema).min(1));
  // Nothing can be read without knowing whose it is.
  if (!settings) throw new CampusError(mistakes.join("\n"));
  const { categories } = settings;
  const words = placeholders(settings);
  const today = Temporal.Now.plainDateISO(settings.timeZone);
  const content = join("content", settings.language);

  /** What is not the campus's own is left to the schema of the text. */
  function fill(text: string): string {
    return text.replace(/(?<!\{)\{([A-Za-z]+)\}(?!\})/g, (whole, name: string) => {
      return words[name] ?? whole;
    });
  }

  /** Of a text without a schema of its own. */
  function fillAll(text: string, file: string): string {
    const filled = fill(text);
    const left = new Set(filled.match(/\{+[A-Za-z ]+\}+/g));
    for (const name of left) {
      mistakes.push(`campus/${file}: (text): ${name} is no known placeholder here`);
    }
    return filled;
  }

  function read(file: string): string {
    try {
      return readFileSync(join(folder, file), "utf8");
    } catch {
      mistakes.push(`campus/${file}: (whole file): cannot be read`);
      return "";
    }
  }

  function readYaml<T>(name: keyof typeof contentSchemas, schema: z.ZodType<T>): T {
    const file = join(content, `${name}.yaml`);
    let value: unknown;
    try {
      // Placeholders are filled in the parsed values: a sign in a name cannot break the file's syntax.
      value = mapStrings(parseYaml(read(file)), fill);
    } catch (error) {
      mistakes.push(`campus/${file}: (whole file): ${(error as Error).message.split("\n")[0]}`);
      return undefined as T;
    }
    return check(schema, value, file);
  }

  function readMarkdown<T>(file: string, schema: z.ZodType<T>): { front: T; body: string } {
    const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(read(file).replaceAll("\r\n", "\n"));
    if (!match) {
      mistakes.push(
        `campus/${file}: (front matter): must stand between two lines of three hyphens`,
      );
      return { front: undefined as T, body: "" };
    }
    const front = mapStrings(parseYaml(match[1] ?? ""), fill);
    return { front: check(schema, front, file), body: fillAll(match[2] ?? "", file) };
  }

  function readPosts(byCategory: Campus["interface"]["blog"]["pictures"] | undefined): Post[] {
    const schema = postSchema(categories, today);
    const seen = new Set<number>();
    const posts: Post[] = [];
    for (const name of readdirSync(join(folder, content, "posts"))) {
      if (!name.endsWith(".md")) continue;
      const file = join(content, "posts", name);
      const { front, body } = readMarkdown(file, schema);
      if (!front) continue;
      const { id } = front;
      if (!basename(name).startsWith(`${id}-`)) {
        mistakes.push(`campus/${file}: id: the file's name must begin with "${id}-"`);
      }
      if (seen.has(id)) mistakes.push(`campus/${content}/posts: id: ${id} is used twice`);
      seen.add(id);
      const html = renderMarkdown(body);
      const words = countWords(html);
      if (words < 400 || words > 1400) {
        mistakes.push(`campus/${file}: (text): has ${words} words, must have 400 to 1400`);
      }
      posts.push({
        ...front,
        isoDate: readPostDate(front.date)?.toString() ?? "",
        html,
        words,
        readMinutes: Math.max(1, Math.ceil(words / 200)),
        file,
        picture: front.picture ?? byCategory?.[front.category]?.picture ?? "",
        imageAlt: front.imageAlt ?? byCategory?.[front.category]?.alt ?? "",
        related: [],
      });
    }
    for (const category of categories) {
      if (byCategory && !byCategory[category]) {
        mistakes.push(
          `campus/${content}/interface.yaml: blog.pictures: has none for "${category}"`,
        );
      }
      if (!posts.some((post) => post.category === category && post.listed)) {
        mistakes.push(`campus/${content}/posts: category: "${category}" has no listed post`);
      }
    }
    posts.sort((a, b) => (a.isoDate === b.isoDate ? b.id - a.id : a.isoDate < b.isoDate ? 1 : -1));
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
    return posts;
  }

  function readLegal(name: string): LegalDocument {
    const file = join(content, "legal", `${name}.md`);
    const { front, body } = readMarkdown(file, legalFrontMatterSchema);
    const [intro = "", ...chunks] = `\n${body}`.split(/\n## /);
    const sections = chunks.map((chunk): LegalSection => {
      const [title = "", ...lines] = chunk.split("\n");
      const rest = lines.join("\n").trim();
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
    if (sections.length !== 10) {
      mistakes.push(`campus/${file}: (text): has ${sections.length} sections, must have 10`);
    }
    return { ...front, intro: renderMarkdown(intro), sections };
  }

  const labels = readYaml("interface", interfaceSchema);
  const campus = {
    settings,
    dataKinds,
    landing: readYaml("landing", landingSchema),
    interface: labels,
    faq: readYaml("faq", faqSchema),
    deletion: readYaml("deletion", deletionSchema),
    mail: readYaml("mail", mailWordsSchema),
    posts: readPosts(labels?.blog.pictures),
    legal: { privacy: readLegal("privacy-policy"), terms: readLegal("terms-conditions") },
  };
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
  return campus;
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
