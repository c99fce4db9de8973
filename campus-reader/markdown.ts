import type { Element, ElementContent, Root, Text } from "hast";
import { findAndReplace } from "hast-util-find-and-replace";
import { toString as wordsOf } from "hast-util-to-string";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { shortAddress } from "../server/platform/addresses/short-address.ts";
import { splitCodes } from "../server/platform/i18n/code-runs.ts";
import { directionOf, markLanguage } from "../server/platform/i18n/direction.ts";
import {
  createSplitByLanguage,
  type LanguageAndNames,
} from "../server/platform/i18n/foreign-words.ts";
import {
  arrangeLetters,
  bracketAttributes,
  findUnreadBlocks,
  nameBlocks,
  parseBlocks,
} from "./letters.ts";
import { withoutOrnaments } from "./ornaments.ts";
import { remembered } from "./text-files.ts";

/** Finds an element's descendants with one of these tag names, in document order. */
function elementsIn(around: Element, ...names: string[]): Element[] {
  const found: Element[] = [];
  visit(around, "element", (element) => {
    if (names.includes(element.tagName)) found.push(element);
  });
  return found;
}

/**
 * Prepares a table so that CSS can stack its rows on a phone, with the column's name before each
 * value. The first cell of each row becomes the row's header. The roles are explicit, because some
 * browsers drop table semantics when the layout changes.
 */
function nameCells(table: Element, columns: readonly string[]): void {
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
    head.properties = { ...head.properties, role: head.properties.role ?? "columnheader" };
  }
}

/**
 * Number of text columns that fit on a phone 320 px wide. A column of numbers counts as half a text
 * column.
 */
const columnsOfPhone = 2;

/**
 * Wraps each table in a scrollable, focusable frame that is labeled with the table's columns, and
 * replaces the obsolete `align` attribute with a class. If the columns don't fit on a phone, the
 * frame's class stacks the rows there. A column of texts and a column of numbers make a narrow table.
 */
const tidyTables = () => (tree: Root) => {
  visit(tree, "element", (node, index, parent) => {
    if (node.tagName !== "table" || !parent || index === undefined) return;
    const heads = elementsIn(node, "th");
    const figures = heads.filter(({ properties }) => properties.align === "right").length;
    const columns = heads.map(wordsOf);
    const isNarrow = heads.length === 2 && heads[1]?.properties.align === "right";
    const isStacked = heads.length - figures / 2 > columnsOfPhone;
    for (const cell of elementsIn(node, "th", "td")) {
      const { align, ...rest } = cell.properties;
      if (cell.tagName === "th") rest.scope = "col";
      cell.properties = align ? { ...rest, className: [`align-${String(align)}`] } : rest;
    }
    if (isStacked) nameCells(node, columns);
    parent.children[index] = {
      type: "element",
      tagName: "div",
      properties: {
        className: [
          "table-frame",
          ...(isStacked ? ["stacked"] : []),
          ...(isNarrow ? ["narrow"] : []),
        ],
        role: "region",
        ariaLabel: columns.filter(Boolean).join(", "),
        tabIndex: 0,
      },
      children: [node],
    };
  });
};

/** Enables the checkboxes of `- [ ]` and turns the text next to each checkbox into its label. */
const labelTickBoxes = () => (tree: Root) => {
  visit(tree, "element", (item) => {
    const [first] = elementsIn(item, "input");
    if (item.tagName !== "li" || !first) return;
    const holder = item.children.includes(first)
      ? item
      : item.children.find((child) => child.type === "element" && child.children.includes(first));
    if (holder?.type !== "element") return;
    const { disabled: _, ...properties } = first.properties;
    first.properties = properties;
    const isBlock = (child: ElementContent) =>
      child.type === "element" && ["ul", "ol", "p", "pre", "blockquote"].includes(child.tagName);
    const end = holder.children.findIndex(isBlock);
    const inLine = end < 0 ? holder.children : holder.children.slice(0, end);
    const label: Element = {
      type: "element",
      tagName: "label",
      properties: {},
      children: inLine,
    };
    holder.children = [label, ...holder.children.slice(inLine.length)];
  });
};

/**
 * Wraps number ranges in a span that keeps them on one line, because some browsers break a line
 * after the dash. Recognizes the digits of all scripts.
 */
const keepRanges = () => (tree: Root) => {
  findAndReplace(tree, [
    /\p{Nd}+-\u2060?\p{Nd}+/gu,
    (value: string): Element => ({
      type: "element",
      tagName: "span",
      properties: { className: ["range"] },
      children: [{ type: "text", value }],
    }),
  ]);
};

/** Lets a long email address in a mailto link break after its @. */
const breakAddresses = () => (tree: Root) => {
  visit(tree, "element", (link) => {
    const isMailbox = link.tagName === "a" && String(link.properties.href).startsWith("mailto:");
    if (!isMailbox || wordsOf(link).length <= shortAddress) return;
    const wbr: Element = { type: "element", tagName: "wbr", properties: {}, children: [] };
    findAndReplace(link, [/@/, (value: string) => [{ type: "text", value }, wbr]]);
  });
};

/** Elements whose text is code rather than words in a language. */
const code = ["code", "pre", "kbd", "samp"];

/**
 * Isolates codes such as email addresses and references in a right-to-left text, so that their
 * parts keep their order.
 */
const isolateCodes = (language: string) => (tree: Root) => {
  if (directionOf(language) !== "rtl") return;
  const isolate = (text: string) =>
    splitCodes(text).map((run): Element | Text => {
      if (typeof run === "string") return { type: "text", value: run };
      const [value = ""] = run.runs.map(String);
      return {
        type: "element",
        tagName: "span",
        properties: { ...run.marks },
        children: [{ type: "text", value }],
      };
    });
  findAndReplace(tree, [/[\s\S]+/, isolate], {
    ignore: (node) => code.includes(node.tagName) || node.properties.dir === "ltr",
  });
  visit(tree, "element", (node) => {
    if (code.includes(node.tagName)) node.properties.dir ??= "ltr";
  });
};

