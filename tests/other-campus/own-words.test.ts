import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCampus } from "../../campus/load.ts";
import { readTheme } from "../../vite/theme.ts";
import { buildDir, campus, campusDir, missingPaths, pagePaths, root } from "../harness/campus.ts";
import { type DeletionWalk, walkDeletion } from "../harness/deletion-walk.ts";
import { textOf } from "../harness/html.ts";

/** Another campus than the default one: nothing of that one may shine through. */

const firstDir = join(root, "campus");
const first = loadCampus(firstDir);

/** Every text below a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

const own = JSON.stringify(campus);
const {
  product,
  developer,
  campus: school,
  city,
  country,
  wallet,
  email,
  emergency,
} = first.settings;

/** Names of the first campus, and every sentence of it that does not stand in this one, too. */
const names = [
  product,
  developer,
  school,
  city,
  country,
  wallet,
  email.split("@")[1] ?? "",
  `>${emergency}<`,
]
  .concat(first.settings.currency.sign, "rickshaw", "taka")
  .filter((name) => !own.includes(name));
const sentences = [
  first.landing,
  first.interface,
  first.faq,
  first.deletion,
  first.mail,
  first.dataKinds,
  first.posts.map(({ title, excerpt }) => [title, excerpt]),
]
  .flatMap(textsIn)
  .map((text) => textOf(text))
  .filter(
    (text) => text.length > 8 && /\s/.test(text) && !text.includes("{") && !own.includes(text),
  );

let walk: DeletionWalk;
beforeAll(async () => {
  walk = await walkDeletion();
});
afterAll(() => walk[Symbol.asyncDispose]());

function expectOwn(text: string): void {
  const small = text.toLowerCase();
  expect(names.filter((name) => small.includes(name.toLowerCase()))).toEqual([]);
  expect(sentences.filter((sentence) => text.includes(sentence))).toEqual([]);
}

test("the search knows what to search for", () => {
  expect(campusDir).not.toBe(firstDir);
  expect(names.length).toBeGreaterThan(8);
  expect(sentences.length).toBeGreaterThan(300);
});

const files = [
  "/feed.xml",
  "/llms.txt",
  "/manifest.webmanifest",
  "/sitemap.xml",
  "/.well-known/security.txt",
];

test.each([...pagePaths, ...missingPaths, ...files])(
  "%s has no word of the first campus",
  async (path) => {
    const body = await (await walk.site.ask(path)).text();
    expectOwn(body);
    expectOwn(textOf(body));
  },
);

test("neither has any state of a deletion request", async () => {
  for (const [state, path] of Object.entries(walk.states)) {
    const answer = await walk.site.ask(path);
    const place = answer.headers.get("location");
    const text = textOf(await (place ? await walk.site.ask(place) : answer).text());
    expect(text, state).toContain(campus.settings.product);
    expectOwn(text);
  }
});

test("nor any mail, subject and both bodies", () => {
  expect(walk.mails.length).toBeGreaterThan(5);
  for (const { subject, html } of walk.mails) {
    expectOwn(`${subject} ${html}`);
    expectOwn(textOf(html));
  }
});

describe("the drawings", () => {
  const art = join(buildDir, "client/art");
  const drawn = readdirSync(art, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".svg"),
  );

  test("show this campus's vehicle, services and posts, and no other", () => {
    expect(drawn.length).toBeGreaterThan(20);
    const shown = drawn.map((name) => name.replace(/^.*\//, "").replace(/\..*$/, ""));
    expect(shown.filter((name) => /^hood-|^motif-/.test(name))).toEqual([]);
    expect(shown.filter((name) => name.startsWith("service-")).toSorted()).toEqual(
      campus.landing.services.items.map(({ id }) => `service-${id}`).toSorted(),
    );
    expect(shown.filter((name) => name.startsWith("post-")).length).toBeGreaterThan(0);
  });

  test("have this campus's colours", () => {
    const theme = readTheme(join(campusDir, "theme.css"));
    const others = readTheme(join(firstDir, "theme.css"));
    const colours = new Set(Object.values(theme).flatMap(Object.values));
    const foreign = Object.values(others)
      .flatMap(Object.values)
      .filter((colour) => !colours.has(colour));
    expect(foreign.length).toBeGreaterThan(60);
    for (const name of drawn) {
      const svg = readFileSync(join(art, name), "utf8").toLowerCase();
      expect(
        foreign.filter((colour) => svg.includes(colour)),
        name,
      ).toEqual([]);
    }
  });
});
