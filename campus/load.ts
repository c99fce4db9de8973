import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type MailWords, mailWordsSchema } from "../server/deletion-requests/mail-words.ts";
import { calendar } from "./calendar.ts";
import { campus as settings } from "./campus.ts";
import {
  deletionSchema,
  faqSchema,
  interfaceSchema,
  landingSchema,
  legalFrontMatterSchema,
  postSchema,
} from "./content-schema.ts";
import { dataKinds } from "./deletion.ts";
import { countWords, renderInlineMarkdown, renderMarkdown } from "./markdown.ts";
import { type CampusSettings, calendarSchema, dataKindSchema, settingsSchema } from "./schema.ts";

/** A mistake in `campus/`, told as file, field and reason, one line each. */
export class CampusError extends Error {
  override name = "CampusError";
}

export type Post = z.infer<ReturnType<typeof postSchema>> & {
  /** The date as `2025-06-20`. */
  isoDate: string;
  html: string;
  words: number;
  /** Minutes at 200 words a minute, rounded up. */
  readMinutes: number;
};

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

const categories = settings.categories as readonly string[];
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
  /** Newest first, unlisted ones included. */
  posts: Post[];
  legal: { privacy: LegalDocument; terms: LegalDocument };
};

/** Names that are filled in when a page is made, not when the content is read. */
const filledLater = new Set([
  "year",
  "minutes",
  "category",
  "date",
  "count",
  "from",
  "to",
  "reference",
  "linkUntil",
  "due",
  "expires",
]);

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
    deletionDays: target === limit ? String(limit) : `${target}-${limit}`,
    availableStore: from.stores.available.name,
    comingStore: from.stores.coming.name,
  };
}

/**
 * Reads and checks the whole campus folder.
 * @param folder the absolute path of `campus/`
 * @throws CampusError listing every mistake found, with file, field and reason
 */
export function loadCampus(folder: string): Campus {
  const mistakes: string[] = [];

  function check<T>(schema: z.ZodType<T>, value: unknown, file: string): T {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      mistakes.push(`campus/${file}: ${issue.path.join(".") || "(whole file)"}: ${issue.message}`);
    }
    return undefined as T;
  }

  const checkedSettings = check(settingsSchema, settings, "campus.ts");
  check(calendarSchema, calendar, "calendar.ts");
  const checkedKinds = check(z.array(dataKindSchema).min(1), dataKinds, "deletion.ts");
  const words = placeholders(settings);
  const content = join("content", settings.language);

  function fill(text: string, file: string): string {
    return text.replace(/(?<!\{)\{([A-Za-z]+)\}(?!\})/g, (whole, name: string) => {
      if (filledLater.has(name)) return whole;
      const word = words[name];
      if (word === undefined) mistakes.push(`campus/${file}: ${whole}: is no known placeholder`);
      return word ?? whole;
    });
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
      value = mapStrings(parseYaml(read(file)), (text) => fill(text, file));
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
    const front = mapStrings(parseYaml(match[1] ?? ""), (text) => fill(text, file));
    return { front: check(schema, front, file), body: fill(match[2] ?? "", file) };
  }

  function readPosts(): Post[] {
    const schema = postSchema(categories);
    const names = readdirSync(join(folder, content, "posts")).filter((name) =>
      name.endsWith(".md"),
    );
    const posts = names.map((name): Post | undefined => {
      const file = join(content, "posts", name);
      const { front, body } = readMarkdown(file, schema);
      if (!front) return undefined;
      if (!basename(name).startsWith(`${front.id}-`)) {
        mistakes.push(`campus/${file}: id: the file's name must begin with "${front.id}-"`);
      }
      const html = renderMarkdown(body);
      const count = countWords(html);
      if (count < 500 || count > 900) {
        mistakes.push(`campus/${file}: (text): has ${count} words, must have 500 to 900`);
      }
      return {
        ...front,
        isoDate: new Date(`${front.date} UTC`).toISOString().slice(0, 10),
        html,
        words: count,
        readMinutes: Math.max(1, Math.ceil(count / 200)),
      };
    });
    const found = posts.filter((post) => post !== undefined);
    found.forEach((post, index) => {
      if (found.findIndex((other) => other.id === post.id) !== index) {
        mistakes.push(`campus/${content}/posts: id: ${post.id} is used twice`);
      }
    });
    for (const category of categories) {
      if (!found.some((post) => post.category === category && post.listed)) {
        mistakes.push(`campus/${content}/posts: category: "${category}" has no listed post`);
      }
    }
    return found.sort((a, b) => b.isoDate.localeCompare(a.isoDate));
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

  const campus: Campus = {
    settings: checkedSettings,
    dataKinds: checkedKinds,
    landing: readYaml("landing", landingSchema),
    interface: readYaml("interface", interfaceSchema),
    faq: readYaml("faq", faqSchema),
    deletion: readYaml("deletion", deletionSchema),
    mail: readYaml("mail", mailWordsSchema),
    posts: readPosts(),
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
