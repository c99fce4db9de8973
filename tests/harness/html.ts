import { DomUtils, ElementType, parseDocument } from "htmlparser2";

/** Parses and queries HTML without a browser. */

const parse = (html: string) =>
  parseDocument(html, { withStartIndices: true, withEndIndices: true });

type Node = ReturnType<typeof parse>["children"][number];

const unread = /^(script|style|svg|template)$/;
const withinLine = /^(a|abbr|b|code|em|i|s|small|span|strong|u|wbr)$/;

/** Returns the body's text without scripts, styles, SVG or templates. Collapses whitespace. */
export function textOf(html: string): string {
  const page = parse(html).children;
  const [body] = DomUtils.getElementsByTagName("body", page);
  return plain((body?.children ?? page).map(read).join(""));
}

function read(node: Node): string {
  if (node.type === ElementType.Text) return node.data;
  if (!("attribs" in node) || unread.test(node.name)) return " ";
  const text = node.children.map(read).join("");
  return withinLine.test(node.name) ? text : ` ${text} `;
}

/** Collapses whitespace, including no-break spaces, as `textOf` does. */
export function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns the inner HTML of the `main` element. */
export const mainOf = (html: string) => elementsOf(html, "main")[0]?.html ?? "";

/**
 * Lists all elements with this tag in document order, each with its inner HTML.
 * @param having attributes that the elements must have, such as `{ name: "email" }`
 */
export function elementsOf(html: string, tag: string, having: object = {}) {
  return DomUtils.getElementsByTagName(tag, parse(html))
    .map(({ attribs, children }) => ({
      attributes: attribs,
      html: html.slice(children[0]?.startIndex ?? 0, (children.at(-1)?.endIndex ?? -1) + 1),
    }))
    .filter(({ attributes }) =>
      Object.entries(having).every(([name, value]) => attributes[name] === value),
    );
}

export const linksOf = (page: string) =>
  elementsOf(page, "a").map(({ attributes, html }) => ({
    href: attributes.href,
    text: textOf(html),
    attributes,
  }));

export const idsOf = (html: string) =>
  elementsOf(html, "*").flatMap(({ attributes }) => attributes.id ?? []);

export function metaOf(html: string, name: string): string | undefined {
  return elementsOf(html, "meta").find(
    ({ attributes }) => attributes.name === name || attributes.property === name,
  )?.attributes.content;
}

/** Returns the `href` of the `link` element with this `rel`. */
export const linkIn = (html: string, rel: string) =>
  elementsOf(html, "link", { rel })[0]?.attributes.href;

export const titleOf = (html: string) => textOf(elementsOf(html, "title")[0]?.html ?? "");

export function jsonLdOf(html: string): Record<string, unknown>[] {
  return elementsOf(html, "script", { type: "application/ld+json" }).map(
    (script) => JSON.parse(script.html) as Record<string, unknown>,
  );
}
