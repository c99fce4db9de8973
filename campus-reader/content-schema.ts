import { z } from "zod";
import type { ProductWords } from "../words/keys.d.ts";
import { allCategories } from "./choices.ts";
import type { Markdown } from "./markdown.ts";
import { countSigns, unique, words, wordsUpTo } from "./placeholders.ts";
import { findNearest } from "./spelling.ts";
import type { Untranslated } from "./texts.ts";

/** Schemas for the files in `content/<language>/`. Markdown is rendered to HTML. */

const anchor = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, "must be lower-case words joined by hyphens, such as how-to-pay");
const alt = wordsUpTo(120);
const pictureName = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, {
  error: ({ input }) => {
    const file = String(input).replace(/^.*\//, "");
    const name = file.replace(/\.\w+$/, "");
    return /^[a-z0-9][a-z0-9-]*$/.test(name)
      ? `must be the name alone: write ${name}, and put the file into pictures/`
      : "must be the name of a file in pictures/, without its ending, or of one of our pictures";
  },
  abort: true,
});
const row = z.strictObject({ label: words, value: words });

const uniqueIds = unique(({ id }: { id: string }) => `"${id}"`, "id");

/**
 * Lists that a campus replaces entirely on its landing page. If an item lacks a field, the field
 * comes from the product's item with the same id.
 */
const lists = {
  hero: {
    facts: z.array(words).min(1).max(6, "must be six or fewer: they share the first view"),
  },
  services: {
    items: z
      .array(
        z.strictObject({
          id: anchor.describe("A name of your own; pictures/service-ID is its picture."),
          title: words.describe("Name of the service."),
          description: words.describe("One or two sentences about it."),
          status: z
            .enum(["available", "coming"])
            .describe("coming marks a service that is announced."),
          picture: pictureName
            .optional()
            .describe("Name of a file in pictures/ or of one of our drawings, without its ending."),
          alt: alt.optional().describe("What your picture shows, for people who can't see it."),
        }),
      )
      .min(1, "must name at least one service; to have none, leave services out of sections")
      .superRefine(uniqueIds),
    facts: z.array(row).min(1).max(6, "must be six or fewer: they are shown side by side"),
  },
  features: {
    tiles: z
      .array(
        z.strictObject({
          id: z.enum(["match", "track", "pay", "fare"]),
          title: words,
          text: words,
          alt,
          note: words,
          details: z.array(row).max(3, "must be three or fewer: the tile has no room for more"),
          total: row.optional(),
          ways: z
            .array(z.strictObject({ text: words, later: z.boolean().optional() }))
            .max(2, "must be two or fewer: the receipt has no room for more")
            .optional(),
        }),
      )
      .length(4, "must be four: each has an example and a drawing of its own")
      .superRefine(uniqueIds),
  },
  steps: {
    items: z
      .array(z.strictObject({ id: anchor.optional(), title: words, text: words, alt }))
      .length(4, "must be four: the drawn road has four stops, each with a drawing of its own"),
  },
  safety: {
    points: z
      .array(
        z.strictObject({
          id: z.enum(["who", "papers", "minutes", "emergency"]),
          title: words,
          text: words,
          facts: z
            .array(z.strictObject({ value: words, label: words, call: z.boolean().optional() }))
            .min(1)
            .max(4, "must be four or fewer: they are shown side by side"),
        }),
      )
      .min(1, "must name at least one")
      .superRefine(uniqueIds),
  },
  about: { paragraphs: z.array(words).min(1) },
  careers: {
    roles: z.array(z.strictObject({ id: anchor.optional(), title: words, text: words })).min(1),
  },
  contact: {
    letters: z.array(z.strictObject({ label: words, subject: words, body: words.optional() })),
  },
  refund: { points: z.array(words).min(1) },
};

const account = z.looseObject({ needs: z.array(words).min(1) });
const sections = Object.entries(lists).map(([section, fields]) => [section, z.looseObject(fields)]);

/**
 * Limits that the landing page's drawings and layout impose on its lists, in addition to the rules
 * for all text.
 */
export const landingSchema = z.looseObject({
  ...(Object.fromEntries(sections) as Record<string, z.ZodType>),
  registration: z.looseObject({ user: account, rider: account }),
});

type Lists = typeof lists;
type Spoken = ProductWords["landing"];

/** The landing page's text, with validated lists. */
export type Landing = Omit<ValidLanding, "services"> & {
  services: Omit<ValidLanding["services"], "items"> & { items: Service[] };
};

type ValidLanding = Omit<Spoken, keyof Lists> & {
  [Section in keyof Lists]: Omit<Spoken[Section], keyof Lists[Section]> & {
    [Name in keyof Lists[Section]]: z.output<Lists[Section][Name]>;
  };
};

export type Service = z.output<typeof lists.services.items>[number] & Untranslated;

/**
 * Blog labels that `interface.yaml` adds to the product's text. The keys are category names as in
 * URLs and `campus.yaml`.
 */
export const labelsSchema = z.strictObject({
  blog: z.strictObject({
    categories: z.record(z.string(), words),
    pictures: z
      .record(words, z.strictObject({ picture: pictureName, alt }))
      .describe("Default pictures for posts, keyed by category."),
  }),
});

