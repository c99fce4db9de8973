import { readFileSync } from "node:fs";
import { isScalar, LineCounter, parseDocument, visit } from "yaml";

/**
 * Reads a file written by any editor: removes a byte order mark and converts line endings to \n.
 */
export function readTextFile(path: string): string {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
}

/** Whether the text was valid UTF-8: invalid bytes were decoded to U+FFFD. */
export function isUtf8(text: string): boolean {
  return !text.includes("\uFFFD");
}

export const notUtf8 = "is not written in UTF-8; save it in that encoding";

/**
 * Memoizes a function of a text. A campus is reloaded whenever one of its files changes, and
 * unchanged files give the same results. Callers share a result, so they must not modify it.
 */
export function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => known.getOrInsertComputed(text, work);
}

/** Parses YAML. Callers must not modify the result, because it is memoized. */
export const parseYaml = remembered((text): unknown => {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw error;
  return document.toJS();
});

/**
 * Finds lines on which a # cuts off a sentence. In YAML, a # after a space starts a comment even
 * within an unquoted sentence, so a page would show only the first half of the sentence.
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
 * Message for a sentence that a # cuts off. The mistake fails the build, because showing half a
 * sentence on a page would be worse.
 */
export const cutOff = "what stands behind the # is cut off; put the sentence in quotes";

/** Formats a syntax error with its position and a hint. */
export function formatSyntaxError(error: Error): string {
  const reason = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
  return `${reason}; look there for a missing quote, a tab instead of spaces, or a colon in a text without quotes`;
}

export function lineOfSyntaxError(error: Error): number | undefined {
  const [, line] = / at line (\d+)/.exec(error.message) ?? [];
  return line === undefined ? undefined : Number(line);
}
