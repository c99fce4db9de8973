import { join } from "node:path";
import type { z } from "zod";
import { readKit } from "./kit.ts";
import { CampusError, collectMistakes, errorsIn, type Report } from "./mistakes.ts";
import { countSigns } from "./placeholders.ts";
import { isGroup } from "./product-words.ts";
import { repairSettings } from "./repair-settings.ts";
import {
  type CampusCalendar,
  type CampusSettings,
  calendarSchema,
  dataListSchema,
  findTakenKey,
  settingsSchema,
} from "./schema.ts";
import { explainUnknown, findNearest } from "./spelling.ts";
import {
  conflict,
  curlyQuotes,
  cutOff,
  findConflict,
  findCurlyQuotes,
  findCutOff,
  findLostWords,
  formatSyntaxError,
  isFile,
  isFolder,
  isUtf8,
  lineOfSyntaxError,
  lostWords,
  notAFile,
  notUtf8,
  parseYaml,
  readTextFile,
  salvageYaml,
} from "./text-files.ts";

/**
 * Parses a campus's data file without validating it. If the file is missing or has a syntax error,
 * reports the problem and returns `undefined`.
 */
function readDataFile(folder: string, file: string, report: Report): unknown {
  const path = join(folder, file);
  if (!isFile(path)) {
    const reason = isFolder(path) ? notAFile : `cannot be read; it must be in ${folder}`;
    report(file, "(whole file)", reason);
    return undefined;
  }
  const text = readTextFile(path);
  if (!isUtf8(text)) {
    report(file, "(whole file)", notUtf8);
    return undefined;
  }
  return parseReported(text, file, "whole file", report);
}

/**
 * Parses YAML. Reports syntax errors, and text that YAML cuts off or that keeps its curly quotes.
 * Returns `undefined` only if there is a syntax error.
 */
export function parseReported(text: string, file: string, part: string, report: Report): unknown {
  try {
    const value = parseYaml(text);
    const at = `(${part})`;
    for (const line of findCutOff(text)) report(file, at, cutOff, { line, since: "1.0" });
    for (const line of findCurlyQuotes(text))
      report(file, at, curlyQuotes, { line, since: "1.14" });
    for (const line of findLostWords(text)) report(file, at, lostWords, { line, since: "1.14" });
    return value;
  } catch (error) {
    const conflictLine = findConflict(text);
    if (conflictLine !== undefined) {
      report(file, `(${part})`, conflict, { line: conflictLine });
      return undefined;
    }
    const line = lineOfSyntaxError(error as Error);
    report(file, `(${part})`, formatSyntaxError(error as Error), { line });
    return undefined;
  }
}

/**
 * Reads the data that the server and its commands need without a build: the campus, its calendar
 * and its data list.
 * @throws CampusError with every mistake in these files
 */
export function readCampusData(folder: string) {
  const { settings, calendar, dataList, all } = checkDataFiles(folder);
  const errors = errorsIn(all);
  if (errors.length > 0 || !calendar || !dataList) throw new CampusError(errors);
  return { settings, calendar, dataList };
}

/**
 * Returns the content of the data files, the mistakes in them, and a function that reports mistakes
 * in other files. Replaces invalid settings with valid ones so that the other files can also be
 * checked.
 */
export function checkDataFiles(folder: string) {
  const path = join(folder, "campus.yaml");
  const kit = readKit(isFile(path) ? readTextFile(path) : "");
  const { all, report } = collectMistakes(folder, kit);
  function check<T>(name: "campus" | "calendar" | "deletion", schema: z.ZodType<T>) {
    const file = `${name}.yaml`;
    const value = readDataFile(folder, file, report);
    if (value === null) report(file, "(whole file)", "is empty; it must contain a group of fields");
    const isRead = value !== undefined && value !== null;
    return { value, data: isRead ? readAs(schema, value, file, report) : undefined };
  }
  const { value, data: valid } = check("campus", settingsSchema);
  const { settings: own, doubtful } = valid
    ? { settings: valid, doubtful: [] }
    : repairSettings(value ?? salvageSettings(path, report), folder);
  const { data: calendar } = check("calendar", calendarSchema);
  const { value: list, data: dataList } = check("deletion", dataListSchema);
  const taken = findTakenKey(list);
  if (taken >= 0) {
    const todo = "write holder: this-site if this is what you mean, or give your store another key";
    const sentence = `is the key of this website in the product; ${todo}`;
    report("deletion.yaml", `stores.${taken}.key`, sentence, { since: "1.0" });
  }
  if (calendar && !doubtful.includes("deletionBusinessDays")) checkDeadline(own, calendar, report);
  checkTaglines(own, report);
  const settings: CampusSettings = { ...own, backupDays: dataList?.backupDays };
  return { settings, calendar, dataList, kit, all, report, doubtful };
}

/**
 * Reads and checks the settings on the lines without syntax errors. Doesn't report missing
 * settings, because they may be on the lines with errors.
 */
