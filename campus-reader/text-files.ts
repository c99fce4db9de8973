import { readFileSync } from "node:fs";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/** Reads a file from any editor: removes a byte order mark and converts line endings to \n. */
export function readTextFile(path: string): string {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
}

/** Returns false if a text was not UTF-8. */
export function isUtf8(text: string): boolean {
  return !text.includes("\uFFFD");
}

export const notUtf8 = "is not written in UTF-8; save it in that encoding";

/**
 * Memoizes a function of a text. A campus is reloaded whenever one of its files changes, and
 * unchanged files give the same results. Callers share a result and must not modify it.
 */
export function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => known.getOrInsertComputed(text, work);
}

/** Parses YAML; callers must not modify the result. */
export const parseYaml = remembered((text): unknown => {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
});

/**
 * Finds the lines with a sentence that a # cuts off. In YAML, a # after a space begins a comment
 * even within an unquoted sentence, so the page would show only half of it.
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

/** Reports sentences that a # cuts off: half a sentence on a page is worse than no build. */
export const cutOff = "what stands behind the # is cut off; put the sentence in quotes";

/** Formats a syntax error with its position and a hint. */
export function formatSyntaxError(error: Error): string {
  const reason = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
  return `${reason}; look there for a missing quote, a tab instead of spaces, or a colon in a text without quotes`;
}

/** Returns the line of a syntax error. */
export function lineOfSyntaxError(error: Error): number | undefined {
  const [, line] = / at line (\d+)/.exec(error.message) ?? [];
  return line === undefined ? undefined : Number(line);
}
