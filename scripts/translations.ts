import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readCampusData } from "../campus-reader/data-files.ts";
import { readCampus } from "../campus-reader/load.ts";
import { CampusError, formatMistake, notesIn } from "../campus-reader/mistakes.ts";
import { listTexts, wordFiles } from "../campus-reader/product-words.ts";
import { formatSyntaxError, parseYaml, readTextFile } from "../campus-reader/text-files.ts";
import { campusDir } from "./project.mjs";

/**
 * `npm run campus -- translations`: shows how complete the translation of each file is, then a line
 * for each text that needs work. The file `originals.json` in a language's folder records which
 * version of each original (by Git hash) the translation was last compared with. `--accept FILE`
 * records the current version.
 */

type Texts = Map<string, string>;

/**
 * A set of texts with translations: either the campus's own, or the product's, which a campus
 * doesn't have to override.
 */
type Collection = { folder: string; name: string; first: string };

const [option, ...accepted] = process.argv.slice(2);
if (option !== undefined && (option !== "--accept" || accepted.length === 0)) {
  console.error(
    "npm run campus -- translations [--accept FILE ...]   such as bn/faq.yaml, or bn for all of that language",
  );
  process.exit(2);
}

try {
  const { settings } = readCampusData(campusDir);
  const languages = Object.keys(settings.translations);
  const content = join(campusDir, "content");
  const campusTexts = { folder: content, name: "", first: settings.language, languages };
  const product = {
    folder: join(import.meta.dirname, "../words"),
    name: "words/",
    first: "en",
    languages: [settings.language, ...languages].filter((code) => code !== "en"),
  };
  const known = [campusTexts, product].flatMap((texts) =>
    texts.languages.flatMap((language) => [
      `${texts.name}${language}`,
      ...listFiles(join(texts.folder, texts.first)).map(
        (file) => `${texts.name}${language}/${file}`,
      ),
    ]),
  );
  const strange = accepted.find((name) => !known.includes(name));
  if (strange !== undefined) {
    console.error(
      `${strange} is not a text of this campus in another language, such as bn/faq.yaml.`,
    );
    process.exit(2);
  }
  if (languages.length === 0) console.log(`${campusDir} has one language, ${settings.language}.`);
  for (const note of notesIn(readCampus(campusDir).mistakes))
    console.log(formatMistake(note).replace("campus/content/", "  "));
  for (const texts of [campusTexts, product]) {
    for (const language of texts.languages) printStatus(texts, language);
  }
} catch (error) {
  if (!(error instanceof CampusError)) throw error;
  console.error(error.seenIn(campusDir));
  process.exit(1);
}

function printStatus(collection: Collection, code: string): void {
  const { folder, name, first } = collection;
  const languageFolder = join(folder, code);
  const language = `${name}${code}`;
  const record = join(languageFolder, "originals.json");
  const compared: Record<string, string> = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : {};
  const originals = listFiles(join(folder, first));
  for (const file of originals) {
    if (accepted.includes(language) || accepted.includes(`${language}/${file}`)) {
      const original = readTextFile(join(folder, first, file));
      if (existsSync(join(languageFolder, file))) compared[file] = blobId(original);
    }
    for (const line of compareFile(collection, code, file, compared[file])) console.log(line);
  }
  for (const file of existsSync(languageFolder) ? listFiles(languageFolder) : []) {
    if (originals.includes(file) || isProducts(file)) continue;
    console.log(
      `  ${language}/${file}: (whole file): translates no file in ${first}; check its name`,
    );
  }
  const isAccepted = accepted.some((path) => path === language || path.startsWith(`${language}/`));
  if (isAccepted) writeFileSync(record, `${JSON.stringify(compared, undefined, 2)}\n`);
}

/**
 * Compares a file with its original. Returns the file's progress, and a line for each text that
 * needs work.
 * @param comparedId Git hash of the original that the translation was last compared with
 */
