import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";

/** One deliberate break of the code: this text of this file becomes another. */
export type Break = {
  /** What goes wrong, in words. */
  name: string;
  file: string;
  /** Stands in the file exactly once, where `at` does not say which one is meant. */
  find: string;
  put: string;
  at?: number;
  /** Files of tests (a part of their path) that are asked first. What is named here and is gone does no harm. */
  near?: string[];
  /** It shows on PostgreSQL only. */
  onPostgres?: true;
};

/** How many in which part of the code. Drawings and what is measured are left out, and what only developers see. */
const areas = [
  { count: 20, files: "server/**/*.ts" },
  { count: 12, files: "app/{pages,ui,document}/**/*.{ts,tsx,js}" },
  { count: 8, files: "{campus-reader,vite}/**/*.ts" },
];
const leftOut = /\.(?:test|fixture|d)\.ts$/;
const seed = "campus-ride-share";

type Site = { start: number; end: number; put: string };
type Node = { type: string; start: number; end: number; [part: string]: unknown };

/**
 * Mutants as mutation tools make them (the operators are those of Stryker, 0131). Chosen by a hash of the seed, the file, the
 * function and the text: a change of other code leaves the choice as it is, but for one now and then.
 */
export function chooseMutants(root: string): Break[] {
  return areas.flatMap(({ count, files }) => {
    const taken = new Set<string>();
    return globSync(files, { cwd: root })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => !leftOut.test(file))
      .flatMap((file) => listMutants(file, readFileSync(join(root, file), "utf8")))
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .filter(({ mutant: { file } }) => !taken.has(file) && taken.add(file))
      .slice(0, count)
      .map(({ mutant }) => mutant);
  });
}

function listMutants(file: string, source: string): { rank: string; mutant: Break }[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const seen = new Map<string, number>();
  return [...walk(program as unknown as Node, source, "")].map(({ start, end, put, within }) => {
    const find = source.slice(start, end);
    const line = source.slice(0, start).split("\n").length;
    const key = [seed, file, within, find, put].join("\n");
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    const rank = createHash("sha256").update(`${key}\n${before}`).digest("hex");
    const name = `${within || "the file"} (line ${line}): ${shorten(find)} becomes ${shorten(put) || "nothing"}`;
    return { rank, mutant: { name, file, find, put, at: start } };
  });
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

function* walk(node: Node, source: string, within: string): Generator<Site & { within: string }> {
  // Types are the compiler's, and what is logged or thrown is said to developers.
  if (/^TS(?!AsExpression|NonNull|Satisfies)/.test(node.type) || isSaid(node, source)) return;
  const own = nameOf(node) ?? within;
  for (const site of mutate(node, source)) yield { ...site, within: own };
  for (const part of Object.values(node)) {
    for (const child of [part].flat()) if (isNode(child)) yield* walk(child, source, own);
  }
}

function isNode(part: unknown): part is Node {
  return typeof part === "object" && part !== null && "type" in part && "start" in part;
}

function isSaid(node: Node, source: string): boolean {
  if (node.type === "ThrowStatement" || node.type === "ImportDeclaration") return true;
  const called = /^(?:services\.|options\.)?(?:log|console)\./;
  return node.type === "CallExpression" && called.test(source.slice(node.start, node.end));
}

function nameOf({ type, id, key }: Node): string | undefined {
  if (!/^(?:FunctionDeclaration|VariableDeclarator|Property|MethodDefinition)$/.test(type)) return;
  const named = (id ?? key) as { name?: string } | null;
  return named?.name;
}

const swapped = new Map(
  Object.entries({
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "-": "+",
    "*": "/",
    "/": "*",
    "%": "*",
    "&&": "||",
    "||": "&&",
    "??": "&&",
  }),
);
const otherMethods = new Map(
  Object.entries({
    some: "every",
    every: "some",
    startsWith: "endsWith",
    endsWith: "startsWith",
    toLowerCase: "toUpperCase",
    toUpperCase: "toLowerCase",
    min: "max",
    max: "min",
  }),
);
/** Without this call, what it is called on. */
const droppedMethods = /^(?:filter|sort|toSorted|reverse|toReversed|slice|trim)$/;

function* mutate(node: Node, source: string): Generator<Site> {
  const { start, end } = node;
  const text = (part: unknown) => source.slice((part as Node).start, (part as Node).end);
  if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
    const [left, right, operator] = [node.left as Node, node.right as Node, String(node.operator)];
    const other = swapped.get(operator);
    const between = source.slice(left.end, right.start);
    if (other) {
      yield { start, end, put: text(left) + between.replace(operator, other) + text(right) };
    }
  }
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    const test = node.test as Node;
    for (const put of ["true", "false"]) yield { start: test.start, end: test.end, put };
  }
  if (node.type === "UnaryExpression" && node.operator === "!") {
    yield { start, end, put: text(node.argument) };
  }
  if (node.type === "Literal" && typeof node.value === "boolean") {
    yield { start, end, put: String(!node.value) };
  }
  if (
    node.type === "ExpressionStatement" &&
    /^(?:Call|Await)/.test((node.expression as Node).type)
  ) {
    if (!isSaid(node.expression as Node, source)) yield { start, end, put: ";" };
  }
  if (node.type === "CallExpression" && (node.callee as Node).type === "MemberExpression") {
    const { object, property } = node.callee as Node;
    const method = text(property);
    const other = otherMethods.get(method);
    const { start: from, end: to } = property as Node;
    if (other) yield { start: from, end: to, put: other };
    if (droppedMethods.test(method)) yield { start, end, put: text(object) };
  }
}
