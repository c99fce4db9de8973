import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMessageArguments } from "../server/platform/i18n/texts.ts";
import type { ProductWords } from "../words/keys.d.ts";
import { campusFacts } from "./facts.ts";
import { countSigns, findPlaceholderMistakes, findUnknown } from "./placeholders.ts";
import { explainUnknown } from "./spelling.ts";
import { parseYaml, readTextFile } from "./text-files.ts";

/**
 * Folder of the product's text, with a subfolder for each language and a file for each area. A
 * campus overrides strings by key. English is the fallback for missing translations. The English
 * files define all keys and placeholders, from which `writeWordTypes` generates types.
 */
export const productWords = join(import.meta.dirname, "../words");

export const wordFiles = ["landing", "interface", "deletion", "mail", "operator"] as const;
export type WordFile = (typeof wordFiles)[number];

/**
 * Reads one file of the product's text in a language. Returns `undefined` if the product isn't
 * translated into that language.
 */
export function readProductWords(language: string, name: WordFile): Words | undefined {
  const path = join(productWords, language, `${name}.yaml`);
  return existsSync(path) ? (parseYaml(readTextFile(path)) as Words) : undefined;
}

/** Reads a file of the English text, which defines all keys. */
export function readEnglish<Name extends WordFile>(name: Name): ProductWords[Name] {
  return readProductWords("en", name) as ProductWords[Name];
}

export type Words = { [key: string]: unknown };