function compareFile(
  { folder, name, first }: Collection,
  code: string,
  file: string,
  comparedId: string | undefined,
): string[] {
  const target = `${name}${code}/${file}`;
  const original = `${name}${first}/${file}`;
  const path = join(folder, first, file);
  const originals = readTexts(path);
  const say = (key: string, todo: string) => `  ${target}: ${key}: ${todo}`;
  const progress = (done: number) => {
    const share = Math.floor((100 * done) / Math.max(1, originals.size));
    return `${target}: ${done} of ${originals.size} (${share} %)`;
  };
  if (!existsSync(join(folder, code, file))) {
    const todo = isProducts(file)
      ? `begin with a copy of ${original}`
      : `until it is there, ${original} is shown, marked so`;
    return [progress(0), say("(whole file)", `is missing; ${todo}`)];
  }
  const texts = readTexts(join(folder, code, file));
  const [translated, missing] = [true, false].map((isThere) =>
    [...originals.keys()].filter((key) => texts.has(key) === isThere),
  ) as [string[], string[]];
  const surplus = isProducts(file) ? [] : [...texts.keys()].filter((key) => !originals.has(key));
  const changed = findChanged(path, comparedId);
  const outdated = changed ? translated.filter((key) => changed.includes(key)) : translated;
  const compare = `compare both, then say --accept ${target}`;
  const why = comparedId ? `has changed in ${original} since` : "was not compared yet";
  const open = changed ? outdated : ["(whole file)"];
  return [
    progress(translated.length - outdated.length),
    ...missing.map((key) => say(key, `is missing; translate that of ${original}`)),
    ...open.map((key) => say(key, `${why}; ${compare}`)),
    ...surplus.map((key) => say(key, `is not in ${original}; remove it, or check its spelling`)),
  ];
}

/** Computes the Git blob hash of a file with this content. */
function blobId(text: string): string {
  return hash("sha1", `blob ${Buffer.byteLength(text)}\0${text}`);
}

/**
 * Finds texts in a file that have changed since an earlier version. Returns `undefined` if Git
 * doesn't have that version, for example in a download without history.
 */
function findChanged(path: string, earlierId: string | undefined): string[] | undefined {
  if (earlierId === undefined) return undefined;
  if (blobId(readTextFile(path)) === earlierId) return [];
  const git = spawnSync("git", ["-C", dirname(path), "cat-file", "blob", earlierId], {
    encoding: "utf8",
  });
  if (git.status !== 0) return undefined;
  const before = readTexts(path, git.stdout);
  return [...readTexts(path)].filter(([key, text]) => before.get(key) !== text).map(([key]) => key);
}

/**
 * Checks whether a file overrides product text. A campus may have such a file in only one language.
 */
function isProducts(file: string): boolean {
  return wordFiles.some((name) => file === `${name}.yaml`);
}

/**
 * Reads a file's texts, keyed by location. A YAML file has a text for each value. A Markdown file
 * has texts for its front matter and each section.
 */
function readTexts(path: string, source = readTextFile(path)): Texts {
  const file = `campus/${relative(campusDir, path).replaceAll("\\", "/")}`;
  const parseText = (text: string, part: string) => {
    try {
      return parseYaml(text) as Record<string, unknown> | undefined;
    } catch (error) {
      throw new CampusError(`${file}: (${part}): ${formatSyntaxError(error as Error)}`);
    }
  };
  if (path.endsWith(".yaml")) return new Map(listTexts(parseText(source, "whole file")));
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const { title, label, description, excerpt, standfirst, imageAlt } =
    parseText(front, "front matter") ?? {};
  const texts: Texts = new Map(
    listTexts({ title, label, description, excerpt, standfirst, imageAlt }),
  );
  // Section titles are translated, so match sections by their order.
  const sections = path.includes("legal") ? body.split(/\n## /) : [body];
  for (const [index, text] of sections.entries()) {
    if (text.trim() !== "-") texts.set(index === 0 ? "text" : `section ${index}`, text.trim());
  }
  return texts;
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) {
    const name = relative(campusDir, folder).replaceAll("\\", "/");
    throw new CampusError(`campus/${name}: (whole folder): is missing; it must contain the texts`);
  }
  return globSync("**/*.{yaml,md}", { cwd: folder })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}