export const faqItemSchema = ({ render, renderInline }: Markdown) =>
  z.strictObject({
    id: anchor.describe("A name of your own, for links such as /faq#how-to-pay."),
    question: words.describe("The question."),
    short: words
      .transform(renderInline)
      .optional()
      .describe("One or two sentences for the landing page, which links to the full answer."),
    answer: words.transform(render).describe("The answer in Markdown."),
  });

export const faqSchema = (markdown: Markdown) =>
  z
    .array(faqItemSchema(markdown))
    .min(3, "needs at least three questions; the first five are shown on the landing page, too")
    .superRefine(uniqueIds);

const months = [..."JanFebMarAprMayJunJulAugSepOctNovDec".matchAll(/.../g)].map(([name]) => name);

/**
 * Parses a post's date, such as "Jun 20, 2025" or "2025-06-20". Returns `undefined` if the date
 * doesn't exist.
 */
export function readPostDate(text: string): Temporal.PlainDate | undefined {
  const [, name = "", day = "", year] = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  const month = `${months.indexOf(name) + 1}`;
  try {
    return Temporal.PlainDate.from(
      year === undefined ? text : [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
    );
  } catch {
    return undefined;
  }
}

const excerpt = wordsUpTo(240).describe("Says in lists and search results what the post is about.");
const standfirst = wordsUpTo(240)
  .optional()
  .describe("Sentences below the post's title; otherwise the excerpt.");

/**
 * Creates the schema for a post's front matter.
 * @param today the latest allowed date
 */
export function postSchema(categories: readonly string[], today: Temporal.PlainDate) {
  const rule = 'must be a date such as "2025-06-20", or "Jun 20, 2025" to be shown just so';
  const postDate = z
    .string(rule)
    .regex(/^(?:[A-Z][a-z]{2} \d{1,2}, \d{4}|\d{4}-\d\d-\d\d)$/, { error: rule, abort: true })
    .refine(
      (text) => readPostDate(text) !== undefined,
      "is not a day in the calendar; correct the day or the month",
    )
    .refine((text) => {
      const day = readPostDate(text);
      return !day || Temporal.PlainDate.compare(day, today) <= 0;
    }, "must not be later than today; until then, leave the post out");
  return z
    .strictObject({
      id: z.int().min(1).max(99_999),
      title: wordsUpTo(65),
      date: postDate,
      category: z
        .enum(categories as [string, ...string[]], {
          error: ({ input }) => {
            const suggestion = findNearest(String(input), categories);
            return categories.length > 0
              ? `must be one of ${categories.join(", ")}; ${suggestion ? `did you mean ${suggestion}?` : "to use another, add it to categories in campus.yaml"}`
              : "must be one of the categories in campus.yaml, which has none; add it there, or remove it here";
          },
        })
        .default(allCategories),
      author: words.describe("First name of the student who wrote the post."),
      listed: z
        .boolean()
        .default(true)
        .describe(
          "If false, the post is missing from lists, the sitemap, the feed and related posts; its URL still works.",
        ),
      excerpt,
      standfirst,
      picture: pictureName
        .optional()
        .describe("Name of the post's drawing. Defaults to the category's drawing."),
      imageAlt: alt.optional(),
    })
    .refine((post) => (post.picture === undefined) === (post.imageAlt === undefined), {
      path: ["picture"],
      error: "must be given together with imageAlt, or both left out for the category's picture",
    });
}

/**
 * Front matter of a translated post. `id`, `date`, `category` and `listed` must equal the original's
 * if they are present; the translation always has the original's picture.
 */
export const translatedPostSchema = z.strictObject({
  id: z.int(),
  title: wordsUpTo(65),
  author: words,
  excerpt,
  standfirst,
  imageAlt: alt.optional(),
  date: z.string().optional().describe("If present, must equal the original's date."),
  category: z.string().optional(),
  listed: z.boolean().optional(),
  picture: z.string().optional(),
});

const pageTexts = {
  title: wordsUpTo(65).describe("Title of the page."),
  description: wordsUpTo(160).describe("Says in search results what the page is about."),
  label: wordsUpTo(24)
    .optional()
    .describe("Short name for the menu and the footer; otherwise the title."),
};

/** Front matter of a page that the campus adds. */
export const ownPageSchema = z
  .strictObject({
    ...pageTexts,
    place: z
      .enum(["menu", "footer", "none"])
      .default("none")
      .describe("Where every page links to it: in the menu, in the footer, or nowhere."),
  })
  .refine(({ title, label, place }) => place !== "menu" || countSigns(label ?? title) <= 24, {
    path: ["label"],
    error: "is needed in the menu, because the title has more than 24 characters",
  });

/** Front matter of a translated page. `place` comes from the original. */
export const translatedPageSchema = z.strictObject({
  ...pageTexts,
  place: z.string().optional(),
});

export const legalFrontMatterSchema = z.strictObject({
  title: words,
  description: wordsUpTo(160),
  authoritative: z
    .string()
    .optional()
    .describe("In a translation, the language of the legally binding text."),
});
