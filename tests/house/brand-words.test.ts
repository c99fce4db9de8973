import { expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { readSources } from "../harness/sources.ts";

const { settings } = campus;
const hostOf = (address: string) => (address ? new URL(address).hostname : "");

/** Words that belong to this campus and to nobody else's code. */
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

// What a new campus begins with is a campus.
const sources = readSources("app", "server", "vite", "scripts").filter(
  ({ path }) => !path.startsWith("scripts/new-campus/"),
);

test("the check reads the code", () => {
  expect(sources.length).toBeGreaterThan(80);
});

test.each(words)('"%s" stands in campus/ only', (word) => {
  const places = sources.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, index) =>
        line.toLowerCase().includes(word.toLowerCase()) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(places).toEqual([]);
});
