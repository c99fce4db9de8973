import { basename, join } from "node:path";
import type { z } from "zod";
import { hookPaths, monitorPaths, paths } from "../server/platform/http/paths.ts";
import { isLanguagePrefix } from "../server/platform/i18n/language-paths.ts";
import { ownPageSchema, translatedPageSchema } from "./content-schema.ts";
import { listFolder, readMarkdown, type Texts, type Untranslated } from "./texts.ts";

/** A page that the campus adds, at `/NAME`. */
export type OwnPage = z.infer<typeof ownPageSchema> & {
  /** The file's name without the extension. */
  name: string;
  /** Path below `campus/`. */
  file: string;
  html: string;
} & Untranslated;

/** First path segments that are reserved for the product's pages and the server. */
const taken = new Set([
  ...Object.values({ ...paths, ...hookPaths, ...monitorPaths }).flatMap((path) =>
    typeof path === "string" ? (path.split(/[/#?]/)[1] ?? []) : [],
  ),
  ...["assets", "art", "pictures", "nowhere"],
]);

/**
 * Reads the pages that a campus adds.
 * @param originals the pages in the default language, if these are translations. Untranslated pages
 * stay in the default language
 */
export function readPages(texts: Texts, originals?: readonly OwnPage[]): OwnPage[] {
  const files = listFolder(texts, "pages")
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(texts.content, "pages", name));
  if (!originals) return files.map((file) => readPage(texts, file));
  const { first } = texts;
  for (const file of files) {
    if (originals.some((page) => basename(page.file) === basename(file))) continue;
    const wanted = `its name must be that of one in content/${first}/pages`;
    texts.report(file, "(whole file)", `translates no page; ${wanted}`);
  }
  return originals.map((page): OwnPage => {
    const file = files.find((candidate) => basename(candidate) === basename(page.file));
    if (!file) return { ...page, language: first };
    const { front, body } = readMarkdown(texts, file, translatedPageSchema);
    if (!front) return page;
    const { title, description, label } = front;
    return { ...page, title, description, label, file, html: texts.markdown.render(body) };
  });
}

function readPage(texts: Texts, file: string): OwnPage {
  const name = basename(file, ".md");
  const refuse = (reason: string) => texts.report(file, "(whole file)", reason);
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) {
    refuse("its name becomes an address; use a-z, 0-9 and hyphens, such as womens-rides.md");
  } else if (taken.has(name)) {
    refuse(`/${name} is a page of the product; give the file another name`);
  } else if (isLanguagePrefix(name)) {
    refuse(`/${name} is reserved for a language; give the file a name of three letters or more`);
  }
  const { front, body } = readMarkdown(texts, file, ownPageSchema);
  const html = texts.markdown.render(body);
  // Returns even a page with invalid front matter so that links to it aren't reported as dead.
  return { title: "", description: "", place: "none", ...front, name, file, html };
}
