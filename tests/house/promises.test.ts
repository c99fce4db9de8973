import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadCampus } from "../../campus-reader/load.ts";
import { root } from "../harness/campus.ts";
import { listAnchors } from "../harness/headings.ts";
import { textOf } from "../harness/html.ts";

// Checks docs/promises.yaml. Each promise must appear in every language, and code or a documented
// routine must keep it.

type Promised = {
  promise: string;
  said: string[];
  kept: string[];
  /** Sources of the numbers that the text states literally, keyed by number. */
  numbers?: Record<string, string>;
};

const read = (path: string) => readFileSync(join(root, path), "utf8");
const register: Promised[] = parse(read("docs/promises.yaml"));

const legalFolders = [
  "campus/content/en",
  "campus/content/bn",
  "campus-examples/kaltensee/content/de",
  "scripts/new-campus/content/en",
];

const campuses = { campus: "campus/content", kaltensee: "campus-examples/kaltensee/content" };

const textAt = (path: string, keys: readonly string[]) =>
  keys.reduce<unknown>((value, key) => Object(value)[key], parse(read(path)));

/** Reads the texts at a location, each with its path. */
function textsOf(place: string): [where: string, text: string | undefined][] {
  const [, campus = "", within] = /^(campus|kaltensee)\/(.+)$/.exec(place) ?? [];
  if (within !== undefined) return textsOfCampus(campuses[campus as keyof typeof campuses], within);
  const [document = "", section] = place.split("#");
  if (document.startsWith("docs/")) {
    return [[place, isKept(place) ? read(document) : undefined]];
  }
  if (section !== undefined) {
    return legalFolders.map((folder) => {
      const path = `${folder}/legal/${document}.md`;
      return [`${path}#${section}`, read(path).split(/^## /m)[Number(section)]];
    });
  }
  const [file, ...keys] = place.split(".");
  return ["en", "bn", "de", "ar"].map((language) => {
    const path = `words/${language}/${file}.yaml`;
    const text = textAt(path, keys);
    return [`${path}: ${keys.join(".")}`, typeof text === "string" ? text : undefined];
  });
}

/**
 * Reads one text of a campus in all languages.
 * @param within which text: a post, such as `posts/19`, or a file's name and keys
 */
function textsOfCampus(folder: string, within: string): [string, string | undefined][] {
  return readdirSync(join(root, folder)).map((language) => {
    const [, post] = /^posts\/(\d+)$/.exec(within) ?? [];
    if (post !== undefined) {
      const path = `${folder}/${language}/posts`;
      const name = readdirSync(join(root, path)).find((candidate) =>
        candidate.startsWith(`${post}-`),
      );
      return [`${path}/${post}`, name && read(`${path}/${name}`)];
    }
    const [file, ...keys] = within.split(".");
    const path = `${folder}/${language}/${file}.yaml`;
    const text = textAt(path, keys);
    return [`${path}: ${keys.join(".")}`, typeof text === "string" ? text : undefined];
  });
}

/**
 * Checks whether numbers at this location are promises. In posts they describe single rides, and in
 * documents they can mean anything.
 */
const hasPromisedNumbers = (place: string) => !/^docs\/|\/posts\//.test(place);

/** Finds numbers in any language's digits. Skips placeholders, links and list numbering. */
function numbersIn(text: string): string[] {
  const plain = text
    .replace(/\{[^{}]*\}|\]\([^)]*\)/g, " ")
    .replace(/^\s*(?:>\s*)?\p{Nd}+[.)]\s/gmu, "");
  const all = plain.match(/(?<![\p{L}\p{Nd}./])\p{Nd}+(?:[.,:/]\p{Nd}+)*/gu) ?? [];
  return all.map((digits) =>
    digits.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6)),
  );
}

function isKept(keeper: string): boolean {
  const [path = "", name] = keeper.split("#");
  if (!existsSync(join(root, path))) return false;
  if (name === undefined) return true;
  const source = read(path);
  if (path.endsWith(".md")) return listAnchors(source).includes(name);
  return new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const) ${name}\\b`, "m").test(source);
}

describe.each(register)("$promise", ({ said, kept, numbers = {} }) => {
  test("the promise appears in every language", () => {
    const missing = said.flatMap(textsOf).filter(([, text]) => text === undefined);
    expect(missing).toEqual([]);
  });

  test("existing code or a documented routine keeps the promise", () => {
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((keeper) => !isKept(keeper))).toEqual([]);
  });

  test("every number in the promise has a source", () => {
    const sources = register
      .filter((other) => other.said.some((place) => said.includes(place)))
      .flatMap((other) => Object.keys(other.numbers ?? {}));
    const unsourced = said
      .filter(hasPromisedNumbers)
      .flatMap(textsOf)
      .flatMap(([where, text = ""]) =>
        numbersIn(text)
          .filter((number) => !sources.includes(number) && !(number in numbers))
          .map((number) => `${where}: ${number}`),
      );
    expect(unsourced).toEqual([]);
  });
});

test.each([
  ["We answer within 48 hours.", ["48"]],
  ["{linkHours} hours, Act 2018, call 999", ["2018", "999"]],
  ["up to 6 km, {currency}45, seat no. 3", ["6", "45", "3"]],
  ["between 7:30 and 10", ["7:30", "10"]],
  ["1. Write to [us](/terms#section-8)", []],
  ["৪৮ ঘণ্টা পর", ["48"]],
  ["innerhalb von **14 Tagen**", ["14"]],
])("the number search finds every number in %j", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});

describe.each(Object.entries(campuses))("ride figures in %s", (_, folder) => {
  const campusFile = folder.replace("/content", "/campus.yaml");
  const settings = parse(read(campusFile));
  const loaded = [settings, ...Object.values((settings.translations as object) ?? {})];
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|yaml)$/.test(name))
    .map((name) => [name, read(`${folder}/${name}`)] as const);

  test("ride figures appear only in campus.yaml", () => {
    const pairs = loaded.flatMap(({ hours }: { hours: Record<string, string> }) => [
      [hours.from, hours.until],
      [hours.cheaperFrom, hours.cheaperUntil],
    ]);
    const reach = `(?:${settings.ride.reachKm}|${settings.ride.reachKm.toLocaleString("bn")})`;
    const repeated = [
      ...pairs.flatMap(([from, until]) => (from && until ? [`${from}.{1,12}${until}`] : [])),
      `(?<!\\p{Nd})${reach} ?(?:km|কিমি|kilomet|কিলোমিটার|Kilometer)`,
    ].map((text) => new RegExp(text.replaceAll(" ", "(?: |\u00a0|&nbsp;)"), "u"));
    const found = files.flatMap(([name, text]) =>
      repeated.flatMap((pattern) =>
        pattern.exec(text) ? [`${name}: ${pattern.exec(text)?.[0]}`] : [],
      ),
    );
    expect(found).toEqual([]);
  });
});

test("Kaltensee's imprint names the provider, board, register and contacts", () => {
  const { settings, pages } = loadCampus(join(root, "campus-examples/kaltensee"));
  const page = pages.find(({ name }) => settings.imprint === `/${name}`);
  const inOneLine = (text: string) => text.replaceAll(/\s|&nbsp;/g, " ");
  const imprint = inOneLine(textOf(page?.html ?? ""));
  const { person, address, registration } = settings.legal;
  for (const named of [person, address, registration, settings.email, "Vorstand", "Telefon"]) {
    expect(imprint).toContain(inOneLine(named));
  }
});
