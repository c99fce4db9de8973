import { stripVTControlCharacters } from "node:util";
import { type Calendar, toMinute } from "../calendar/business-days.ts";

/** How commands say what they did, when things are, and what strangers typed. */

/**
 * What a command says, and its exit code: 0 done, 1 could not be done, 2 not understood, 3 found something to do,
 * 4 cannot tell, 5 there is no database.
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

/** Such as “1 entry” or “2 entries”. */
export function countOf(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`;
}

/** Such as 10:00, in the campus's time. */
export function toTime(calendar: Calendar, instant: Temporal.Instant): string {
  return toMinute(calendar, instant).slice(-5);
}

/** Columns as wide as their widest cell. Control characters of what strangers typed do not reach the terminal. */
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

/** One line of text that cannot steer a terminal. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "");
}
