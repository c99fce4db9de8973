import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../harness/campus.ts";

// docs/promises.yaml: each promise is said in every language, and something keeps it.

type Promised = {
  promise: string;
  said: string[];
  kept: string[];
  /** Numbers written by hand, each with its source. */
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

/** The texts that a place names, by where each of them is. */
function textsOf(place: string): [where: string, text: string | undefined][] {
  const [document, section] = place.split("#");
  if (section !== undefined) {
    return legalFolders.map((folder) => {
      const path = `${folder}/legal/${document}.md`;
      return [`${path}#${section}`, read(path).split(/^## /m)[Number(section)]];
    });
  }
  const [file, ...keys] = place.split(".");
  return ["en", "bn", "de"].map((language) => {
    const path = `words/${language}/${file}.yaml`;
    const text = keys.reduce((value, key) => Object(value)[key], parse(read(path)) as unknown);
    return [`${path}: ${keys.join(".")}`, typeof text === "string" ? text : undefined];
  });
}

const units =
  /hour|day|month|minute|week|email|Stunde|Tag|Monat|Minute|Woche|Mail|ঘণ্টা|দিন|মাস|মিনিট|সপ্তাহ|মেইল/;

/** Numbers of a promise: what stands before a unit, in the digits of any language; placeholders hold none. */
function numbersIn(text: string): string[] {
  const plain = text.replace(/\{[^{}]*\}|\]\([^)]*\)/g, "x");
  const all = plain.matchAll(
    /(?<![\p{L}\p{Nd}./])(\p{Nd}+)(?=([\s\u00a0-]\*{0,2})(\p{L}[\p{L}\p{M}]*))/gu,
  );
  return [...all].flatMap(([, digits = "", , unit = ""]) =>
    units.test(unit) ? [digits.replace(/[০-৯]/g, (one) => String(one.charCodeAt(0) - 0x09e6))] : [],
  );
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd} -]/gu, "")
    .replaceAll(" ", "-");

function isKept(keeper: string): boolean {
  const [path = "", name] = keeper.split("#");
  if (!existsSync(join(root, path))) return false;
  if (name === undefined) return true;
  const source = read(path);
  if (path.endsWith(".md"))
    return [...source.matchAll(/^#+ (.*)$/gm)].some(([, heading = ""]) => slugOf(heading) === name);
  return new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const) ${name}\\b`, "m").test(source);
}

describe.each(register)("$promise", ({ said, kept, numbers = {} }) => {
  test("is said in every language", () => {
    const missing = said.flatMap(textsOf).filter(([, text]) => text === undefined);
    expect(missing).toEqual([]);
  });

  test("is kept by code that exists, or by a routine in the documents", () => {
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.filter((keeper) => !isKept(keeper))).toEqual([]);
  });

  test("has no number without a source", () => {
    const sources = register
      .filter((other) => other.said.some((place) => said.includes(place)))
      .flatMap((other) => Object.keys(other.numbers ?? {}));
    const unsourced = said.flatMap(textsOf).flatMap(([where, text = ""]) =>
      numbersIn(text)
        .filter((number) => !sources.includes(number) && !(number in numbers))
        .map((number) => `${where}: ${number}`),
    );
    expect(unsourced).toEqual([]);
  });
});

test.each([
  ["We answer within 48 hours.", ["48"]],
  ["{linkHours} hours, Act 2018, 999", []],
  ["৪৮ ঘণ্টা পর", ["48"]],
  ["innerhalb von **14 Tagen**", ["14"]],
])("finds the numbers of a promise in %j", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});
