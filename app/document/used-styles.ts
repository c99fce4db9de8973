import { PurgeCSS } from "purgecss";
import readHtml from "purgecss-from-html";

/** Attributes in selectors, such as `[open]`. */
const attribute = /\[([\w-]+)/g;

/**
 * Removes the rules that a page doesn't need. Keeps rules that depend on an attribute, because the
 * browser or a script may set it later.
 * @param html the page, without its styles. A script must not add other classes or elements later.
 */
export async function removeUnusedStyles(css: string, html: string): Promise<string> {
  const dynamicAttributes = [...css.matchAll(attribute)].map(([, name = ""]) => name);
  const [purged] = await new PurgeCSS().purge({
    content: [{ raw: html, extension: "html" }],
    css: [{ raw: css }],
    // By default, each word of the text counts as a class and an element.
    extractors: [{ extractor: readHtml, extensions: ["html"] }],
    dynamicAttributes,
  });
  return purged?.css ?? css;
}
