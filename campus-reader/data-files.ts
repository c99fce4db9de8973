import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { LineCounter, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { type CampusSettings, calendarSchema, dataListSchema, settingsSchema } from "./schema.ts";

/** Tells a mistake: the file below the campus's folder, the place in it, and what would be right. */
export type Report = (file: string, place: string, reason: string) => void;

/** Mistakes in a campus, told as file, field and reason, one line each; `campus/` stands for its folder. */
export class CampusError extends Error {
  override name = "CampusError";

  /** The mistakes, each with its file where it stands: below `folder`, as seen from where the command runs. */
  seenIn(folder: string): string {
    const way = relative(process.cwd(), folder).replaceAll(sep, "/");
    const place = way.startsWith("../..") ? folder : way;
    return this.message.replace(/^campus\//gm, `${place}/`);
  }
}

/** One of a campus's files of data, not checked yet. */
function readDataFile(folder: string, file: string): unknown {
  const refuse = (reason: string) => new CampusError(`campus/${file}: (whole file): ${reason}`);
  const path = join(folder, file);
  if (!existsSync(path)) throw refuse(`cannot be read; it must stand in ${folder}`);
  const text = readTextFile(path);
  if (!isLegible(text)) throw refuse(illegible);
  try {
    return parseYaml(text);
  } catch (error) {
    throw refuse(tellSyntax(error as Error));
  }
}

/**
 * The same function, asked once for each text: a campus is read anew whenever one of its files changes, and the others
 * say what they said. What it gave is handed out again, and must not be changed.
 */
export function remembered<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => known.getOrInsertComputed(text, work);
}

/**
 * What a YAML text says, which must not be changed. Behind a blank, # begins a comment there, also in the middle of a sentence without quotes: such a
 * sentence is refused before half of it is shown.
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

/** A file as any editor writes it: without the mark that some begin with, its lines ending in one sign. */
export function readTextFile(path: string): string {
  return readFileSync(path, "utf8")
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n");
}

/** Whether a file's letters came out of it; those of another encoding do not. */
export function isLegible(text: string): boolean {
  return !text.includes("\uFFFD");
}

export const illegible = "is not written in UTF-8; save it in that encoding";

/** What a file's own syntax has against it, with the place and what to look for there. */
export function tellSyntax(error: Error): string {
  const reason = (error.message.split("\n")[0] ?? "").replace(/:$/, "");
  return `${reason}; look there for a missing quote, a tab instead of spaces, or a colon in a text without quotes`;
}

/**
 * What the server and its commands need to know without a build: who the campus is, its days, and where data lies.
 * @throws CampusError telling every mistake in these files
 */
export function readCampusData(folder: string) {
  const { settings, calendar, dataList, mistakes } = checkDataFiles(folder);
  if (!settings || !calendar || !dataList) throw new CampusError(mistakes.join("\n"));
  return { settings, calendar, dataList };
}

/**
 * The same as far as it is right, with every mistake, and with how those of other files join them.
 * @throws CampusError when a file cannot be read
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

/** A value as a schema has it; undefined where it is none, and everything that is wrong is reported. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, file: string, report: Report) {
  const { data, error } = schema.safeParse(value, { error: tellWanted });
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

/** What would be right, where the schema itself says nothing of it. */
const tellWanted: z.core.$ZodErrorMap = (issue) => {
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
