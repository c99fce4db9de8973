import type {
  ClassSelector,
  CssNode,
  Declaration,
  FunctionNode,
  Identifier,
  ListItem,
  Rule,
  StyleSheet,
  Value,
} from "css-tree";
import generate from "css-tree/generator";
import parse from "css-tree/parser";
import { clone, List } from "css-tree/utils";
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
 * properties that nothing asks for go, the parts of a layer are joined, and names become short. That is work for a tenth of a
 * second and more, so between its parts others are served.
 */
export async function cutStyles(css: string, used: Used): Promise<CutStyles> {
  await letOthersIn();
  const sheet = parse(css, { parseCustomProperty: true, onParseError: refuse }) as StyleSheet;
  await letOthersIn();
  const whole = isWhole(used);
  if (whole) removeRules(sheet, used);
  await letOthersIn();
  joinLayers(sheet);
  await settleProperties(sheet, used.properties, whole);
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

/** Each layer in one piece. The layers keep their order, which is that of their first naming, and so do their rules. */
function joinLayers(sheet: StyleSheet): void {
  const layers = new Map<string, List<CssNode>>();
  const others = new List<CssNode>();
  for (const node of sheet.children.toArray()) {
    if (node.type !== "Atrule" || node.name !== "layer" || !node.prelude) {
      others.appendData(node);
      continue;
    }
    for (const name of generate(node.prelude).split(",")) {
      const layer = layers.get(name) ?? new List<CssNode>();
      layers.set(name, layer);
      if (node.block) layer.appendList(node.block.children);
    }
  }
  for (const [name, children] of layers) {
    if (children.isEmpty) continue;
    others.appendData({
      type: "Atrule",
      name: "layer",
      prelude: { type: "Raw", value: name },
      block: { type: "Block", children },
    });
  }
  sheet.children = others;
}

/** Values that are shorter than asking for them. */
const shortValue = 8;

/**
 * Removes custom properties that nothing asks for, puts values that are the same everywhere where they are asked for,
 * and fallbacks where there is no such property.
 */
async function settleProperties(
  sheet: StyleSheet,
  asked: ReadonlySet<string>,
  whole: boolean,
): Promise<void> {
  for (;;) {
    await letOthersIn();
    const uses = countUses(sheet);
    const constants = whole ? findConstants(sheet, uses, asked) : new Map<string, Value>();
    const declared = new Set<string>();
    let changed = false;
    walk(sheet, {
      visit: "Declaration",
      enter({ property }, item, list) {
        if (!property.startsWith("--")) return;
        if (constants.has(property) || !(uses.has(property) || asked.has(property))) {
          list?.remove(item);
          changed = true;
        } else declared.add(property);
      },
    });
    walk(sheet, {
      visit: "Function",
      leave(node, item, list) {
        const { name, fallback } = readUse(node) ?? {};
        if (!name || !list) return;
        const value = constants.get(name) ?? (declared.has(name) ? undefined : fallback);
        if (!value) return;
        changed = true;
        list.replace(item, (clone(value) as Value).children);
      },
    });
    if (!changed) return;
  }
}

/** A custom property that is asked for, and what stands in where there is none. */
function readUse(node: FunctionNode): { name: string; fallback?: Value } | undefined {
  if (node.name !== "var") return undefined;
  const name = node.children.first as Identifier;
  const fallback = node.children.last;
  return { name: name.name, ...(fallback?.type === "Value" && { fallback }) };
}

function countUses(sheet: StyleSheet): Map<string, number> {
  const uses = new Map<string, number>();
  walk(sheet, {
    visit: "Function",
    enter(node) {
      const name = readUse(node)?.name;
      if (name) uses.set(name, (uses.get(name) ?? 0) + 1);
    },
  });
  return uses;
}

/** What is declared once, for the whole document and in every medium, out of no other property, and short or used once. */
function findConstants(
  sheet: StyleSheet,
  uses: ReadonlyMap<string, number>,
  asked: ReadonlySet<string>,
): Map<string, Value> {
  const declarations = new Map<string, Declaration[]>();
  const everywhere = new Set<Declaration>();
  walk(sheet, {
    visit: "Declaration",
    enter(node) {
      if (!node.property.startsWith("--")) return;
      declarations.set(node.property, [...(declarations.get(node.property) ?? []), node]);
      const conditional = this.atrule !== null && this.atrule.name !== "layer";
      if (!conditional && this.rule && generate(this.rule.prelude) === ":root")
        everywhere.add(node);
    },
  });
  const constants = new Map<string, Value>();
  for (const [name, [only, another]] of declarations) {
    if (!only || another || !everywhere.has(only) || asked.has(name)) continue;
    if (only.value.type !== "Value") continue;
    const text = generate(only.value);
    const once = uses.get(name) === 1;
    if (!text.includes("var(") && (once || text.length <= shortValue)) {
      constants.set(name, only.value);
    }
  }
  return constants;
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
    if (node.type === "Function" && readUse(node)) uses.push(node.children.first as Identifier);
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
