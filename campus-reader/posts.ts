import { basename, join } from "node:path";
import type { z } from "zod";
import { keepUnits } from "../server/platform/i18n/no-breaks.ts";
import { postSchema, readPostDate, translatedPostSchema } from "./content-schema.ts";
import { countWords } from "./markdown.ts";
import { countSigns } from "./placeholders.ts";
import type { CampusSettings } from "./schema.ts";
import { listFolder, readMarkdown, type Texts, type Untranslated } from "./texts.ts";

export type Post = Omit<z.infer<ReturnType<typeof postSchema>>, "picture" | "imageAlt"> & {
  /** The date in ISO format, such as `2025-06-20`. */
  isoDate: string;
  html: string;
  words: number;
  /** Reading time in minutes at 200 words per minute, rounded up. */
  readMinutes: number;
  /** Path below `campus/`. */
  file: string;
  /** Name of the drawing: the post's own, or its category's. */
  picture: string;
  imageAlt: string;
  /**
   * Ids of related listed posts, most closely related first, without the post's neighbors in the
   * list.
   */
  related: number[];
} & Untranslated;

/** Fields of a post that lists of posts need. */
export type PostListing = Omit<Post, "html" | "file">;

type Pictures = Record<string, { picture: string; alt: string }>;

const relatedCount = 3;
/**
 * Maximum length, in characters, of an excerpt that fits into the three lines of the smallest card.
 */
const excerptLength = 100;
/** Default picture for a post whose category has none. */
const plainPicture = "notebook";

/** Reads post numbers from file names so that links to posts with mistakes can be checked, too. */
export function listPostNumbers(texts: Texts): number[] {
  return listPosts(texts).flatMap(
    (file) => Number(/^(\d+)-/.exec(basename(file))?.[1] ?? NaN) || [],
  );
}

/** Reads the posts in the default language, newest first. */
export function readPosts(texts: Texts, settings: CampusSettings, pictures: Pictures): Post[] {
  const { categories, timeZone } = settings;
  const schema = postSchema(categories, Temporal.Now.plainDateISO(timeZone));
  const posts = listPosts(texts).flatMap((file) => readPost(texts, file, schema, pictures));
  refuseDoubles(texts, posts);
  posts.sort((a, b) => (a.isoDate === b.isoDate ? b.id - a.id : a.isoDate < b.isoDate ? 1 : -1));
  relate(posts);
  return posts;
}

function listPosts(texts: Texts): string[] {
  return listFolder(texts, "posts")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(texts.content, "posts", name));
}

function readPost(
  texts: Texts,
  file: string,
  schema: ReturnType<typeof postSchema>,
  pictures: Pictures,
): Post[] {
  const { front, body } = readMarkdown(texts, file, schema);
  if (!front) return [];
  const { id, date } = front;
  if (!basename(file).startsWith(`${id}-`)) {
    texts.report(file, "id", `the file's name must begin with "${id}-"`);
  }
  noteLongExcerpt(texts, file, front.excerpt);
  const isoDate = readPostDate(date)?.toString() ?? "";
  const shown = date === isoDate ? dateIn(texts.language, "medium", isoDate) : date;
  const { picture = plainPicture, alt = "" } = pictures[front.category] ?? {};
  return [
    {
      ...front,
      date: shown,
      isoDate,
      ...measureText(texts, body, file),
      picture: front.picture ?? picture,
      imageAlt: front.imageAlt ?? alt,
      related: [],
    },
  ];
}

/** Adds a note about an excerpt that cards in lists would truncate. */
function noteLongExcerpt({ report }: Texts, file: string, excerpt: string): void {
  const count = countSigns(excerpt);
  if (count <= excerptLength) return;
  const limit = `a card shows about ${excerptLength} in its three lines`;
  const todo = "say it shorter here, and the rest under standfirst, below the post's title";
  report(file, "excerpt", `has ${count} characters; ${limit}; ${todo}`, { isNote: true });
}

