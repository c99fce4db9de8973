import { join, relative, sep } from "node:path";
import { isCollection, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { isNewer } from "./kit.ts";
import { isFile, readTextFile, remembered } from "./text-files.ts";

/** A mistake in a campus, or a note that doesn't fail a build. */
export type Mistake = {
  /** Path below the campus's folder, with forward slashes. */
  file: string;
  line?: number | undefined;
  /** Keys joined by dots, or a part of the file in parentheses, such as `(text)`. */
  field: string;
  /** The violated rule, and how to fix the mistake. */
  sentence: string;
  /** Kit version that introduced the check, or `undefined` if every version has had the check. */
  since?: string | undefined;
  /** Whether this is only a note, which never fails a build. */
  isNote?: boolean | undefined;
  /** Whether pages ignore the text and show the product's, so that an update may remove it. */
  isIgnored?: boolean | undefined;
};

/** Optional details of a mistake. `near` is text on the mistake's line. */
export type Details = Pick<Mistake, "line" | "since" | "isNote" | "isIgnored"> & {
  near?: string | undefined;
};

/**
 * Reports a mistake.
 * @param file path relative to the campus's folder
 * @param field location in the file
 * @param sentence the violated rule, and how to fix the mistake
 */
export type Report = (file: string, field: string, sentence: string, details?: Details) => void;

/**
 * Collects the mistakes in one campus. Checks newer than the campus's kit only report notes so that
 * a product update never breaks a campus.
 */
export function collectMistakes(folder: string, kit: string) {
  const all: Mistake[] = [];
  const known = new Set<string>();
  const report: Report = (file, field, sentence, { near, ...details } = {}) => {
    const path = file.replaceAll("\\", "/");
    const line = details.line ?? findLine(join(folder, path), field, near);
    const isNote = details.isNote || (details.since !== undefined && isNewer(details.since, kit));
    const mistake = { file: path, field, sentence, ...details, line, isNote };
    const text = formatMistake(mistake);
    if (!known.has(text)) all.push(mistake);
    known.add(text);
  };
  return { all, report };
}

/** Returns the mistakes that fail a build. */
export const errorsIn = (mistakes: readonly Mistake[]) =>
  mistakes.filter((mistake) => !mistake.isNote);
export const notesIn = (mistakes: readonly Mistake[]) =>
  mistakes.filter((mistake) => mistake.isNote);

/**
 * Formats a mistake as `campus/FILE:LINE: FIELD: SENTENCE`. Editors and terminals turn the path
 * into a link.
 */
export function formatMistake({ file, line, field, sentence }: Mistake): string {
  return `campus/${file}${line === undefined ? "" : `:${line}`}: ${field}: ${sentence}`;
}

/**
 * Replaces the prefix `campus/` in formatted mistakes with the path of `folder`, relative to the
 * working directory if the folder is in or next to it.
 */
export function seenIn(folder: string, message: string): string {
  const way = relative(process.cwd(), folder).replaceAll(sep, "/");
  const place = way.startsWith("../..") ? folder : way;
  return message.replace(/^campus\//gm, `${place}/`);
}

/**
 * Lists the mistakes in a campus, one per line, each with file, line, field and reason. Paths start
 * with `campus/`, whatever the folder is called.
 */
export class CampusError extends Error {
  override name = "CampusError";
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: string | readonly Mistake[]) {
    super(typeof mistakes === "string" ? mistakes : mistakes.map(formatMistake).join("\n"));
    this.mistakes = typeof mistakes === "string" ? [] : mistakes;
  }

  /** Formats the mistakes with file paths in `folder` instead of `campus/`. */
  seenIn(folder: string): string {
    return seenIn(folder, this.message);
  }
}

/**
 * Fails on mistakes that every kit version rejects. Whether a mistake under a newer rule fails a
 * build depends on the campus's kit version, which only the check knows.
 * @throws CampusError
 */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  const errors = mistakes.filter(({ since }) => since === undefined);
  if (errors.length > 0) throw new CampusError(errors);
}

/**
 * Finds the line of a field in a file. Returns `undefined` if the file doesn't contain the field.
 */
function findLine(path: string, field: string, near?: string): number | undefined {
  if (!/\.(?:yaml|md|css)$/.test(path) || !isFile(path)) return undefined;
  const text = readTextFile(path);
  const lineAt = (index: number) =>
    index < 0 ? undefined : text.slice(0, index).split("\n").length;
  if (near !== undefined && text.includes(near)) return lineAt(text.indexOf(near));
  if (path.endsWith(".css")) return lineAt(findColour(text, field));
  if (path.endsWith(".yaml")) return lineOfKey(text, field.split("."));
  const [whole = "", front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  // A field in quotes is the title of a section in a legal document.
  const title = /^"(.*)"$/.exec(field)?.[1];
  if (title !== undefined) return lineAt(text.indexOf(`\n## ${title}`) + 1);
  if (field === "(text)") return whole ? whole.split("\n").length : undefined;
  return lineOfKey(`\n${front}`, field.split("."));
}

/** Finds the position of a color such as `dark --ink` in a theme. */
function findColour(text: string, field: string): number {
  const [scheme, name] = field.split(" ");
  if (!name?.startsWith("--")) return text.indexOf(field);
  const [day, night] = [...text.matchAll(/:root\s*\{/g)];
  if (scheme === "dark") return text.indexOf(`${name}:`, night?.index);
  // Searches only the light block, because a color may exist only in the dark block.
  return text.slice(0, night?.index).indexOf(`${name}:`, day?.index);
}

/** Memoizes the parsed file, because hundreds of notes can refer to one file. */
const parseWithLines = remembered((text) => {
  const lines = new LineCounter();
  return { lines, contents: parseDocument(text, { lineCounter: lines }).contents };
});

/**
 * Finds the line of the deepest existing key on a path. List items are found by index, id or key.
 */
function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const { lines, contents } = parseWithLines(text);
  let at: unknown = contents;
  let found: Node | undefined;
  let rest = path;
  while (isCollection(at) && rest.length > 0) {
    const step = isMap(at) ? stepIntoMap(at.items, rest) : stepIntoList(at.items, rest);
    if (!step) break;
    found = step.node;
    at = step.value;
    rest = rest.slice(step.length);
  }
  return found?.range ? lines.linePos(found.range[0]).line : undefined;
}

type Step = { node: Node; value: unknown; length: number };

/**
 * Finds the map entry whose key is the start of a path. Keys can contain dots, so the longest match
 * wins.
 */
function stepIntoMap(items: readonly { key: unknown; value: unknown }[], rest: readonly string[]) {
  const steps = items.flatMap(({ key, value }): Step[] => {
    if (!isScalar(key)) return [];
    const length = String(key.value).split(".").length;
    const isOnWay = rest.slice(0, length).join(".") === String(key.value);
    return isOnWay ? [{ node: key, value, length }] : [];
  });
  return steps.toSorted((a, b) => b.length - a.length)[0];
}

function stepIntoList(items: readonly unknown[], [name = ""]: readonly string[]): Step | undefined {
  const item =
    items[/^\d+$/.test(name) ? Number(name) : -1] ??
    items.find(
      (candidate) => isMap(candidate) && [candidate.get("id"), candidate.get("key")].includes(name),
    );
  return item ? { node: item as Node, value: item, length: 1 } : undefined;
}
