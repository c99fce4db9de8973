import { appendFileSync, mkdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

/** One measured thing beside its limit. */
export type Row = { what: string; figure: string; limit: string; held: boolean };

export type Part = { name: string; rows: Row[]; notes?: string };

export function ratio(value: number): string {
  return `${value.toFixed(2)}x`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param figure how the value is said, where a ratio alone does not say it */
export function atMost(what: string, value: number, limit: number, figure = ratio(value)): Row {
  return { what, figure, limit: `${limit} at most`, held: value <= limit };
}

export function atLeast(what: string, value: number, limit: number, figure = ratio(value)): Row {
  return { what, figure, limit: `${limit} at least`, held: value >= limit };
}

/** The part as Markdown, for eyes alike. */
export function toSection({ name, rows, notes = "" }: Part): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} processors (${cpus()[0]?.model.trim()})`;
  const lines = rows.map(
    ({ what, figure, limit, held }) =>
      `| ${what} | ${figure} | ${limit} | ${held ? "held" : "MISSED"} |`,
  );
  const head = "| what | figure | limit | |\n| --- | --- | --- | --- |";
  return `\n## ${name}\n\n${machine}\n\n${[head, ...lines].join("\n")}\n${notes && `\n${notes}\n`}`;
}

/** Adds a part to the day's results, and returns their file. */
export function enter(section: string): string {
  const folder = join(import.meta.dirname, "results");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${Temporal.Now.plainDateISO()}.md`);
  appendFileSync(file, section);
  return file;
}