function refuseDoubles({ report }: Texts, posts: readonly Post[]): void {
  const known = new Map<number, Post>();
  for (const post of posts) {
    const { id, file } = post;
    const other = known.get(id);
    known.set(id, post);
    // A number that isn't in the file's name has already been reported.
    if (!other || ![other.file, file].every((path) => basename(path).startsWith(`${id}-`)))
      continue;
    report(file, "id", `${id} is ${basename(other.file)}'s, too; give it a number of its own`);
  }
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateIn(locale: string, dateStyle: "medium" | "long", day: string): string {
  const format = dateFormats.getOrInsertComputed(
    `${locale} ${dateStyle}`,
    () => new Intl.DateTimeFormat(locale, { dateStyle }),
  );
  return keepUnits(format.format(Temporal.PlainDate.from(day)));
}

function measureText({ report, markdown }: Texts, body: string, file: string) {
  const html = markdown.render(body);
  const words = countWords(html);
  if (words === 0) report(file, "(text)", "is empty; write at least a sentence below the hyphens");
  return { html, words, readMinutes: Math.max(1, Math.ceil(words / 200)), file };
}

/**
 * Reads the translations of posts. Untranslated posts stay in the default language.
 * @param locale locale of the dates. The dates are long, because some languages have no short names
 * of months (এপ্রি)
 */
export function translatePosts(
  texts: Texts,
  originals: readonly Post[],
  pictures: Pictures,
  locale: string,
): Post[] {
  const { first } = texts;
  const files = new Map(listPosts(texts).map((file) => [basename(file), file]));
  // Reads the original file names from the folder, because `originals` lacks posts with a mistake.
  const names = new Set(
    listPosts({ ...texts, content: join("content", first) }).map((file) => basename(file)),
  );
  for (const [name, file] of files) {
    if (names.has(name)) continue;
    const wanted = `its name must be that of one in content/${first}/posts`;
    texts.report(file, "(whole file)", `translates no post; ${wanted}`);
  }
  return originals.map((post): Post => {
    const date = dateIn(locale, "long", post.isoDate);
    const file = files.get(basename(post.file));
    if (!file) return { ...post, date, language: first };
    const { front, body } = readMarkdown(texts, file, translatedPostSchema);
    if (!front) return post;
    noteLongExcerpt(texts, file, front.excerpt);
    const original = { ...post, date: post.isoDate };
    const repeated = { ...front, date: readPostDate(front.date ?? "")?.toString() ?? front.date };
    for (const field of ["id", "category", "listed", "date"] as const) {
      if (repeated[field] === undefined || repeated[field] === original[field]) continue;
      texts.report(file, field, `must be the original's, ${original[field]}`);
    }
    const { title, author, excerpt, standfirst } = front;
    const ofCategory = pictures[post.category];
    const alt = ofCategory?.picture === post.picture ? ofCategory.alt : post.imageAlt;
    const imageAlt = front.imageAlt ?? alt;
    const text = measureText(texts, body, file);
    return { ...post, title, author, excerpt, standfirst, imageAlt, date, ...text };
  });
}

/**
 * Finds each post's related listed posts: first those that it links to, then those that link to it,
 * then the newest posts in its category, then the newest posts overall.
 */
function relate(posts: Post[]): void {
  const listed = posts.filter((post) => post.listed);
  const places = new Map(listed.map(({ id }, place) => [id, place]));
  const linkedFrom = new Map<number, number[]>();
  for (const { id, html } of posts) {
    for (const target of linksIn(html)) {
      linkedFrom.set(target, [...(linkedFrom.get(target) ?? []), id]);
    }
  }
  const ofCategory = Map.groupBy(listed, ({ category }) => category);
  // Takes a few posts more than `relatedCount`, because the post itself and its two neighbors are
  // removed afterward.
  const newest = (some: readonly Post[] = []) =>
    some.slice(0, relatedCount + 3).map(({ id }) => id);
  for (const { id, html, category, related } of posts) {
    const place = places.get(id);
    const found = [...linksIn(html), ...(linkedFrom.get(id) ?? [])].concat(
      newest(ofCategory.get(category)),
      newest(listed),
    );
    const canRelate = (other: number) => {
      const otherPlace = places.get(other);
      if (otherPlace === undefined) return false;
      return place === undefined || Math.abs(otherPlace - place) > 1;
    };
    related.push(...[...new Set(found)].filter(canRelate).slice(0, relatedCount));
  }
}

function linksIn(html: string): number[] {
  return [...html.matchAll(/href="\/blog\/(\d+)[#"]/g)].map(([, id]) => Number(id));
}
