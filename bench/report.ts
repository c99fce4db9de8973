import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

/** One measured thing beside its limit. */
export type Row = {
  what: string;
  figure: string;
  limit: string;
  /** Undefined where there is no limit to hold. */
  held: boolean | undefined;
};

/** What a part of the bench found. */
export type Part = { name: string; rows: Row[]; notes?: string[] };

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

/** @param figure how the value is said, where a ratio alone does not say it */
export function atLeast(what: string, value: number, limit: number, figure = ratio(value)): Row {
  return { what, figure, limit: `${limit} at least`, held: value >= limit };
}

/** What has no limit. */
export function known(what: string, figure: string): Row {
  return { what, figure, limit: "", held: undefined };
}

/** The table of one run, for eyes and for Markdown alike. */
export function toTable({ rows, notes = [] }: Part): string {
  const cells = [
    ["what", "figure", "limit", ""],
    ...rows.map(({ what, figure, limit, held }) => [
      what,
      figure,
      limit,
      held === undefined ? "" : held ? "held" : "MISSED",
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const lines = cells.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1), ...notes.map((note) => `\n${note}`)].join("\n");
}

/** Enters a part into the day's file; the other parts of the same day stay. */
export function enter(part: Part): string {
  const date = Temporal.Now.plainDateISO().toString();
  const folder = join(import.meta.dirname, "results");
  const file = join(folder, `${date}.md`);
  mkdirSync(folder, { recursive: true });
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const sections = new Map(
    before
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split("\n", 1)[0] ?? "", `## ${section.trimEnd()}\n`]),
  );
  const machine = `Node ${process.versions.node}, ${cpus().length} processors (${cpus()[0]?.model.trim()})`;
  sections.set(part.name, `## ${part.name}\n\n${machine}\n\n${toTable(part)}\n`);
  writeFileSync(file, [`# ${date}\n`, ...sections.values()].join("\n"));
  return file;
}
