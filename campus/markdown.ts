import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { type Plugin, unified } from "unified";
import { visit } from "unist-util-visit";

/** The few shapes of a HTML syntax tree that are touched here. */
type HtmlNode = {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: HtmlNode[];
};

/** The words of a table's head, which name the table where it has no caption. */
function columnNames(table: HtmlNode): string {
  const names: string[] = [];
  visit(table, "element", (cell: HtmlNode) => {
    if (cell.tagName !== "th") return;
    let name = "";
    visit(cell, "text", (text: HtmlNode) => {
      name += text.value;
    });
    if (name) names.push(name);
  });
  return names.join(", ");
}

/** Gives wide tables a scrolling, focusable frame, and cell alignment a class instead of a forbidden attribute. */
const tidyTables: Plugin = () => (tree) => {
  visit(tree as HtmlNode, "element", (node: HtmlNode, index, parent: HtmlNode | undefined) => {
    if (node.properties && "align" in node.properties) {
      const { align, ...rest } = node.properties;
      node.properties = { ...rest, className: [`align-${String(align)}`] };
    }
    if (node.tagName === "th" && node.properties) node.properties.scope = "col";
    if (node.tagName === "table" && parent?.children && index !== undefined) {
      if (parent.properties?.role === "region") return;
      parent.children[index] = {
        type: "element",
        tagName: "div",
        properties: {
          className: ["table-frame"],
          role: "region",
          ariaLabel: columnNames(node),
          tabIndex: 0,
        },
        children: [node],
      };
    }
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

const toHtml = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSlug)
  .use(tidyTables)
  .use(tidyTickBoxes)
  .use(rehypeStringify);

const parser = unified().use(remarkParse).use(remarkGfm);

/** What a text holds that no page would show, each in a few words with what to do. Comments are meant for nobody. */
export function findUnshown(source: string): string[] {
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
    if (node.type === "text") {
      const [mark] = /^#{2,6}(?=[^#\s])/m.exec(node.value) ?? [];
      if (mark) found.push(`a title needs a space behind ${mark}`);
    }
  });
  return found;
}

/** Markdown (CommonMark with tables) to HTML. Raw HTML in the source is dropped. */
export function renderMarkdown(source: string): string {
  return String(toHtml.processSync(source)).trim();
}

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
