import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { LineCounter, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { type CampusSettings, calendarSchema, dataListSchema, settingsSchema } from "./schema.ts";

/** Reports a mistake: the file (relative to the campus), the location in it, and the remedy. */
export type Report = (file: string, place: string, reason: string) => void;

/**
 * Mistakes in a campus, each one line with file, field and reason. `campus/` stands for its folder.
 */
export class CampusError extends Error {
  override name = "CampusError";

  /** Formats the mistakes with file paths below `folder`, relative to the working directory. */
  seenIn(folder: string): string {
    const way = relative(process.cwd(), folder).replaceAll(sep, "/");
    const place = way.startsWith("../..") ? folder : way;
    return this.message.replace(/^campus\//gm, `${place}/`);
  }
}

/** Parses a data file of a campus, without validation. */
function readDataFile(folder: string, file: string): unknown {
  const refuse = (reason: string) => new CampusError(`campus/${file}: (whole file): ${reason}`);
  const path = join(folder, file);
  if (!existsSync(path)) throw refuse(`cannot be read; it must stand in ${folder}`);
  const text = readTextFile(path);
  if (!isUtf8(text)) throw refuse(notUtf8);
  try {
    return parseYaml(text);
  } catch (error) {
    throw refuse(formatSyntaxError(error as Error));
  }
}

/**
 * Memoizes a function of a text. A campus is reloaded whenever one of its files changes, and
 * unchanged files give the same results. Callers share a result and must not modify it.
 */
export function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => known.getOrInsertComputed(text, work);
}

/**
 * Parses YAML; callers must not modify the result. In YAML, a # after a space begins a comment even
 * within an unquoted sentence; this function rejects such a sentence, because the page would show
 * only half of it.
 */
export const parseYaml = remembered((text): unknown => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Scalar(_, { type, value, range }) {
      if (type !== "PLAIN" || typeof value !== "string" || !range) return;
      const [, end] = range;
      if (!/^[ \t]+#/.test(text.slice(end))) return;
      throw new Error(`what stands behind the # at line ${lines.linePos(end).line} is cut off`);
    },
  });
  return document.toJS();
});

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

/** Formats a syntax error with its position and a hint. */
export function formatSyntaxError(error: Error): string {
  const reason = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
  return `${reason}; look there for a missing quote, a tab instead of spaces, or a colon in a text without quotes`;
}

/**
 * Reads the data that the server and its commands need without a build: the campus, its calendar
 * and its data list.
 * @throws CampusError listing every mistake in these files
 */
export function readCampusData(folder: string) {
  const { settings, calendar, dataList, mistakes } = checkDataFiles(folder);
  if (!settings || !calendar || !dataList) throw new CampusError(mistakes.join("\n"));
  return { settings, calendar, dataList };
}

/**
 * Returns the valid part of these files, the mistakes, and a function that reports mistakes in
 * other files.
 * @throws CampusError if a file can't be read
 */
export function checkDataFiles(folder: string) {
  const mistakes: string[] = [];
  const report: Report = (file, place, reason) =>
    mistakes.push(`campus/${file}: ${place}: ${reason}`);
  function check<T>(name: "campus" | "calendar" | "deletion", schema: z.ZodType<T>) {
    const file = `${name}.yaml`;
    return readAs(schema, readDataFile(folder, file), file, report);
  }
  const own = check("campus", settingsSchema);
  const calendar = check("calendar", calendarSchema);
  const dataList = check("deletion", dataListSchema);
  const settings: CampusSettings | undefined = own && { ...own, backupDays: dataList?.backupDays };
  return { settings, calendar, dataList, mistakes, report };
}

/**
 * Parses a value with a schema. If it doesn't match, reports every mistake and returns undefined.
 */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, file: string, report: Report) {
  const { data, error } = schema.safeParse(value, { error: namesValidValues });
  for (const { path, message, ...issue } of error?.issues ?? []) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    for (const key of keys) {
      const field = [...path, key].filter((part) => part !== undefined).join(".");
      report(file, field || "(whole file)", message);
    }
  }
  return data;
}

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of fields",
  record: "a group of fields",
};

/** Lists the valid values, unless the schema has a message of its own. */
const namesValidValues: z.core.$ZodErrorMap = (issue) => {
  const unit = { string: " characters", array: " entries" }[String(issue.origin)] ?? "";
  switch (issue.code) {
    case "unrecognized_keys":
      return "is not known here; check its spelling, or remove it";
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_type": {
      const wanted = kinds[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `is missing; it must be ${wanted}` : `must be ${wanted}`;
    }
    case "too_small":
      return `must be at least ${issue.minimum}${unit}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unit}`;
    default:
      return undefined;
  }
};
