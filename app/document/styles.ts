import type { EntryContext } from "react-router";

/** Stands in the document's style element until the page is rendered and its styles are known. */
export const stylesMark = "/* styles */";

/** The stylesheets of the matched routes, in order, each once. */
export function readStyles(context: EntryContext, read: (path: string) => string): string {
  const paths = context.staticHandlerContext.matches.flatMap(
    (match) => context.manifest.routes[match.route.id]?.css ?? [],
  );
  return [...new Set(paths)].map(read).join("");
}

/**
 * The styles without the custom properties that neither they nor the page use: most tokens of the theme belong to
 * drawings and to other pages, and would be sent with every one.
 */
export function withoutUnusedProperties(css: string, html: string): string {
  for (;;) {
    const used = new Set(
      [...`${css}${html}`.matchAll(/var\(\s*--([\w-]+)/g)].map((match) => match[1]),
    );
    const shorter = css.replace(/--([\w-]+):[^;{}]*(;|(?=\}))/g, (declaration, name: string) =>
      used.has(name) ? declaration : "",
    );
    if (shorter === css) return css;
    css = shorter;
  }
}

/**
 * A page with short names for the custom properties that its styles declare: the long ones stand hundreds of times in
 * it. Only for pages whose styles no script reads.
 */
export function withShortProperties(css: string, html: string): { css: string; html: string } {
  const names = new Map<string, string>();
  for (const [, name = ""] of css.matchAll(/[{;]--([\w-]+):/g)) {
    if (!names.has(name)) names.set(name, shortName(names.size));
  }
  const shorten = (text: string, pattern: RegExp) =>
    text.replace(pattern, (use, before: string, name: string) => {
      const short = names.get(name);
      return short === undefined ? use : `${before}--${short}`;
    });
  return {
    css: shorten(css, /([{;]|var\(\s*)--([\w-]+)/g),
    html: shorten(html, /(var\()--([\w-]+)/g),
  };
}

const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

function shortName(index: number): string {
  const sign = signs[index % signs.length] ?? "";
  return index < signs.length ? sign : shortName(Math.floor(index / signs.length) - 1) + sign;
}

/**
 * The styles without the rules for classes that the page does not have: a stylesheet also serves other pages, such as
 * the one for errors. Only for pages whose classes no script changes.
 */
export function withoutUnusedRules(css: string, html: string): string {
  const used = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap((match) => match[1]?.split(" ") ?? []),
  );
  const applies = (selector: string) =>
    [...selector.matchAll(/\.([a-zA-Z_][\w-]*)/g)].every((match) => used.has(match[1] ?? ""));
  // A rule goes only when every one of its selectors names an absent class.
  return css.replace(/([^{}@;]+)\{[^{}]*\}/g, (rule, selectors: string) =>
    selectors.split(",").some(applies) ? rule : "",
  );
}