/** Marks the language of words in another script. */
const markForeignWords = (spoken: LanguageAndNames) => (tree: Root) => {
  const split = createSplitByLanguage(spoken);
  const mark = (text: string) => {
    // Skips ICU plural messages, because their keywords look like English words.
    if (/\{\w+,/.test(text)) return false;
    return split(text).map((part): Element | Text => {
      const value: Text = { type: "text", value: part.text };
      if (!part.language) return value;
      const properties = markLanguage(part.language, spoken.language);
      return { type: "element", tagName: "span", properties, children: [value] };
    });
  };
  findAndReplace(tree, [/[\s\S]+/, mark], { ignore: code });
};

const parser = unified().use(remarkParse).use(remarkGfm).use(parseBlocks).freeze();

/**
 * Parses Markdown. Callers must not modify the tree, because it is memoized. Only a few trees are
 * kept, because each text is checked and rendered before the next text is read, and the trees of
 * thousands of posts would take gigabytes.
 */
const parse = remembered((source) => parser.parse(bracketAttributes(source)), 8);

/** Path of a photo in the campus's `pictures/` folder. */
const ownPicture = /^pictures\/[a-z0-9][a-z0-9-]*\.(?:svg|png|jpe?g|webp|avif)$/;

export const hasPhoto = remembered((source): boolean => {
  let found = false;
  visit(parse(source), "image", () => {
    found = true;
  });
  return found;
});

export const hasLetter = remembered((source): boolean =>
  parse(source).children.some(({ type }) => type === "containerDirective"),
);

type Unshown = {
  reason: string;
  /** Line number within the text, counted from 1. */
  line: number;
  /** Kit version that introduced the check, or `undefined` if every version has had the check. */
  since?: string;
};

/**
 * Finds content that no page would show, such as raw HTML, and suggests a fix for each finding.
 * Ignores HTML comments.
 */
export const findUnshown = remembered((source): readonly Unshown[] => {
  const tree = parse(source);
  const found: Unshown[] = [...findUnreadBlocks(tree, source)];
  visit(tree, (node) => {
    const say = (reason: string, since?: string) =>
      found.push({ reason, line: node.position?.start.line ?? 1, ...(since && { since }) });
    if (node.type === "imageReference") {
      say(`the picture "${node.alt ?? ""}" is not shown; write ![...](pictures/NAME.jpg)`);
    }
    if (node.type === "image") {
      const reason = explainImage(node);
      if (reason) say(reason);
    }
    if (node.type === "html" && !/^(?:<!--[\s\S]*-->|<\/\w+>)$/.test(node.value.trim())) {
      const [tag = node.value] = /^<[^>]*>/.exec(node.value) ?? [];
      say(`${tag} is not shown; write it in Markdown, or remove it`);
    }
    if (node.type === "heading" && node.depth === 1) {
      say("# is the page's own title; begin a title within the text with ##");
    }
    if (node.type === "text") {
      const [mark] = /^#{2,6}(?=[^#\s])/m.exec(node.value) ?? [];
      if (mark) say(`a title needs a space after ${mark}`);
      const [, name] = /!\[[^\]]*\]\(([^()<>"]*\s[^()<>"]*)\)/.exec(node.value) ?? [];
      if (name)
        say(`the picture ${name} is not shown; give the file a name without spaces`, "1.14");
    }
  });
  return found;
});

/** Explains why a picture is not shown, or what it lacks. */
function explainImage({ url, alt }: { url: string; alt?: string | null | undefined }) {
  if (!ownPicture.test(url)) {
    return `the picture ${url} is not shown, because pages load nothing from elsewhere; put it into the campus folder and write ![...](pictures/NAME.jpg)`;
  }
  if (alt?.trim()) return undefined;
  return `the picture ${url} has no description; say between the brackets of ![...] what it shows`;
}

/** Functions that render Markdown (CommonMark with tables) to HTML. They drop raw HTML. */
export type Markdown = {
  render: (source: string) => string;
  /** Renders one paragraph without its `<p>` element. */
  renderInline: (source: string) => string;
};

/**
 * Renderers, keyed by the language and the names in the text. They memoize their results so that
 * reloading a campus renders only changed text.
 */
const renderers = new Map<string, Markdown>();

export function createMarkdown(spoken: LanguageAndNames): Markdown {
  const { language, product, developer, campus } = spoken;
  return renderers.getOrInsertComputed([language, product, developer, campus].join("\n"), () => {
    const toHtml = parser()
      .use(nameBlocks)
      .use(remarkRehype)
      .use(rehypeSlug)
      .use(tidyTables)
      .use(labelTickBoxes)
      .use(arrangeLetters)
      .use(keepRanges)
      .use(markForeignWords, spoken)
      .use(isolateCodes, language)
      .use(breakAddresses)
      .use(rehypeStringify);
    const render = remembered((source) =>
      toHtml.stringify(toHtml.runSync(structuredClone(parse(source)))).trim(),
    );
    return {
      render,
      renderInline: (source) => render(source).replace(/^<p>([\s\S]*)<\/p>$/, "$1"),
    };
  });
}

/**
 * Counts words, ignoring tags, punctuation and pull quotes. A word with soft breaks counts once.
 */
export function countWords(html: string): number {
  return withoutOrnaments(html)
    .replace(/<\/?span[^>]*>/g, "")
    .replace(/<(?!wbr)[^>]+>/g, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
