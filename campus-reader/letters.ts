import type { Element, ElementContent, Root as Html } from "hast";
import { toString as wordsOf } from "hast-util-to-string";
import type { Root as Markdown, RootContent } from "mdast";
import remarkDirective from "remark-directive";
import type { Processor } from "unified";
import { visit } from "unist-util-visit";

/**
 * Kinds of blocks that text can contain, each with its attributes. A block starts with `::: name`
 * and ends with `:::`.
 */
const blocks = {
  letter: ["from", "seat", "face", "paper"],
  pull: ["by"],
} as const;

type BlockName = keyof typeof blocks;
type Block = Extract<RootContent, { type: "containerDirective" }>;

const papers = ["ruled", "squared"];

/** Example for messages about invalid blocks. */
const sample = '::: letter from="Maliha"';

/**
 * Adds blocks to the Markdown parser. Only a line that starts with `:::` opens a block. A colon
 * within a sentence is plain text, as in the German `Nutzer:innen`.
 */
export function parseBlocks(this: Processor): void {
  remarkDirective.call(this);
  const directive = this.data().micromarkExtensions?.at(-1);
  if (directive) directive.text = {};
}

/**
 * Rewrites `::: letter from="Maliha"` to the parser's own `:::letter{from="Maliha"}`, because
 * braces mark placeholders in a campus's text.
 */
export function bracketAttributes(source: string): string {
  return source
    .replace(/^(:{3,})[ \t]+(?=\S)/gm, "$1")
    .replace(/^(:{3,}[a-z][\w-]*)[ \t]+([^{}\n]*\S)[ \t]*$/gm, "$1{$2}");
}

const isBlock = (node: RootContent | Markdown): node is Block => node.type === "containerDirective";

type UnreadBlock = { reason: string; line: number };

/** Finds blocks that a page wouldn't show as intended, and suggests a fix for each of them. */
export function findUnreadBlocks(tree: Markdown, source: string): UnreadBlock[] {
  const lines = source.split("\n");
  const text = withoutSpaces(textIn(tree));
  const found: UnreadBlock[] = [];
  visit(tree, (node) => {
    const line = node.position?.start.line ?? 1;
    const say = (reason: string) => found.push({ reason, line });
    if (node.type === "leafDirective") {
      say(`::${node.name} is not shown; a block has three colons, such as ${sample}`);
    }
    if (node.type === "text" && node.value.startsWith(":::")) {
      say(`${node.value.split("\n")[0]} does not open a block; write it like ${sample}`);
    }
    if (!isBlock(node)) return;
    const { name } = node;
    if (!isKnown(name)) {
      say(`::: ${name} is not known; the blocks are ${Object.keys(blocks).join(" and ")}`);
      return;
    }
    if (!/:{3,}\s*$/.test(lines[(node.position?.end.line ?? 1) - 1] ?? "")) {
      say(`::: ${name} has no end; write ::: on a line of its own below it`);
    }
    for (const reason of findAttributeMistakes(node, name)) say(reason);
    if (name === "pull" && !text.includes(withoutSpaces(textIn(node, { withPulls: true })))) {
      say("::: pull repeats words of the text; these are not in it");
    }
  });
  return found;
}

function findAttributeMistakes({ attributes }: Block, name: BlockName): string[] {
  const allowed: readonly string[] = blocks[name];
  const { paper, face } = attributes ?? {};
  return [
    ...Object.keys(attributes ?? {})
      .filter((attribute) => !allowed.includes(attribute))
      .map((attribute) => `::: ${name} has no ${attribute}; it can have ${allowed.join(", ")}`),
    ...(paper && !papers.includes(paper)
      ? [`the paper of a letter is ${papers.join(" or ")}`]
      : []),
    ...(face && !readFace(face)
      ? ['face is a place in the post\'s picture: left, top and width, such as face="90 40 60"']
      : []),
  ];
}

const isKnown = (name: string): name is BlockName => Object.hasOwn(blocks, name);

/** Returns the text of a tree. Skips pull quotes unless `withPulls` is set. */
function textIn(tree: Markdown | Block, { withPulls = false } = {}): string {
  const parts: string[] = [];
  visit(tree, (node) => {
    if (!withPulls && isBlock(node) && node.name === "pull") return "skip";
    if (node.type === "text" || node.type === "inlineCode") parts.push(node.value);
    return undefined;
  });
  return parts.join("");
}

