import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { readKit } from "./kit.ts";
import { isLeftBehind } from "./left-behind.ts";
import { CampusError, collectMistakes, errorsIn, type Report } from "./mistakes.ts";
import { repairSettings } from "./repair-settings.ts";
import {
  type CampusCalendar,
  type CampusSettings,
  calendarSchema,
  dataListSchema,
  findTakenKey,
  settingsSchema,
} from "./schema.ts";
import { explainUnknown } from "./spelling.ts";
import {
  cutOff,
  findCutOff,
  formatSyntaxError,
  isUtf8,
  lineOfSyntaxError,
  notUtf8,
  parseYaml,
  readTextFile,
} from "./text-files.ts";

/**
 * Parses a campus's data file without validating it. If the file is missing or has a syntax error,
 * reports that and returns undefined.
 */
function readDataFile(folder: string, file: string, report: Report): unknown {
  const path = join(folder, file);
  if (!existsSync(path)) {
    report(file, "(whole file)", `cannot be read; it must stand in ${folder}`);
    return undefined;
  }
  const text = readTextFile(path);
  if (!isUtf8(text)) {
    report(file, "(whole file)", notUtf8);
    return undefined;
  }
  return parseReported(text, file, "whole file", report);
}

/** Parses YAML and reports syntax errors. Returns undefined if there are any. */
export function parseReported(text: string, file: string, part: string, report: Report): unknown {
  try {
    const value = parseYaml(text);
    for (const line of findCutOff(text)) report(file, `(${part})`, cutOff, { line, since: "1.0" });
    return value;
  } catch (error) {
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
  if (errors.length > 0 || !settings || !calendar || !dataList) throw new CampusError(errors);
  return { settings, calendar, dataList };
}

/**
 * Returns the content of the data files, the mistakes in them, and a function that reports mistakes
 * in other files. Replaces invalid settings with valid ones, so that the other files can be checked
 * as well.
 */
export function checkDataFiles(folder: string) {
  const path = join(folder, "campus.yaml");
  const kit = readKit(existsSync(path) ? readTextFile(path) : "");
  const { all, report } = collectMistakes(folder, kit);
  function check<T>(name: "campus" | "calendar" | "deletion", schema: z.ZodType<T>) {
    const file = `${name}.yaml`;
    const value = readDataFile(folder, file, report);
    return { value, data: value === undefined ? undefined : readAs(schema, value, file, report) };
  }
  const { value, data: valid } = check("campus", settingsSchema);
  const own = valid ?? (value === undefined ? undefined : repairSettings(value, contentOf(folder)));
  const { data: calendar } = check("calendar", calendarSchema);
  const { value: list, data: dataList } = check("deletion", dataListSchema);
  const taken = findTakenKey(list);
  if (taken >= 0) {
    const todo = "write holder: this-site if this is what you mean, or give your store another key";
    const sentence = `is the key of this website in the product; ${todo}`;
    report("deletion.yaml", `stores.${taken}.key`, sentence, { since: "1.0" });
  }
  if (own && calendar) checkDeadline(own, calendar, report);
  const settings: CampusSettings | undefined = own && { ...own, backupDays: dataList?.backupDays };
  return { settings, calendar, dataList, kit, all, report };
}

/** Lists the languages that have a folder of texts. */
function contentOf(folder: string): string[] {
  const content = join(folder, "content");
  return existsSync(content) ? readdirSync(content).filter((name) => !isLeftBehind(name)) : [];
}

/** Days within which the law requires an answer to a request: a month (GDPR, article 12(3)). */
const legalMonth = 30;

/** Reports a deletion deadline of more business days than the legal month has. */
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
 * undefined.
 */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, file: string, report: Report) {
  const { data, error } = schema.safeParse(value, { error: namesValidValues });
  for (const { path, message, ...issue } of error?.issues ?? []) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    const messages = keys.length > 1 ? message.split("\n") : [message];
    for (const [index, key] of keys.entries()) {
      const field = [...path, key].filter((part) => part !== undefined).join(".");
      report(file, field || "(whole file)", messages[index] ?? message);
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

/** Adds the list of valid values to a message, unless the schema has a message of its own. */
const namesValidValues: z.core.$ZodErrorMap = (issue) => {
  const unit = { string: " characters", array: " entries" }[String(issue.origin)] ?? "";
  switch (issue.code) {
    case "unrecognized_keys": {
      const { shape = {} } = (issue.inst as Partial<z.ZodObject> | undefined) ?? {};
      return issue.keys.map((key) => explainUnknown(key, Object.keys(shape))).join("\n");
    }
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
