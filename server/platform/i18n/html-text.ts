import { html } from "hono/html";
import { type BorrowedMarks, splitBorrowed, type TextRun } from "./borrowed-words.ts";
import type { SplitRuns } from "./text-runs.ts";

/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string) => String(html`${text}`);

/**
 * Writes text as HTML and marks the parts in other languages.
 * @param write writes the text inside and outside of borrowed text, with a function for its parts
 */
export type WriteText = (
  text: string,
  write?: (words: string, writePart: WriteText) => string,
) => string;

/** @param writeWords writes text that needs no marks */
export function createWriteText(
  { borrowed, split }: { borrowed: BorrowedMarks; split: SplitRuns },
  writeWords: (words: string) => string = escapeHtml,
): WriteText {
  const writeBorrowed: WriteText = (text, write) =>
    write ? write(text, writeBorrowed) : writeWords(text);
  const writeText: WriteText = (text, write) =>
    writeRuns(splitBorrowed(text, borrowed), (words, isBorrowed) => {
      if (isBorrowed) return writeBorrowed(words, write);
      return write ? write(words, writeText) : writeRuns(split(words), writeWords);
    });
  return writeText;
}

function writeRuns(
  runs: readonly TextRun[],
  write: (words: string, isBorrowed: boolean) => string,
  isBorrowed = false,
): string {
  return runs
    .map((run) => {
      if (typeof run === "string") return write(run, isBorrowed);
      const attributes = Object.entries(run.marks).map(([name, value]) => ` ${name}="${value}"`);
      return `<span${attributes.join("")}>${writeRuns(run.runs, write, true)}</span>`;
    })
    .join("");
}
