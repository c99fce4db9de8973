/** Reading pages as text. The pages are written by React, so their markup is regular enough for patterns. */

const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
  "&#39;": "'",
  "&nbsp;": " ",
};

export function decode(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
    .replace(/&#(\d+);/g, (_, number: string) => String.fromCodePoint(Number(number)))
    .replace(/&[a-z]+;/g, (entity) => entities[entity] ?? entity);
}

/** What a person reads: the body without tags, scripts, styles and templates, spaces made single. */
export function textOf(html: string): string {
  const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? html;
  return decode(
    body
      .replace(/<(script|style|svg|template)\b[\s\S]*?<\/\1>/g, " ")
      .replace(/<\/?(a|abbr|b|code|em|i|s|small|span|strong|u|wbr)\b[^>]*>/g, "")
      .replace(/<[^>]+>/g, " "),
  )
    .replace(/\s+/g, " ")
    .trim();
}

/** A text of the campus as `textOf` gives it: unbreakable spaces are spaces. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The part of a page between its header and its footer. */
export function mainOf(html: string): string {
  return /<main\b[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? "";
}

export type Element = { attributes: Record<string, string>; html: string };

/**
 * Every element of a kind, in order. Elements of that kind must not contain each other.
 * @param having attributes that they must have, as `{ name: "email" }`
 */
export function elementsOf(html: string, tag: string, having: object = {}): Element[] {
  const isVoid = /^(meta|link|img|input|br|hr)$/.test(tag);
  const pattern = isVoid
    ? new RegExp(`<${tag}\\b([^>]*)>`, "g")
    : new RegExp(`<${tag}\\b([^>]*)>([\\s\\S]*?)</${tag}>`, "g");
  return [...html.matchAll(pattern)]
    .map((match) => ({ attributes: readAttributes(match[1] ?? ""), html: match[2] ?? "" }))
    .filter(({ attributes }) =>
      Object.entries(having).every(([name, value]) => attributes[name] === value),
    );
}

export type Link = { href: string | undefined; text: string; attributes: Record<string, string> };

export function linksOf(html: string): Link[] {
  return elementsOf(html, "a").map((link) => ({
    href: link.attributes.href,
    text: textOf(link.html),
    attributes: link.attributes,
  }));
}

export function idsOf(html: string): string[] {
  const markup = html.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, "");
  return [...markup.matchAll(/<[a-z][^>]*?\sid="([^"]*)"/gi)].map((match) =>
    decode(match[1] ?? ""),
  );
}

/** The content of a meta tag, by its name or property. */
export function metaOf(html: string, name: string): string | undefined {
  return elementsOf(html, "meta").find(
    ({ attributes }) => attributes.name === name || attributes.property === name,
  )?.attributes.content;
}

/** Where a link of the head leads, such as to the next page. */
export const linkIn = (html: string, rel: string) =>
  elementsOf(html, "link", { rel })[0]?.attributes.href;

export function titleOf(html: string): string {
  return decode(/<title>([^<]*)<\/title>/.exec(html)?.[1] ?? "");
}

/** The blocks of structured data. */
export function jsonLdOf(html: string): Record<string, unknown>[] {
  return elementsOf(html, "script", { type: "application/ld+json" }).map(
    (script) => JSON.parse(script.html) as Record<string, unknown>,
  );
}

function readAttributes(source: string): Record<string, string> {
  return Object.fromEntries(
    [...source.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map((match) => [
      (match[1] ?? "").toLowerCase(),
      decode(match[2] ?? ""),
    ]),
  );
}
