import { stripVTControlCharacters } from "node:util";
import { type Calendar, toMinute } from "../platform/calendar/business-days.ts";

/** Formats results, times and untrusted text for commands. */

/**
 * A command's output and exit code: 0 done, 1 failed, 2 not understood, 3 action needed, 4 can't
 * tell, 5 no database.
 */
export type Outcome = {
  code: 0 | 1 | 2 | 3 | 4 | 5;
  out?: string;
  problem?: string;
};

export function done(sentence: string): Outcome {
  return { code: 0, out: `${sentence}\n` };
}

export function failed(sentence: string): Outcome {
  return { code: 1, problem: `${sentence}\n` };
}

export function notUnderstood(sentence: string): Outcome {
  return { code: 2, problem: `${sentence}\n` };
}

/** Formats a count, such as “1 entry” or “2 entries”. */
export function countOf(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`;
}

/** Formats a time such as 10:00, in the campus's time zone. */
export function toTime(calendar: Calendar, instant: Temporal.Instant): string {
  return toMinute(calendar, instant).slice(-5);
}

/**
 * Formats a table whose columns are as wide as their widest cells. Removes control characters so
 * that untrusted text can't control the terminal.
 */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(toPrintable));
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** Converts text to one line that can't control a terminal. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "");
}
