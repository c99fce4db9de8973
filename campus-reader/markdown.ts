import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { type Plugin, unified } from "unified";
import { visit } from "unist-util-visit";
import { remembered } from "./data-files.ts";

/** The few shapes of a HTML syntax tree that are touched here. */
type HtmlNode = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
};

/** What an element says, without its tags. */
function wordsOf(element: HtmlNode): string {
  let words = "";
  visit(element, "text", (text: HtmlNode) => {
    words += text.value;
  });
  return words;
}

/** The elements of these names inside of another, in their order. */
function elementsIn(around: HtmlNode, ...names: string[]): HtmlNode[] {
  const found: HtmlNode[] = [];
  visit(around, "element", (element: HtmlNode) => {
    if (names.includes(element.tagName ?? "")) found.push(element);
  });
  return found;
}

/**
 * Makes of a table one that a phone shows row below row, each value behind its column's name. The first cell names its
 * row. Roles say what the elements are anyway: some browsers forget it where a table is not laid out as one.
 */
function nameCells(table: HtmlNode, columns: readonly string[]): void {
  for (const row of elementsIn(table, "tr")) {
    for (const [place, cell] of elementsIn(row, "td").entries()) {
      if (place > 0)
        cell.properties = { ...cell.properties, role: "cell", dataLabel: columns[place] };
      else {
        cell.tagName = "th";
        cell.properties = { ...cell.properties, role: "rowheader", scope: "row" };
      }
    }
  }
  table.properties = { ...table.properties, role: "table" };
  for (const row of elementsIn(table, "tr")) row.properties = { ...row.properties, role: "row" };
  for (const head of elementsIn(table, "th")) {
    head.properties = { ...head.properties, role: head.properties?.role ?? "columnheader" };
  }
}

/** How many columns of words a phone of 320 px has room for side by side; two of figures take the room of one. */
const columnsOfPhone = 2;

/**
 * Gives tables a scrolling, focusable frame that has their columns' names, and cell alignment a class instead of a
 * forbidden attribute. Where a phone has no room for the columns, the frame's class says that rows are stacked there.
 */
const tidyTables: Plugin = () => (tree) => {
  visit(tree as HtmlNode, "element", (node: HtmlNode, index, parent: HtmlNode | undefined) => {
    if (node.tagName !== "table" || !parent?.children || index === undefined) return;
    if (parent.properties?.role === "region") return;
    const heads = elementsIn(node, "th");
    const figures = heads.filter(({ properties }) => properties?.align === "right").length;
    const columns = heads.map(wordsOf);
    const isStacked = heads.length - figures / 2 > columnsOfPhone;
    for (const cell of elementsIn(node, "th", "td")) {
      const { align, ...rest } = cell.properties ?? {};
      if (cell.tagName === "th") rest.scope = "col";
      cell.properties = align ? { ...rest, className: [`align-${String(align)}`] } : rest;
    }
    if (isStacked) nameCells(node, columns);
    parent.children[index] = {
      type: "element",
      tagName: "div",
      properties: {
        className: isStacked ? ["table-frame", "stacked"] : ["table-frame"],
        role: "region",
        ariaLabel: columns.filter(Boolean).join(", "),
        tabIndex: 0,
      },
      children: [node],
    };
  });
};

/** Turns the boxes of `- [ ]` into marks of the list: they are to be ticked on paper, and a browser's are not ours. */
const tidyTickBoxes: Plugin = () => (tree) => {
  visit(tree as HtmlNode, "element", (node: HtmlNode, index, parent: HtmlNode | undefined) => {
    if (node.tagName !== "input" || !parent?.children || index === undefined) return;
    parent.children.splice(index, 1);
    return index;
  });
};

/** From this to that number, in the digits of any language. */
const range = /(\p{Nd}+-\p{Nd}+)/u;

/** Gives ranges of numbers a class: some browsers break a line behind their hyphen. */
const keepRanges: Plugin = () => (tree) => {
  visit(tree as HtmlNode, "text", (text: HtmlNode, index, parent: HtmlNode | undefined) => {
    if (!text.value || !parent?.children || index === undefined || !range.test(text.value)) return;
    const parts = text.value.split(range).map((value, place): HtmlNode => {
      const words = { type: "text", value };
      return place % 2 === 0
        ? words
        : {
            type: "element",
            tagName: "span",
            properties: { className: ["range"] },
            children: [words],
          };
    });
    parent.children.splice(index, 1, ...parts);
    return index + parts.length;
  });
};

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSlug)
  .use(tidyTables)
  .use(tidyTickBoxes)
  .use(keepRanges)
  .use(rehypeStringify);

const parser = unified().use(remarkParse).use(remarkGfm);

/** What a text holds that no page would show, each in a few words with what to do. Comments are meant for nobody. */
export const findUnshown = remembered((source): readonly string[] => {
  const found: string[] = [];
  visit(parser.parse(source), (node) => {
    if (node.type === "image" || node.type === "imageReference") {
      found.push(
        `the picture "${node.alt ?? ""}" is not shown; take it out, since posts are shown with our drawings, which \`picture:\` names`,
      );
    }
    if (node.type === "html" && !/^<!--[\s\S]*-->$/.test(node.value.trim())) {
      const [tag = node.value] = /^<[^>]*>/.exec(node.value) ?? [];
      found.push(`${tag} is not shown; say it in Markdown, or take it out`);
    }
    if (node.type === "heading" && node.depth === 1) {
      found.push("# is the page's own title; begin a title within the text with ##");
    }
    if (node.type === "text") {
      const [mark] = /^#{2,6}(?=[^#\s])/m.exec(node.value) ?? [];
      if (mark) found.push(`a title needs a space behind ${mark}`);
    }
  });
  return found;
});

/** Markdown (CommonMark with tables) to HTML. Raw HTML in the source is dropped. */
export const renderMarkdown = remembered((source) => String(toHtml.processSync(source)).trim());

/** One paragraph of Markdown to HTML without the paragraph around it, for use inside other text. */
export function renderInlineMarkdown(source: string): string {
  return renderMarkdown(source).replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

/** Number of words a reader reads: tags and marks do not count. */
export function countWords(html: string): number {
  return html
    .replace(/<[^>]+>/g, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
