import { hash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  CampusError,
  parseYaml,
  readCampusData,
  readTextFile,
  tellSyntax,
} from "../campus-reader/data-files.ts";
import { listTexts, wordFiles } from "../campus-reader/product-words.ts";
import { findFormerWords } from "../campus-reader/words.ts";
import { campusDir } from "./project.mjs";

/**
 * `npm run campus -- translations`: how far each language is behind the campus's first. Beside its texts a language keeps
 * `sources.json`, the hash of the original that each of its texts was made from; `--accept FILE` enters those of a file
 * that somebody has compared. Each line below a file's progress names a text and says what to do with it.
 */

type Texts = Map<string, string>;

const digest = (text: string) => hash("sha256", text, "base64url").slice(0, 8);

/** Texts of which some translate others: the campus's own, and the product's, which a campus need not touch. */
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
  const own = { folder: content, name: "", first: settings.language, languages };
  const product = {
    folder: join(import.meta.dirname, "../words"),
    name: "words/",
    first: "en",
    languages: [settings.language, ...languages].filter((one) => one !== "en"),
  };
  const known = [own, product].flatMap((texts) =>
    texts.languages.flatMap((one) => [
      `${texts.name}${one}`,
      ...listFiles(join(texts.folder, texts.first)).map((file) => `${texts.name}${one}/${file}`),
    ]),
  );
  const strange = accepted.find((name) => !known.includes(name));
  if (strange !== undefined) {
    console.error(`${strange} is no text of this campus in another language, such as bn/faq.yaml.`);
    process.exit(2);
  }
  if (languages.length === 0) console.log(`${campusDir} has one language, ${settings.language}.`);
  for (const line of findFormerWords(campusDir, settings))
    console.log(line.replace("campus/content/", "  "));
  for (const texts of [own, product]) {
    for (const language of texts.languages) tell(texts, language);
  }
} catch (error) {
  if (!(error instanceof CampusError)) throw error;
  console.error(error.seenIn(campusDir));
  process.exit(1);
}

function tell({ folder: content, name, first }: Collection, code: string): void {
  const own = join(content, code);
  const language = `${name}${code}`;
  const record = join(own, "sources.json");
  const sources: Record<string, Record<string, string>> = existsSync(record)
    ? JSON.parse(readFileSync(record, "utf8"))
    : {};
  for (const file of listFiles(join(content, first))) {
    const originals = readTexts(join(content, first, file));
    const isThere = existsSync(join(own, file));
    const texts: Texts = isThere ? readTexts(join(own, file)) : new Map();
    if (accepted.some((name) => name === language || name === `${language}/${file}`)) {
      const kept = [...originals].filter(([key]) => texts.has(key));
      sources[file] = Object.fromEntries(kept.map(([key, text]) => [key, digest(text)]));
    }
    const known = sources[file] ?? {};
    const missing = [...originals.keys()].filter((key) => !texts.has(key));
    const changed = [...originals].filter(
      ([key, text]) => texts.has(key) && known[key] !== digest(text),
    );
    const done = originals.size - missing.length - changed.length;
    const share = Math.floor((100 * done) / Math.max(1, originals.size));
    console.log(`${language}/${file}: ${done} of ${originals.size} (${share} %)`);
    const say = (key: string, todo: string) =>
      console.log(`  ${language}/${file}: ${key}: ${todo}`);
    const source = `${name}${first}/${file}`;
    const compared = `compare both, then say --accept ${language}/${file}`;
    if (!isThere) {
      const todo = isProducts(file)
        ? `begin with a copy of ${source}`
        : `until it is there, ${source} is shown, marked so`;
      say("(whole file)", `is missing; ${todo}`);
      continue;
    }
    for (const key of missing) say(key, `is missing; translate that of ${source}`);
    const isNew = !changed.some(([key]) => known[key]);
    if (isNew && changed.length > 1) say("(whole file)", `was not compared yet; ${compared}`);
    for (const [key] of isNew && changed.length > 1 ? [] : changed) {
      const why = known[key] ? `has changed in ${source} since` : "was not compared yet";
      say(key, `${why}; ${compared}`);
    }
    for (const key of texts.keys()) {
      if (!originals.has(key) && !isProducts(file))
        say(key, `is not in ${source}; take it out, or see how it is spelt`);
    }
  }
  const originals = listFiles(join(content, first));
  for (const file of existsSync(own) ? listFiles(own) : []) {
    if (originals.includes(file) || isProducts(file)) continue;
    console.log(
      `  ${language}/${file}: (whole file): translates no file in ${first}; see its name`,
    );
  }
  const isAccepted = accepted.some((one) => one === language || one.startsWith(`${language}/`));
  if (isAccepted) writeFileSync(record, `${JSON.stringify(sources, undefined, 2)}\n`);
}

/** Whether a campus says in it what it says in place of the product's words: in one language without the others, if it likes. */
function isProducts(file: string): boolean {
  return wordFiles.some((name) => file === `${name}.yaml`);
}

/** The texts of a file by their place in it: each value, or the front matter and each section. */
function readTexts(path: string): Texts {
  const source = readTextFile(path);
  const file = `campus/${relative(campusDir, path).replaceAll("\\", "/")}`;
  const parseText = (text: string, part: string) => {
    try {
      return parseYaml(text) as Record<string, unknown> | undefined;
    } catch (error) {
      throw new CampusError(`${file}: (${part}): ${tellSyntax(error as Error)}`);
    }
  };
  if (path.endsWith(".yaml")) return new Map(listTexts(parseText(source, "whole file")));
  const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const { title, description, excerpt, imageAlt } = parseText(front, "front matter") ?? {};
  const texts: Texts = new Map(listTexts({ title, description, excerpt, imageAlt }));
  // Sections have other titles in another language: their order tells which is which.
  const sections = path.includes("legal") ? body.split(/\n## /) : [body];
  for (const [index, text] of sections.entries()) {
    if (text.trim() !== "-") texts.set(index === 0 ? "text" : `section ${index}`, text.trim());
  }
  return texts;
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) {
    const name = relative(campusDir, folder).replaceAll("\\", "/");
    throw new CampusError(`campus/${name}: (whole folder): is missing; it must hold the texts`);
  }
  return globSync("**/*.{yaml,md}", { cwd: folder })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}