function salvageSettings(path: string, report: Report): unknown {
  const value = isFile(path) ? salvageYaml(readTextFile(path)) : undefined;
  if (!isGroup(value)) return undefined;
  readAs(settingsSchema, value, "campus.yaml", (file, field, sentence, details) => {
    if (!/^is (?:missing|empty)/.test(sentence)) report(file, field, sentence, details);
  });
  return value;
}

/** Maximum length of a tagline, in characters. Link previews truncate longer taglines. */
const longestTagline = 80;

function checkTaglines(
  { tagline, translations }: Pick<CampusSettings, "tagline" | "translations">,
  report: Report,
): void {
  const all = Object.entries(translations).map(([language, texts]) => [
    `translations.${language}.tagline`,
    texts.tagline,
  ]);
  for (const [field = "", text = ""] of [["tagline", tagline], ...all]) {
    if (countSigns(text) <= longestTagline) continue;
    const sentence = `must be ${longestTagline} characters or fewer, or link previews cut it off`;
    report("campus.yaml", field, sentence, { since: "1.14" });
  }
}

/**
 * The law requires an answer to a request within one month (GDPR, article 12(3)). We count this
 * month as 30 days.
 */
const legalMonth = 30;

/** Reports a deletion deadline that is longer than the legal month. */
function checkDeadline(
  { deletionBusinessDays: { limit } }: Pick<CampusSettings, "deletionBusinessDays">,
  { weekend }: CampusCalendar,
  report: Report,
): void {
  const most = Math.floor((legalMonth * (7 - weekend.length)) / 7);
  if (limit <= most) return;
  const days = Math.ceil((limit * 7) / (7 - weekend.length));
  report(
    "campus.yaml",
    "deletionBusinessDays.limit",
    `is ${limit} business days, about ${days} days; the law gives a month (GDPR, article 12(3)), so write ${most} or fewer`,
    { since: "1.14" },
  );
}

/**
 * Parses a value with a schema. If the value is invalid, reports every mistake and returns
 * `undefined`.
 */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, file: string, report: Report) {
  const { data, error } = schema.safeParse(value, { error: namesValidValues });
  const mistakes = (error?.issues ?? []).flatMap(({ path, message, ...issue }) => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    const messages = keys.length > 1 ? message.split("\n") : [message];
    return keys.map((key, index) => ({
      group: path.slice(0, -1).join("."),
      field: [...path, key].filter((part) => part !== undefined).join("."),
      sentence: messages[index] ?? message,
    }));
  });
  for (const { group, field, sentence } of mistakes) {
    const isMissing = sentence.startsWith("is missing");
    const isCause = (mistake: (typeof mistakes)[number]) =>
      // Two mistakes can make a field appear to be missing: its mistyped key, and a wrong id. With
      // a wrong id, the product's item can't fill in the field.
      mistake.sentence.endsWith(`did you mean ${field.split(".").at(-1)}?`) ||
      (group !== "" && mistake.field === `${group}.id`);
    if (isMissing && mistakes.some((mistake) => mistake.field !== field && isCause(mistake)))
      continue;
    report(file, field || "(whole file)", sentence);
  }
  return data;
}

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number without a unit or quotes, such as 7",
  int: "a whole number",
  boolean: "true or false",
  array: "a list such as [one, two]",
  object: "a group of fields",
  record: "a group of fields",
};

/** Lists the valid values in messages, unless the schema defines its own message. */
const namesValidValues: z.core.$ZodErrorMap = (issue) => {
  const unit = issue.origin === "string" ? " characters" : "";
  switch (issue.code) {
    case "unrecognized_keys": {
      const { shape = {} } = (issue.inst as Partial<z.ZodObject> | undefined) ?? {};
      return issue.keys.map((key) => explainUnknown(key, Object.keys(shape))).join("\n");
    }
    case "invalid_value": {
      const choices = issue.values.map(String);
      const wanted = `must be one of ${choices.join(", ")}`;
      if (issue.input === undefined || issue.input === null) return `is missing; it ${wanted}`;
      const suggestion = findNearest(String(issue.input), choices);
      return suggestion === undefined ? wanted : `${wanted}; did you mean ${suggestion}?`;
    }
    case "invalid_type": {
      const wanted = kinds[issue.expected] ?? issue.expected;
      if (issue.input === undefined) return `is missing; it must be ${wanted}`;
      if (issue.input === null) return `is empty; it must be ${wanted}`;
      const isBare = ["number", "boolean"].includes(typeof issue.input);
      return issue.expected === "string" && isBare
        ? `must be a text; put it in quotes, such as "${issue.input}"`
        : `must be ${wanted}`;
    }
    case "too_small":
      return issue.origin === "array"
        ? `must have at least ${issue.minimum} ${issue.minimum === 1 ? "entry" : "entries"}`
        : `must be at least ${issue.minimum}${unit}`;
    case "too_big":
      return issue.origin === "array"
        ? `must have at most ${issue.maximum} entries`
        : `must be at most ${issue.maximum}${unit}`;
    default:
      return undefined;
  }
};
