import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { z } from "zod";
import { parseReported, readAs } from "./data-files.ts";
import { createFill, type Fill, settingsIn } from "./facts.ts";
import { isLeftBehind } from "./left-behind.ts";
import { createMarkdown, findUnshown, hasLetter, hasPhoto, type Markdown } from "./markdown.ts";
import type { Report } from "./mistakes.ts";
import { findMarks, findUnknown } from "./placeholders.ts";
import { wordFiles } from "./product-words.ts";
import type { CampusSettings } from "./schema.ts";
import { findNearest } from "./spelling.ts";
import { pictureEnding } from "./stray-files.ts";
import {
  conflict,
  findConflict,
  isFolder,
  isUtf8,
  notAFile,
  notAFolder,
  notUtf8,
  readTextFile,
} from "./text-files.ts";
import { findWording } from "./wording.ts";

/** Content that may be missing in a language. */
export type Untranslated = {
  /** Language of the fallback text, if it differs from the page's language. */
  language?: string | undefined;
};

/**
 * State while the campus's text in one language is read. Mistakes are reported without stopping.
 */
export type Texts = {
  /** Absolute path of the campus's folder. */
  folder: string;
  language: string;
  /** The campus's default language. Translations are compared with the files in this language. */
  first: string;
  /** Folder of this language within the campus, such as `content/bn`. */
  content: string;
  fill: Fill;
  fillMessage: Fill;
  markdown: Markdown;
  report: Report;
};

/** The campus to read, and a function that reports mistakes in it. */
export type Source = { folder: string; settings: CampusSettings; report: Report };

export function textsIn(language: string, { folder, settings, report }: Source): Texts {
  const content = join("content", language);
  const spoken = settingsIn(settings, language);
  const facts = createFill(spoken);
  const markdown = createMarkdown(spoken);
  return { folder, language, first: settings.language, content, ...facts, markdown, report };
}

export function hasText({ folder, content }: Texts, file: string): boolean {
  return existsSync(join(folder, content, file));
}

/**
 * Lists the file names in a content folder, such as `posts`, in order. Returns an empty list if the
 * folder is missing, or if it is a file, which is reported.
 */
export function listFolder({ folder, content, report }: Texts, place: string): string[] {
  const path = join(folder, content, place);
  if (isFolder(path)) return readdirSync(path).toSorted();
  if (existsSync(path)) report(join(content, place), "(whole folder)", notAFolder);
  return [];
}

function readText({ folder, content, language, first, report }: Texts, file: string) {
  try {
    const text = readTextFile(join(folder, file));
    if (isUtf8(text)) return text;
    report(file, "(whole file)", notUtf8);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const todo =
      language === first
        ? "every campus has one, such as those in campus-examples"
        : `begin with a copy of ${join("content", first, relative(content, file))}`;
    const reason =
      code === "EISDIR"
        ? notAFile
        : code === "ENOENT" || code === "ENOTDIR"
          ? `is missing; ${todo}`
          : "cannot be read; check its permissions";
    report(file, "(whole file)", reason);
  }
  return undefined;
}

/**
 * Parses YAML, then fills facts into the values. In this order, special characters in a fact can't
 * break the file's syntax.
 */
function parse({ fill, report }: Texts, text: string, file: string, part: string): unknown {
  return mapStrings(parseReported(text, file, part, report), fill);
}

/** Reads a YAML file without validating it. */
export function readYaml(texts: Texts, name: string, put = texts.fill) {
  const file = join(texts.content, `${name}.yaml`);
  const text = readText(texts, file);
  const value =
    text === undefined ? undefined : parse({ ...texts, fill: put }, text, file, "whole file");
  noteWording(texts, file, value);
  return { file, value };
}

export function readChecked<T>(texts: Texts, name: string, schema: z.ZodType<T>): T | undefined {
  const { file, value } = readYaml(texts, name);
  return value === undefined ? undefined : readAs(schema, value, file, texts.report);
}

/**
 * Reads a Markdown file. If `front` is undefined, the mistake in the front matter has already been
 * reported.
 */
