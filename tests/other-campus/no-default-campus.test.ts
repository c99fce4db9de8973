import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Motifs } from "../../campus-reader/choices.ts";
import { loadCampus } from "../../campus-reader/load.ts";
import { listTexts } from "../../campus-reader/product-words.ts";
import { readDrawing } from "../../vite/drawings.ts";
import { slotsFor } from "../../vite/picture-slots.ts";
import { readTheme } from "../../vite/theme.ts";
import {
  buildDir,
  campus,
  campusDir,
  hasSection,
  missingPaths,
  pagePaths,
  root,
} from "../harness/campus.ts";
import { openDeletionScenario } from "../harness/deletion-scenario.ts";
import { textOf } from "../harness/html.ts";

/** Checks that another campus shows no text or drawing of the default campus. */

const firstDir = join(root, "campus");
const first = loadCampus(firstDir);

/** Draws all pictures of a campus in a set of motifs. */
const draw = ({ settings, landing, posts }: typeof first, motifs: Motifs) =>
  slotsFor({
    motifs,
    heroVehicle: settings.heroVehicle,
    cash: settings.cash,
    services: landing.services.items,
    posts: posts.map(({ picture }) => picture),
  }).map(({ art }) => readDrawing(motifs, art));

/**
 * Returns a drawing's distinctive paths. Short paths are excluded, because any drawing may contain
 * them.
 */
const linesOf = (svg: string) => [...svg.matchAll(/ d="([^"]{25,})"/g)].map(([, line]) => line);
const firstLines = new Set(draw(campus, campus.settings.motifs).flatMap(linesOf));
const foreign = new Set(
  [...draw(first, first.settings.motifs), ...draw(campus, first.settings.motifs)]
    .flatMap(linesOf)
    .filter((line) => !firstLines.has(line)),
);

/** The default campus's names and sentences, except those that this campus also uses. */
const ownText = JSON.stringify(campus);
const { settings } = first;
const names = [
  ...[settings.product, settings.developer, settings.campus, settings.city, settings.country],
  ...[settings.wallet, settings.email.split("@")[1] ?? "", `>${settings.emergency}<`],
  ...[settings.currency.sign, "rickshaw", "taka"],
].filter((name) => !ownText.includes(name));
const sentences = listTexts([
  ...[first.landing, first.interface, first.faq, first.deletion, first.mail, first.dataKinds],
  first.posts.map(({ title, excerpt }) => [title, excerpt]),
])
  .map(([, text]) => textOf(text))
  .filter(
    (text) => text.length > 8 && /\s/.test(text) && !text.includes("{") && !ownText.includes(text),
  );

const scenario = await openDeletionScenario();
afterAll(() => scenario[Symbol.asyncDispose]());

const foreignLinesOf = (svg: string) => linesOf(svg).filter((line) => foreign.has(line));

function expectOwn(page: string, name: string): void {
  expect(foreignLinesOf(page), name).toEqual([]);
  // A random token can contain a short name.
  const withoutTokens = page.replaceAll(/[\w-]{20,}/g, "");
  for (const text of [withoutTokens, textOf(withoutTokens)]) {
    const small = text.toLowerCase();
    const found = [
      ...names.filter((candidate) => small.includes(candidate.toLowerCase())),
      ...sentences.filter((sentence) => text.includes(sentence)),
    ];
    expect(found, name).toEqual([]);
  }
}

test("finds enough text and drawings of the default campus to search for", () => {
  expect(campusDir).not.toBe(firstDir);
  expect(names.length).toBeGreaterThan(8);
  expect(sentences.length).toBeGreaterThan(150);
  expect(foreign.size).toBeGreaterThan(200);
});

test.each([
  ...[...pagePaths, ...missingPaths, "/feed.xml", "/llms.txt", "/manifest.webmanifest"],
  ...["/sitemap.xml", "/.well-known/security.txt"],
])("%s contains no text or drawing of the default campus", async (path) =>
  expectOwn(await (await scenario.site.ask(path)).text(), path),
);

test("no request state or email contains text of the default campus", async () => {
  for (const state of scenario.names) {
    const { html } = await scenario.open(state);
    expect(textOf(html), state).toContain(campus.settings.product);
    expectOwn(html, state);
  }
  expect(scenario.received.length).toBeGreaterThan(5);
  for (const { mail } of scenario.received)
    expectOwn(`${mail.subject} ${mail.html}`, `${mail.subject}`);
});

describe("the campus's drawings", () => {
  const art = join(buildDir, "client/art");
  const drawn = readdirSync(art, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".svg"))
    .map((name) => ({
      name: name.replace(/^.*\//, "").replace(/\..*$/, ""),
      svg: readFileSync(join(art, name), "utf8"),
    }));

  const pictures = join(campusDir, "pictures");
  const ownFiles = new Set(
    existsSync(pictures) ? readdirSync(pictures).map((name) => parse(name).name) : [],
  );

  test("show only its own vehicle, services and posts", () => {
    expect(drawn.length).toBeGreaterThan(20);
    const shown = (kind: RegExp) => drawn.map(({ name }) => name).filter((name) => kind.test(name));
    expect(shown(/^(?:hood|motif)-/)).toEqual([]);
    // The campus's picture files keep their names.
    const services = campus.landing.services.items.filter(
      ({ picture }) => !picture || !ownFiles.has(picture),
    );
    expect(shown(/^service-/).toSorted()).toEqual(
      services.map(({ id }) => `service-${id}`).toSorted(),
    );
    expect(shown(/^post-/).length > 0).toBe(hasSection("blog"));
  });

  test("use its colors and no paths of the default campus", () => {
    const coloursIn = (folder: string) =>
      Object.values(readTheme(join(folder, "theme.css"))).flatMap(Object.values<string>);
    const ownColours = new Set(coloursIn(campusDir));
    const otherColours = coloursIn(firstDir).filter((colour) => !ownColours.has(colour));
    expect(otherColours.length).toBeGreaterThan(30);
    for (const { name, svg } of drawn) {
      const painted = otherColours.filter((colour) => svg.toLowerCase().includes(colour));
      expect(painted, name).toEqual([]);
      expect(foreignLinesOf(svg), name).toEqual([]);
    }
  });
});
