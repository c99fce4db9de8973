import { readFileSync, statSync } from "node:fs";
import {
  type Alias,
  type ErrorCode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  YAMLParseError,
} from "yaml";

/** Reads a text file. Removes a byte order mark and converts line endings to \n. */
export function readTextFile(path: string): string {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n");
}

/** Returns whether the path is a file, or a link to one. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns whether the path is a folder, or a link to one. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export const notAFile = "is a folder; it must be a text file";
export const notAFolder = "is a file; it must be a folder";

/** Checks whether the text was valid UTF-8. Invalid bytes were decoded to U+FFFD. */
export function isUtf8(text: string): boolean {
  return !text.includes("\uFFFD");
}

export const notUtf8 = "is not written in UTF-8; save it in that encoding";

/**
 * Memoizes a function of text so that reloading a campus processes only changed files. Callers
 * share a result, so they must not modify it.
 * @param most maximum number of results to keep. The oldest results are dropped first
 */
export function remembered<Result>(
  work: (text: string) => Result,
  most = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const result = known.getOrInsertComputed(text, work);
    for (const oldest of known.keys()) {
      if (known.size <= most) break;
      known.delete(oldest);
    }
    return result;
  };
}

/** Parses YAML. Callers must not modify the result, because it is memoized. */
export const parseYaml = remembered((text): unknown => {
  const { document, error } = parseWithAliases(text);
  if (error) throw error;
  return document.toJS();
});

/**
 * Parses YAML and returns its first error. A reference such as `*name` to a missing anchor is an
 * error, too, which the parser would throw only from `toJS`.
 */
function parseWithAliases(text: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  let unresolved: Alias | undefined;
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document)) return undefined;
      unresolved = node;
      return visit.BREAK;
    },
  });
  const [error = unresolved && explainAlias(unresolved, lines)] = document.errors;
  return { document, error };
}

function explainAlias({ source, range }: Alias, lines: LineCounter): YAMLParseError {
  const [start = 0, end = start] = range ?? [];
  const message = `Unresolved alias ${source} at line ${lines.linePos(start).line}`;
  return new YAMLParseError([start, end], "BAD_ALIAS", message);
}

/**
 * Finds the lines of texts that begin with & or !. YAML reads their first word as an anchor or a
 * tag, so a page would show only the other words.
 */
export const findLostWords = remembered((text): readonly number[] => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  const found: number[] = [];
  visit(document, {
    Scalar(_, { anchor, tag, range }) {
      const isLost = anchor ? !used.has(anchor) : /^![^!]/.test(tag ?? "");
      if (isLost && range) found.push(lines.linePos(range[0]).line);
    },
  });
  return found;
});

export const lostWords =
  "begins with & or !, so YAML takes its first word away; put the text in quotes";

/**
 * Finds lines on which a # cuts off a sentence. In YAML, a # after a space starts a comment even
 * within an unquoted sentence, so a page would show only the sentence's first half.
 */
export const findCutOff = remembered((text): readonly number[] => {
  const found: number[] = [];
  const lines = new LineCounter();
  visit(parseDocument(text, { lineCounter: lines }), {
    Scalar(_, node) {
      if (!isScalar(node) || node.type !== "PLAIN" || typeof node.value !== "string") return;
      const end = node.range?.[1];
      if (end === undefined || !/^[ \t]+#/.test(text.slice(end))) return;
      found.push(lines.linePos(end).line);
    },
  });
  return found;
});

/**
 * Finds the lines of values in curly quotes. YAML recognizes only straight quotes, so a page would
 * show curly quotes as part of the text.
 */
export const findCurlyQuotes = remembered((text): readonly number[] => {
  const found: number[] = [];
  const lines = new LineCounter();
  visit(parseDocument(text, { lineCounter: lines }), {
    Scalar(_, node) {
      const { type, value, range } = node;
      if (type !== "PLAIN" || typeof value !== "string" || !range) return;
      if (/^[“”„«»‘’‚].*[“”«»‘’]$/s.test(value)) found.push(lines.linePos(range[0]).line);
    },
  });
  return found;
});

export const curlyQuotes =
  'has the quotes of a word processor, which would be shown; write straight ones: "..."';

/**
 * Parses YAML without the lines that have syntax errors so that the other lines can also be
 * checked. Returns `undefined` if too many lines have errors.
 */
export function salvageYaml(text: string): unknown {
  const lines = text.split("\n");
  for (let round = 0; round < 20; round += 1) {
    const { document, error } = parseWithAliases(lines.join("\n"));
    if (!error) return document.toJS();
    lines[(lineOfSyntaxError(error) ?? 1) - 1] = "";
  }
  return undefined;
}

/**
 * Message for a sentence that a # cuts off. The mistake fails the build of every campus that declares
 * a kit version, because half a sentence on a page would be worse.
 */
export const cutOff = "everything after the # is cut off; put the sentence in quotes";

const specialStart =
  "begins with a character that has a special meaning in YAML; put the text in quotes";
/** Remedies for syntax errors, keyed by the parser's code. */
const syntaxRemedies: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: specialStart,
  BAD_SCALAR_START: specialStart,
  BLOCK_AS_IMPLICIT_KEY: "has a colon in a text without quotes; put the whole text in quotes",
  DUPLICATE_KEY: "repeats another line; keep one of them",
  MULTIPLE_DOCS: "is after a line of three hyphens, which ends the file; remove that line",
  MULTILINE_IMPLICIT_KEY: "needs a colon and a space after its name, such as name: text",
  TAB_AS_INDENT: "begins with a tab; indent with spaces",
  UNEXPECTED_TOKEN:
    "continues after its text has ended; put the whole text in quotes, and indent its further lines",
};

/** Explains a syntax error and its remedy in one sentence. */
export function formatSyntaxError(error: Error): string {
  const [reason = ""] = error.message.split("\n");
  const code = error instanceof YAMLParseError ? error.code : undefined;
  if (/Missing closing .*quote/.test(reason)) return "has a quote that is never closed; add it";
  const [, sign] = unclosed.exec(reason) ?? [];
  if (sign) return `has a list or group that is never closed; add ${sign}`;
  if (/need to be followed by map values/.test(reason)) {
    return "needs a colon and a space after its name, such as name: text";
  }
  const remedy = code && syntaxRemedies[code];
  if (remedy) return remedy;
  return `${reason.replace(/:$/, "")}; look there for a missing quote, a tab instead of spaces, or a colon in a text without quotes`;
}

const unclosed = /must be sufficiently indented and end with a (.)/;

export function lineOfSyntaxError(error: Error): number | undefined {
  const [, line] = / at line (\d+)/.exec(error.message) ?? [];
  if (line === undefined) return undefined;
  // The parser notices a missing bracket only on the next line.
  return unclosed.test(error.message) ? Math.max(1, Number(line) - 1) : Number(line);
}

/** Finds the line on which a merge conflict begins. */
export function findConflict(text: string): number | undefined {
  const before = /^[\s\S]*?(?=^<{7} )/m.exec(text)?.[0];
  return before === undefined ? undefined : before.split("\n").length;
}

export const conflict =
  "has the marks of a merge conflict (<<<<<<<); keep one of both versions, without the marks";