export function isGroup(value: unknown): value is Words {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Groups that a campus replaces entirely, because it may omit some of their entries. */
const wholeGroups = new Set(["form.reasons."]);

/**
 * Overrides strings by key and ignores unknown keys. A list replaces the product's list, but fields
 * that are missing from an item come from the product's item with the same id.
 * @param unfit paths of overrides to ignore, because they don't match the product's text. Each path
 * ends with a dot
 */
export function override(
  words: unknown,
  overrides: unknown,
  unfit: string[] = [],
  at = "",
): unknown {
  if (!isGroup(words)) {
    if (unfit.some((place) => place.startsWith(at))) return words;
    if (!Array.isArray(words) || !Array.isArray(overrides)) return overrides ?? words;
    return overrides.map((item) => {
      const same = item?.id && words.find(({ id }) => id === item.id);
      // The product's total applies only to the product's rows, so don't combine it with the
      // campus's rows.
      return same ? { ...same, ...(item.details && { total: undefined }), ...item } : item;
    });
  }
  if (!isGroup(overrides) || unfit.includes(at)) return words;
  const keys = Object.keys(words).filter((key) => key in overrides || !wholeGroups.has(at));
  return Object.fromEntries(
    keys.map((key) => [key, override(words[key], overrides[key], unfit, `${at}${key}.`)]),
  );
}

/**
 * Paths that only a campus defines: the names and pictures of its blog categories, the pictures of
 * its services, and the ways to pay.
 */
const campusOnly =
  /^(?:blog\.(?:categories|pictures)|services\.items\.\d+\.picture|features\.tiles\.\d+\.ways)$/;

export type InvalidOverride = { place: string; reason: string };

/**
 * Paths of text that earlier releases had and this release doesn't, keyed by file.
 * `words/former.yaml` explains them.
 */
const formerPlaces = parseYaml(readTextFile(join(productWords, "former.yaml"))) as {
  [File in WordFile]?: readonly string[];
};

/**
 * Checks whether an earlier release had text at this path. If the path isn't a group today, also
 * accepts former text below the path.
 */
export function isFormerPlace(file: WordFile, place: string): boolean {
  const way = place.split(".");
  const today = way.reduce<unknown>(
    (at, step) => (isGroup(at) ? at[step] : undefined),
    readEnglish(file),
  );
  return (formerPlaces[file] ?? []).some((former) => {
    const steps = former.split(".");
    if (isGroup(today) && steps.length !== way.length) return false;
    return way.every((step, index) => steps[index] === (/^\d+$/.test(step) ? "*" : step));
  });
}

/** Maximum lengths, in characters, of text that has little space on a page. */
const longest: readonly (readonly [file: WordFile, place: RegExp, signs: number])[] = [
  ["landing", /^meta\.description$/, 160],
  ["landing", /^hero\.headline$/, 60],
  ["landing", /^(?:hero|safety|registration(?:\.\w+)?|about)\.\w*[aA]lt$/, 120],
  ["deletion", /^meta\.description$/, 160],
  ["operator", /^desk\.(?:groups|acts)\./, 40],
  ["operator", /^desk\.search\.button$/, 20],
  ["operator", /^frame\.(?:pages\.\w+\.)?title$/, 24],
  ["operator", /^frame\.more$/, 12],
];

/**
 * Finds overrides that don't match the English text: unknown keys, values of another type, different
 * placeholders, and texts or lists that are too long for their place.
 */
export function findInvalidOverrides(
  file: WordFile,
  english: unknown,
  overrides: unknown,
): InvalidOverride[] {
  const found = compare(english, overrides, []);
  for (const [place, text] of listTexts(overrides)) {
    const most = longest.find(([of, at]) => of === file && at.test(place))?.[2];
    if (most !== undefined && countSigns(text) > most)
      found.push({ place, reason: `must be ${most} characters or fewer` });
  }
  if (file !== "deletion" || !isGroup(overrides)) return found;
  const { steps, form } = overrides as { steps?: unknown[]; form?: { reasons?: Words } };
  if (Array.isArray(steps) && steps.length > 6)
    found.push({ place: "steps", reason: "must be six or fewer: the road beside them ends there" });
  if (form?.reasons && form.reasons.other === undefined)
    found.push({ place: "form.reasons", reason: "must have one called other" });
  return found;
}

/**
 * Compares a value with its English counterpart.
 * @param known placeholders that are allowed but not required, because the strings of a list or an
 * email share them
 */
function compare(
  english: unknown,
  overrides: unknown,
  place: readonly string[],
  known?: readonly string[],
): InvalidOverride[] {
  const at = place.join(".") || "(whole file)";
  if (typeof english === "string") {
    return findInText(english, overrides, known).map((reason) => ({ place: at, reason }));
  }
  if (Array.isArray(english)) {
    if (!Array.isArray(overrides)) return [{ place: at, reason: "must be a list" }];
    const shared = known ?? namesIn(english);
    const any = isGroup(english[0]) ? Object.assign({}, ...english) : (english[0] ?? "");
    return overrides.flatMap((item, index) =>
      compare(any, item, [...place, String(index)], shared),
    );
  }
  if (!isGroup(english)) return [];
  if (!isGroup(overrides)) return [{ place: at, reason: "must be a group of fields" }];
  const isMail = Object.hasOwn(english, "subject");
  const shared = namesIn(mailLines.map((line) => english[line]));
  return Object.entries(overrides).flatMap(([key, value]) => {
    const way = [...place, key];
    if (!(key in english)) {
      const reason = explainUnknown(key, Object.keys(english));
      return campusOnly.test(way.join(".")) ? [] : [{ place: way.join("."), reason }];
    }
    const ofMail = mailLines.includes(key) ? shared : namesIn(english[key]);
    return compare(english[key], value, way, known ?? (isMail ? ofMail : undefined));
  });
}

/**
 * Parts of an email that may use all placeholders of the email. Other text may use only the
 * placeholders of its English version.
 */
const mailLines = ["subject", "title", "preview", "before", "by", "after", "late", "moved", "kept"];

function findInText(english: string, text: unknown, known?: readonly string[]): string[] {
  if (typeof text !== "string") return ["must be a text"];
  if (text === "") return ["must not be empty"];
  const wanted = namesIn(english);
  const all = known ?? wanted;
  return all.length === 0
    ? findUnknown(text)
    : findPlaceholderMistakes(text, all, known ? [] : wanted);
}

function namesIn(value: unknown): string[] {
  const names = listTexts(value).flatMap(([, text]) =>
    text.includes("{") ? readMessageArguments(text).map(({ name }) => name) : [],
  );
  return [...new Set(names)];
}

/**
 * Lists all strings in a value with their paths. If a list item has an id, its path contains the id
 * instead of the index.
 */
export function listTexts(value: unknown, place = ""): (readonly [place: string, text: string])[] {
  if (typeof value === "string") return [[place, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const name = Array.isArray(value) ? (item?.id ?? key) : key;
    return listTexts(item, place === "" ? name : `${place}.${name}`);
  });
}

/**
 * Generates `words/keys.d.ts`, which contains the types of all keys and placeholders in the English
 * files. React Router's configuration calls this function so that the types exist before type
 * checks and builds.
 */
export function writeWordTypes(): void {
  const file = join(productWords, "keys.d.ts");
  const groups = wordFiles.map((name) => `  ${name}: ${typeOf(readProductWords("en", name))};`);
  const text = `// Made from words/en by campus-reader/product-words.ts.

type Value = string | number;

export type ProductWords = {
${groups.join("\n")}
};
`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  writeFileSync(file, text);
}

function typeOf(words: unknown): string {
  if (Array.isArray(words)) {
    const kinds = new Set(words.map(typeOf));
    return `readonly (${[...kinds].join(" | ") || "string"})[]`;
  }
  if (isGroup(words)) {
    const fields = Object.entries(words).map(([key, value]) => `"${key}": ${typeOf(value)}`);
    return `{ ${fields.join("; ")} }`;
  }
  if (typeof words !== "string") return typeof words;
  const names = asksFor(words);
  if (names.length === 0) return "string";
  return `Message<{ ${names.map(([name, kind]) => `${name}: ${kind}`).join("; ")} }>`;
}

/**
 * Returns the placeholders that are filled in when a page is rendered. Excludes the campus's facts,
 * because they are filled in earlier.
 */
function asksFor(text: string): [name: string, kind: string][] {
  if (!text.includes("{")) return [];
  return readMessageArguments(text)
    .filter(({ name }) => !campusFacts.includes(name))
    .map(({ name, isNumber }) => [name, isNumber ? "number" : "Value"]);
}
