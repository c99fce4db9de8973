import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCampus } from "../../campus-reader/load.ts";
import { listTexts } from "../../campus-reader/product-words.ts";
import { campus, root } from "../harness/campus.ts";
import { readSources, type Source } from "../harness/sources.ts";

/** Each of these words, as it is written, where it stands: with file and line. */
function placesOf(words: readonly string[], sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        words.filter((word) => line.includes(word)).map((word) => `${path}:${index + 1}: ${word}`),
      ),
  );
}

// What a new campus begins with is a campus.
const readCode = (...folders: string[]) =>
  readSources(...folders).filter(({ path }) => !path.startsWith("scripts/new-campus/"));

describe("words that belong to this campus and to nobody else's code", () => {
  const { settings } = campus;
  const hostOf = (address: string) => (address ? new URL(address).hostname : "");
  const words = [
    settings.product,
    settings.developer,
    settings.tagline,
    settings.campus,
    settings.city,
    settings.wallet,
    settings.email,
    settings.email.split("@")[1] ?? "",
    ...settings.stores.map(({ name }) => name),
    hostOf(settings.links.download),
    ...[...settings.social, ...settings.stores].map(({ url }) => hostOf(url)),
  ].filter(Boolean);
  const sources = readCode("app", "server", "vite", "scripts").map(({ path, text }) => ({
    path,
    text: text.toLowerCase(),
  }));

  test("the check reads the code", () => {
    expect(sources.length).toBeGreaterThan(80);
  });

  test.each(words)('"%s" stands in campus/ only', (word) => {
    expect(placesOf([word.toLowerCase()], sources)).toEqual([]);
  });
});

// Tests read the campus that they are given. What the specification fixes of the first one is tested in
// tests/default-campus, and a few unit tests read its mails; elsewhere its words stand in no test, so that whoever changes
// them breaks none.
describe("words of the first campus", () => {
  const { settings, posts, landing, ...words } = loadCampus(join(root, "campus"));
  const { interface: frame, faq, deletion, mail, operator } = words;

  /** Who the campus is, and what its addresses name. */
  const names = [
    settings.product,
    settings.campus,
    settings.city,
    settings.country,
    settings.wallet,
    settings.currency.sign,
    settings.email.split("@")[1] ?? "",
    ...settings.categories.map((category) => `"${category}"`),
    ...settings.categories.map((category) => `category=${encodeURIComponent(category)}`),
    ...landing.services.items.map(({ title }) => title),
    ...posts.flatMap(({ id, title, file }) => [
      title,
      `/blog/${id}"`,
      `/blog/${id}\``,
      file.replace(/^.*\//, ""),
    ]),
  ];

  /** Its sentences: what stands between the places that are filled in, from so many letters on. */
  const leastLetters = 12;
  const sentences = listTexts([landing, frame, faq, deletion, mail, operator])
    .flatMap(([, text]) => text.split(/\{+[^{}]*\}+|<[^>]*>|[\n{}]+/))
    .map((text) => text.trim())
    // How a message counts is no sentence.
    .filter((text) => text.length >= leastLetters && /\s/.test(text) && !/^\w+, plural/.test(text));

  /** The commands speak for themselves; what a campus happens to say in the same words is theirs. */
  const commands = readCode("server/command-line", "server/mail", "scripts", "server/outbox")
    .map(({ text }) => text)
    .join("\n");
  const isOurs = (text: string) => commands.includes(text) || text in mail.deliveryProblems;
  const wanted = [...new Set([...names, ...sentences.filter((text) => !isOurs(text))])];

  /** Tests that read mails in these words. */
  const allowed =
    /^tests\/default-campus\/|\/(?:telling\/mail-writer|keeping\/promised-dates|asking\/submitting)\.test\.ts$/;
  const folders = "{app,campus-reader,scripts,server,tests,vite}";
  const tests = globSync([`${folders}/**/*.{test,spec,fixture}.{ts,tsx}`, "tests/**/*.ts"], {
    cwd: root,
  })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((path) => !allowed.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

  test("the search knows where to look and what for", () => {
    expect(tests.length).toBeGreaterThan(150);
    expect(wanted.length).toBeGreaterThan(800);
  });

  test("stand in no test, but for comments", () => {
    const withoutComments = tests.map(({ path, text }) => ({
      path,
      text: text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, ""),
    }));
    expect(placesOf(wanted, withoutComments)).toEqual([]);
  });
});