const withoutSpaces = (text: string) => text.replace(/\s+/gu, "");

/**
 * Reads the position of a face in the post's picture: left, top and width in the drawing's units.
 */
function readFace(written: string): string | undefined {
  const [x, y, size, ...rest] = written.trim().split(/\s+/).map(Number);
  if (x === undefined || y === undefined || !size || rest.length > 0) return undefined;
  return [x, y, size, size].every(Number.isFinite) ? `${x} ${y} ${size} ${size}` : undefined;
}

/**
 * Sets the HTML elements of blocks. Letters alternate between ruled and squared paper, unless they
 * choose their paper.
 */
export const nameBlocks = () => (tree: Markdown) => {
  let letters = 0;
  visit(tree, (node) => {
    if (!isBlock(node) || !isKnown(node.name)) return;
    const { from, seat, face, by, paper } = textsOf(node.attributes);
    if (node.name === "letter") {
      const chosen = paper && papers.includes(paper) ? paper : papers[letters % papers.length];
      letters += 1;
      const hProperties = { className: ["letter", chosen ?? ""], from, seat, face };
      node.data = { ...node.data, hName: "section", hProperties };
    } else {
      const hProperties = { className: ["pull"], ariaHidden: "true", by };
      node.data = { ...node.data, hName: "div", hProperties };
    }
  });
};

/** Drops attributes without a value. */
const textsOf = (attributes: Block["attributes"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes ?? {}).flatMap(([key, text]) => (text ? [[key, text]] : [])),
  );

const element = (tagName: string, className: string, ...children: ElementContent[]): Element => ({
  type: "element",
  tagName,
  properties: { className: [className] },
  children,
});

const words = (value: unknown): ElementContent => ({ type: "text", value: String(value) });

const hasClass = (node: { type: string }, name: string): node is Element =>
  node.type === "element" &&
  String((node as Element).properties.className)
    .split(",")
    .includes(name);

/**
 * Arranges letters and pull quotes: adds a header and a signature to each letter, and wraps
 * adjacent blocks in a `.letters` element so that styles can place them side by side.
 */
export const arrangeLetters = () => (tree: Html) => {
  visit(tree, "element", (node) => {
    if (hasClass(node, "letter")) writeLetter(node);
    if (hasClass(node, "pull")) {
      const { by, ...properties } = node.properties;
      node.properties = properties;
      if (by) node.children.push(element("p", "by", words(by)));
    }
  });
  const children: Html["children"] = [];
  for (const child of tree.children) {
    const last = children.at(-1);
    const isPart = hasClass(child, "letter") || hasClass(child, "pull");
    if (last && hasClass(last, "letters") && isPart) last.children.push(child);
    else if (last && hasClass(last, "letters") && isSpace(child)) continue;
    else if (isPart) children.push(element("div", "letters", child));
    else children.push(child);
  }
  tree.children = children;
};

const isSpace = (node: { type: string; value?: unknown }) =>
  node.type === "text" && String(node.value).trim() === "";

function writeLetter(letter: Element): void {
  const { from, seat, face, ...properties } = letter.properties;
  letter.properties = properties;
  const parts = letter.children.filter((child) => !isSpace(child));
  const last = parts.at(-1);
  if (from && last?.type === "element" && wordsOf(last).trim() === from) {
    last.properties = { ...last.properties, className: ["sign"] };
  }
  const [title] = parts;
  const hasTitle = title?.type === "element" && /^h\d$/.test(title.tagName);
  const place = typeof face === "string" ? readFace(face) : undefined;
  const head = [...(hasTitle ? [title] : []), ...(seat ? [element("p", "seat", words(seat))] : [])];
  if (head.length === 0) return;
  letter.children = [
    element(
      "header",
      "letter-head",
      ...(place ? [portrait(place)] : []),
      element("div", "letter-title", ...head),
    ),
    ...parts.slice(hasTitle ? 1 : 0),
  ];
}

/** Shows a face from the post's picture. `showPortraits` fills in the picture's URL. */
const portrait = (viewBox: string): Element => ({
  type: "element",
  tagName: "svg",
  properties: { className: ["portrait"], viewBox, ariaHidden: "true" },
  children: [{ type: "element", tagName: "image", properties: { dataPicture: "" }, children: [] }],
});
