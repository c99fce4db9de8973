import type { EntryContext } from "react-router";
import { type CutStyles, cutStyles, type Used } from "./cut-styles.ts";

/** Stands in the document's style element until the page is rendered and its styles are known. */
export const stylesMark = "/* styles */";

/** The stylesheets of the matched routes, in order, each once. */
export function readStyles(context: EntryContext, read: (path: string) => string): string {
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  return [...new Set(paths)].map(read).join("");
}

/** How many results are kept for the same stylesheets. There are a few, however many pages there are. */
const capacity = 50;

/**
 * Fits stylesheets to pages: a stylesheet also serves other pages, most tokens of the theme belong to drawings, and
 * names that people read stand hundreds of times in a page that has to fit the first 14 KB. What pages with the same
 * elements and classes get is found out once, for one after the other.
 */
export function createStyleFitter() {
  const kept = new Map<string, Map<string, Promise<CutStyles>>>();
  let last: Promise<unknown> = Promise.resolve();

  function cutInTurn(css: string, used: Used): Promise<CutStyles> {
    const cut = last.then(() => cutStyles(css, used));
    last = cut.catch(() => {});
    return cut;
  }

  /**
   * The page with short names, and the rules that can apply to it.
   * @param grows whether a script brings elements and classes later: then all rules and all names stay
   */
  return async function fit(css: string, html: string, { grows }: { grows: boolean }) {
    const used = readUsed(html, grows);
    const key = Object.values(used)
      .map((names) => [...names].join(" "))
      .join("\n");
    const known = kept.get(css) ?? new Map<string, Promise<CutStyles>>();
    kept.set(css, known);
    const cut = known.get(key) ?? cutInTurn(css, used);
    known.delete(key);
    known.set(key, cut);
    const oldest = known.size > capacity ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    const styles = await cut;
    return { css: styles.css, html: rename(html, styles) };
  };
}

const classAttribute = /(<[a-z][^<>]* class=")([^"]*)"/g;
const propertyUse = /(var\()(--[\w-]+)/g;

function readUsed(html: string, grows: boolean): Used {
  const properties = sorted([...html.matchAll(propertyUse)].map(([, , name = ""]) => name));
  if (grows) return { properties };
  return {
    properties,
    tags: sorted([...html.matchAll(/<([a-z][\w-]*)/gi)].map(([, tag = ""]) => tag)),
    classes: sorted(
      [...html.matchAll(classAttribute)].flatMap(([, , names = ""]) => names.split(" ")),
    ),
  };
}

function sorted(names: string[]): Set<string> {
  return new Set(names.toSorted());
}

function rename(html: string, { classes, properties }: CutStyles): string {
  return html
    .replace(classAttribute, (_, before: string, names: string) => {
      const short = names.split(" ").map((name) => classes.get(name) ?? name);
      return `${before}${short.join(" ")}"`;
    })
    .replace(propertyUse, (_, before, name) => `${before}${properties.get(name) ?? name}`);
}
