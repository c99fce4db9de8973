import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

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
const leftOut = /(?:\.(?:test|fixture|d)|\/reload-plugin)\.ts$/;
const seed = "campus-ride-share";

/** Words are data, and an empty list or object is the compiler's. */
const excludedMutations = ["StringLiteral", "ObjectLiteral", "ArrayDeclaration"];

type Ignorer = Parameters<Instrumenter["instrument"]>[1]["ignorers"][number];

type Called = {
  type: string;
  callee?: { object?: { name?: string; property?: { name: string } } };
};

/** What is logged or thrown is said to developers. */
const said: Ignorer = {
  shouldIgnore(path) {
    const { type, callee } = (path as { node: Called }).node;
    const on = callee?.object?.property?.name ?? callee?.object?.name ?? "";
    return type === "ThrowStatement" || /^(?:log|console)$/.test(on) ? "said" : undefined;
  },
};

/**
 * Mutants of Stryker. Chosen by a hash of the seed, the file and what is changed: a change of other code leaves the choice
 * as it is, but for one now and then.
 */
export async function chooseMutants(root: string): Promise<Break[]> {
  const chosen = areas.map(async ({ count, files }) => {
    const names = globSync(files, { cwd: root })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => !leftOut.test(file));
    const found = await Promise.all(names.map((file) => listMutants(root, file)));
    const taken = new Set<string>();
    return found
      .flat()
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .filter(({ mutant: { file } }) => !taken.has(file) && taken.add(file))
      .slice(0, count)
      .map(({ mutant }) => mutant);
  });
  return (await Promise.all(chosen)).flat();
}

async function listMutants(root: string, file: string): Promise<{ rank: string; mutant: Break }[]> {
  const source = readFileSync(join(root, file), "utf8");
  const lines = source.split("\n");
  const at = ({ line, column }: { line: number; column: number }) =>
    lines.slice(0, line).join("\n").length + (line > 0 ? 1 : 0) + column;
  const { mutants } = await new Instrumenter(silent).instrument(
    [{ name: file, content: source, mutate: true }],
    { plugins: null, excludedMutations, ignorers: [said] },
  );
  const seen = new Map<string, number>();
  return mutants
    .filter(({ status }) => status !== "Ignored")
    .map(({ mutatorName, location: { start, end }, replacement: put }) => {
      const find = source.slice(at(start), at(end));
      const key = [seed, file, mutatorName, find, put].join("\n");
      const before = seen.get(key) ?? 0;
      seen.set(key, before + 1);
      const rank = createHash("sha256").update(`${key}\n${before}`).digest("hex");
      const name = `line ${start.line + 1}: ${shorten(find)} becomes ${shorten(put)}`;
      return { rank, mutant: { name, file, find, put, at: at(start) } };
    });
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

/** It says how many mutants it made, file by file. */
const silent = new Proxy({}, { get: () => () => false }) as ConstructorParameters<
  typeof Instrumenter
>[0];
