import type {
  ClassSelector,
  CssNode,
  Declaration,
  FunctionNode,
  Identifier,
  List,
  ListItem,
  Rule,
  StyleSheet,
} from "css-tree";
import generate from "css-tree/generator";
import parse from "css-tree/parser";
import walk from "css-tree/walker";
import { letOthersIn } from "../../server/let-others-in.ts";

/** What a page consists of. Where elements and classes are not told, others may come later. */
export type Used = {
  /** Custom properties that the page's own markup asks for. */
  properties: ReadonlySet<string>;
  tags?: ReadonlySet<string>;
  classes?: ReadonlySet<string>;
};

/** Styles for a page, and how it has to call its classes and custom properties; what is not listed keeps its name. */
export type CutStyles = {
  css: string;
  classes: ReadonlyMap<string, string>;
  properties: ReadonlyMap<string, string>;
};

/**
 * Stylesheets as short as a page allows, without changing what it looks like: rules that cannot apply and custom
 * properties that nothing asks for go, and names become short. Between its parts others are served.
 */
export async function cutStyles(css: string, used: Used): Promise<CutStyles> {
  await letOthersIn();
  const sheet = parse(css, { parseCustomProperty: true, onParseError: refuse }) as StyleSheet;
  await letOthersIn();
  const whole = isWhole(used);
  if (whole) removeRules(sheet, used);
  await removeProperties(sheet, used.properties);
  removeEmpty(sheet);
  await letOthersIn();
  const classes = whole ? shortenClasses(sheet) : new Map<string, string>();
  const properties = whole ? shortenProperties(sheet) : new Map<string, string>();
  return { css: generate(sheet), classes, properties };
}

function refuse(error: Error): never {
  throw error;
}

type Whole = Required<Used>;

function isWhole(used: Used): used is Whole {
  return used.tags !== undefined && used.classes !== undefined;
}

function removeRules(sheet: StyleSheet, used: Whole): void {
  walk(sheet, {
    enter(node: CssNode) {
      if (node.type === "Atrule" && node.name.endsWith("keyframes")) return walk.skip;
      if (node.type !== "SelectorList") return undefined;
      node.children.forEach((selector, item, list) => {
        if (!canApply(selector, used)) list.remove(item);
      });
      return walk.skip;
    },
  });
  removeEmpty(sheet);
}

/** Whether the page has the elements and classes that a selector names. States and attributes may come and go. */
function canApply(selector: CssNode, used: Whole): boolean {
  return childrenOf(selector).every((part) => {
    switch (part.type) {
      case "ClassSelector":
        return used.classes.has(part.name);
      case "TypeSelector":
        return part.name === "*" || used.tags.has(part.name);
      case "AttributeSelector":
        if (part.name.name !== "class") return true;
        throw new Error("A selector asks for the attribute of classes, which have other names");
      case "PseudoClassSelector": {
        if (!/^(?:is|where|has)$/.test(part.name)) return true;
        return childrenOf(part)
          .flatMap(childrenOf)
          .some((one) => canApply(one, used));
      }
      default:
        return true;
    }
  });
}

function childrenOf(node: CssNode): CssNode[] {
  return "children" in node && node.children ? [...node.children] : [];
}

/** Removes custom properties that nothing asks for, then those that only they asked for. */
async function removeProperties(sheet: StyleSheet, asked: ReadonlySet<string>): Promise<void> {
  for (;;) {
    await letOthersIn();
    const wanted = new Set(asked);
    walk(sheet, {
      visit: "Function",
      enter(node) {
        const name = readUse(node);
        if (name) wanted.add(name.name);
      },
    });
    let changed = false;
    walk(sheet, {
      visit: "Declaration",
      enter({ property }, item, list) {
        if (!property.startsWith("--") || wanted.has(property)) return;
        list?.remove(item);
        changed = true;
      },
    });
    if (!changed) return;
  }
}

/** The custom property that is asked for. */
function readUse(node: FunctionNode): Identifier | undefined {
  return node.name === "var" ? (node.children.first as Identifier) : undefined;
}

/** Removes rules for nothing, and conditions around nothing. What an empty layer says is its place among others. */
function removeEmpty(sheet: StyleSheet): void {
  const empty = ({ prelude, block }: Rule) =>
    block.children.isEmpty || (prelude.type === "SelectorList" && prelude.children.isEmpty);
  walk(sheet, {
    leave(node: CssNode, item: ListItem<CssNode>, list: List<CssNode>) {
      const says =
        node.type === "Rule"
          ? !empty(node)
          : node.type !== "Atrule" ||
            !/^(?:media|supports|container)$/.test(node.name) ||
            !node.block?.children.isEmpty;
      if (!says) list?.remove(item);
    },
  });
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const signs = `${letters}0123456789_`;

/** Names as short as possible, in the order of the indices. */
function shortName(index: number, first: string): string {
  if (index < first.length) return first[index] ?? "";
  const rest = index - first.length;
  return shortName(Math.floor(rest / signs.length), first) + (signs[rest % signs.length] ?? "");
}

function shortenClasses(sheet: StyleSheet): Map<string, string> {
  const found: ClassSelector[] = [];
  walk(sheet, { visit: "ClassSelector", enter: (node) => void found.push(node) });
  const names = nameByUse(
    found.map(({ name }) => name),
    letters,
  );
  for (const node of found) node.name = names.get(node.name) ?? node.name;
  return names;
}

/** Only names of declared properties: timelines and the like are called in the same way. */
function shortenProperties(sheet: StyleSheet): Map<string, string> {
  const declarations: Declaration[] = [];
  const uses: Identifier[] = [];
  walk(sheet, (node) => {
    if (node.type === "Declaration" && node.property.startsWith("--")) declarations.push(node);
    const use = node.type === "Function" && readUse(node);
    if (use) uses.push(use);
  });
  const declared = new Set(declarations.map(({ property }) => property));
  const names = nameByUse(
    [...declared, ...uses.map(({ name }) => name).filter((name) => declared.has(name))],
    signs,
    "--",
  );
  for (const node of declarations) node.property = names.get(node.property) ?? node.property;
  for (const node of uses) node.name = names.get(node.name) ?? node.name;
  return names;
}

/** Short names for all that is listed, the shortest for what is listed most often. */
function nameByUse(listed: string[], first: string, before = ""): Map<string, string> {
  const counts = new Map<string, number>();
  for (const name of listed) counts.set(name, (counts.get(name) ?? 0) + 1);
  const order = [...counts].toSorted(([, one], [, other]) => other - one);
  return new Map(order.map(([name], index) => [name, before + shortName(index, first)]));
}