export function readMarkdown<T>(texts: Texts, file: string, schema: z.ZodType<T>) {
  const { fill, report } = texts;
  const text = readText(texts, file);
  if (text === undefined) return { front: undefined, body: "" };
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!match)
    report(
      file,
      "(front matter)",
      "must be at the top of the file, between two lines of three hyphens (---)",
    );
  const front = match ? parse(texts, `\n${match[1] ?? ""}`, file, "front matter") : undefined;
  const body = fill(match?.[2] ?? "");
  const table = file.endsWith("/privacy-policy.md") ? "{{table:data-kinds}}" : "";
  for (const reason of findUnknown(body.replaceAll(table, ""))) {
    const [near] = /\{[^{}\s]*\}?|\S*\}/.exec(reason) ?? [];
    report(file, "(text)", reason, { near });
  }
  noteWording(texts, file, front);
  const linesAbove =
    text.slice(0, text.length - (match?.[2] ?? text).length).split("\n").length - 1;
  const conflictLine = findConflict(text);
  if (conflictLine !== undefined) {
    report(file, "(text)", conflict, { line: conflictLine, since: "1.14" });
  }
  for (const { reason, line, since } of conflictLine === undefined ? findUnshown(body) : []) {
    report(file, "(text)", reason, { line: linesAbove + line, since });
  }
  for (const [index, line] of body.split("\n").entries()) {
    for (const { sentence } of findWording(texts.language, line)) {
      report(file, "(text)", sentence, { line: linesAbove + index + 1, isNote: true });
    }
  }
  if (hasPhoto(body) && !["posts", "pages"].includes(basename(dirname(file))))
    report(file, "(text)", "shows a picture; only posts and your own pages can show pictures");
  reportMarks({ file, value: front, report }, (value) => [findMarks(value)]);
  if (hasLetter(body) && basename(dirname(file)) !== "posts")
    report(file, "(text)", "has a letter or a pull quote; only posts can have them", {
      near: ":::",
    });
  if (front === undefined) return { front, body };
  return { front: readAs(schema, front ?? {}, file, report), body };
}

/** Adds a note for each discouraged word in a campus's text, with a better word. */
function noteWording({ language, report }: Texts, file: string, value: unknown): void {
  mapStrings(value, (text, place) => {
    for (const { sentence } of findWording(language, text)) {
      report(file, place, sentence, { isNote: true });
    }
    return text;
  });
}

/**
 * Reports files that are never read, such as a picture in the folder of posts or a text file with a
 * misspelled name.
 */
export function refuseStrays(texts: Texts): void {
  const { content, report } = texts;
  const files = ["faq", ...wordFiles].map((name) => `${name}.yaml`);
  const known = new Map([
    // Versions before 1.13 had sources.json.
    ["", [...files, "legal", "pages", "posts", "originals.json", "sources.json"]],
    ["legal", ["privacy-policy.md", "terms-conditions.md"]],
  ]);
  for (const place of ["", "legal", "pages", "posts"]) {
    for (const name of listFolder(texts, place)) {
      if (isLeftBehind(name)) continue;
      if (known.get(place)?.includes(name) ?? name.endsWith(".md")) continue;
      const names = known.get(place)?.filter((file) => !file.endsWith(".json"));
      const wanted = names?.join(", ") ?? `${place}, whose names end in .md`;
      const suggestion = findNearest(name, names ?? []);
      const todo = pictureEnding.test(name)
        ? "; pictures go into pictures/"
        : suggestion
          ? `; did you mean ${suggestion}?`
          : "";
      const reason = `does not belong here; this folder can contain ${wanted}${todo}`;
      report(join(content, place, name), "(whole file)", reason);
    }
  }
}

/**
 * Reports markup that a page would show literally or not at all. For campuses older than version
 * 1.14, the reports are only notes.
 * @param find returns the messages about one string
 */
export function reportMarks(
  { file, value, report }: { file: string; value: unknown; report: Report },
  find: (text: string, place: string) => readonly (string | undefined)[],
): void {
  mapStrings(value, (text, place) => {
    for (const reason of find(text, place)) {
      if (reason) report(file, place, reason, { since: "1.14" });
    }
    return text;
  });
}

/**
 * Maps every string in a value. `place` is the path of the string: keys and indexes joined by dots.
 */
export function mapStrings(
  value: unknown,
  change: (text: string, place: string) => string,
  place = "",
): unknown {
  if (typeof value === "string") return change(value, place);
  const within = (key: string | number) => (place === "" ? `${key}` : `${place}.${key}`);
  if (Array.isArray(value)) {
    return value.map((item, index) => mapStrings(item, change, within(index)));
  }
  if (value && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapStrings(item, change, within(key))]),
    );
  }
  return value;
}
