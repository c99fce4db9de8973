import { describe, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
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
