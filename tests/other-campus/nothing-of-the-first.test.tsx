import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, describe, expect, test } from "vitest";
import { DrawnWith } from "../../app/art/drawn-with.ts";
import { Head } from "../../app/art/heads.tsx";
import { looks } from "../../app/art/looks.ts";
import type { Motifs } from "../../app/art/motifs.ts";
import { FlatRickshawWheel } from "../../app/art/notice-pictures.tsx";
import { CampusGate, Tiffin } from "../../app/art/objects.tsx";
import { Decal, Flower, Fringe, Lotus, Sun } from "../../app/art/ornaments.tsx";
import { type PictureWishes, picturesFor } from "../../app/art/pictures.tsx";
import { Hall, Krishnachura, RainTree } from "../../app/art/scenery.tsx";
import { Cash } from "../../app/art/tile-pictures.tsx";
import { Rickshaw } from "../../app/art/vehicles.tsx";
import { loadCampus } from "../../campus-reader/load.ts";
import { readTheme } from "../../vite/theme.ts";
import { buildDir, campus, campusDir, missingPaths, pagePaths, root } from "../harness/campus.ts";
import { walkDeletion } from "../harness/deletion-walk.ts";
import { textOf } from "../harness/html.ts";

/** Another campus than the default one: nothing of that one may be read or seen on it, no word, ornament, tree, hall or dress. */

const wishes: Omit<PictureWishes, "motifs"> = {
  heroVehicle: campus.settings.heroVehicle,
  cash: campus.settings.cash,
  services: campus.landing.services.items,
  posts: campus.posts.map(({ picture }) => picture),
  stores: [],
};

const markup = (drawing: ReactElement, motifs: Motifs) =>
  renderToStaticMarkup(<DrawnWith value={motifs}>{drawing}</DrawnWith>);
const draw = (motifs: Motifs) =>
  new Map(
    picturesFor({ ...wishes, motifs }).map(({ name, draw: picture }) => [
      name,
      renderToStaticMarkup(picture()),
    ]),
  );
const own = draw(campus.settings.motifs);
const asTheFirst = draw("delta");

/** The lines of a drawing that say what it is: a short one may be anybody's. */
const linesOf = (svg: string) =>
  [...svg.matchAll(/ d="([^"]{25,})"/g)].map((match) => match[1] as string);

/** The first campus's motifs, each as it is drawn there. */
const motifs: Record<string, ReactElement> = {
  lotus: <Lotus />,
  "rain tree": <RainTree x={0} y={0} />,
  "flame tree": <Krishnachura x={0} y={0} />,
  "arcaded hall": <Hall x={0} y={0} />,
  "pointed gate": <CampusGate x={0} y={0} />,
  "head of one in a headscarf": <Head x={0} y={0} r={24} look={looks.hijabi} />,
  "head of one in a painted helmet": <Head x={0} y={0} r={24} look={looks.rider} />,
  tiffin: <Tiffin x={0} y={0} />,
  rickshaw: <Rickshaw x={0} y={0} passenger={null} driver={null} />,
  "rickshaw's flat tyre": <FlatRickshawWheel />,
  ...(!campus.settings.cash && { "notes and coins": <Cash /> }),
};

/** What this campus's pictures and the first one's have in common. */
const anybodys = new Set([...own.values()].flatMap(linesOf));

/** Lines that only the first campus's drawings have: of each motif, and of this campus's own pictures drawn there. */
const foreign = new Map<string, string>();
for (const [name, svg] of asTheFirst) {
  for (const line of linesOf(svg))
    if (!anybodys.has(line)) foreign.set(line, `${name} of the delta`);
}
const motifLines = Object.entries(motifs).map(([name, drawing]) => {
  // A face below a headscarf, the leaves of a gate are anybody's. These have nothing in their stead.
  const alone = ["lotus", "rickshaw", "rickshaw's flat tyre", "notes and coins"].includes(name);
  const shared = new Set(alone ? [] : linesOf(markup(drawing, campus.settings.motifs)));
  const lines = linesOf(markup(drawing, "delta")).filter((line) => !shared.has(line));
  for (const line of lines) foreign.set(line, name);
  return [name, lines] as const;
});

/** Ornaments whose size is part of their lines are known by how they are made. */
const made: Record<string, (svg: string) => boolean> = {
  "lotus decal": (svg) =>
    /rotate\(-150\)[^>]*>(?:<\/path>)?<path[^>]*rotate\(-30\)[^>]*>(?:<\/path>)?<path[^>]*rotate\(-118\)/.test(
      svg,
    ),
  "scalloped ring": (svg) => linesOf(svg).some(isEvenRing),
  "hood's fringe": (svg) => /(?:M[-\d. ]+a([\d.]+) \1 0 0 0 [\d.]+ 0z){4}/.test(svg),
};

/** A closed row of equal scallops; the crowns of trees and puffs of dust are uneven. */
function isEvenRing(line: string): boolean {
  if (!/^M[-\d. ]+(?:a[-\d. ]+)+z$/.test(line)) return false;
  const chords = [...line.matchAll(/a[\d.]+ [\d.]+ 0 0 1 (-?[\d.]+) (-?[\d.]+)/g)].map(
    ([, dx, dy]) => Math.hypot(Number(dx), Number(dy)),
  );
  const [least, most] = [Math.min(...chords), Math.max(...chords)];
  return chords.length >= 5 && most - least < 0.5 + most * 0.05;
}

function foreignIn(svg: string): string[] {
  const found = linesOf(svg).flatMap((line) => foreign.get(line) ?? []);
  const ornaments = Object.keys(made).filter((name) => made[name]?.(svg));
  return [...new Set([...found, ...ornaments])];
}

/** How the first campus's edges are cut, as far as the colour of a cut, from our own stylesheets. */
const cuts = [
  "app/ui/fringe.module.css",
  "app/ui/hood-fringe.module.css",
  "app/pages/blog/blog-post-page.module.css",
  "app/pages/landing/about.module.css",
  "app/pages/landing/small-print.module.css",
].flatMap((path) =>
  [...readFileSync(join(root, path), "utf8").matchAll(/<edge [\s\S]*?<\/edge>/g)].flatMap(
    ([edge]) =>
      [...edge.matchAll(/radial-gradient\(([^,]+,\s*(?:var\(--[\w-]+|#\w+))/g)].map((match) =>
        (match[1] as string).replace(/\s/g, ""),
      ),
  ),
);

const firstDir = join(root, "campus");
const first = loadCampus(firstDir);

/** Every text below a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}

const ownText = JSON.stringify(campus);
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
  .filter((name) => !ownText.includes(name));
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
    (text) => text.length > 8 && /\s/.test(text) && !text.includes("{") && !ownText.includes(text),
  );

const walk = await walkDeletion();
afterAll(() => walk[Symbol.asyncDispose]());

function expectOwn(page: string, name?: string): void {
  expect(foreignIn(page), name).toEqual([]);
  const bare = page.replace(/\s/g, "");
  expect(
    cuts.filter((cut) => bare.includes(`radial-gradient(${cut}`)),
    name,
  ).toEqual([]);
  for (const text of [page, textOf(page)]) {
    const small = text.toLowerCase();
    expect(names.filter((one) => small.includes(one.toLowerCase()))).toEqual([]);
    expect(sentences.filter((sentence) => text.includes(sentence))).toEqual([]);
  }
}

test("the search knows what to search for, and finds it on the first campus", () => {
  for (const [name, lines] of motifLines) {
    expect(lines.length, name).toBeGreaterThan(0);
    expect(foreignIn(markup(motifs[name] as ReactElement, "delta")), name).not.toEqual([]);
  }
  const ornaments: [ReactElement, string][] = [
    [<Decal key="" x={9} y={9} size={33} />, "lotus decal"],
    [<Flower key="" x={9} y={9} r={9} />, "scalloped ring"],
    [<Sun key="" x={90} y={90} r={77} />, "scalloped ring"],
    [<Fringe key="" x={0} y={9} width={480} />, "hood's fringe"],
  ];
  for (const [ornament, name] of ornaments) {
    expect(foreignIn(markup(ornament, "delta"))).toContain(name);
    expect(foreignIn(markup(ornament, campus.settings.motifs))).toEqual([]);
  }
  expect(campusDir).not.toBe(firstDir);
  expect(names.length).toBeGreaterThan(8);
  expect(sentences.length).toBeGreaterThan(300);
  expect(foreign.size).toBeGreaterThan(200);
  expect(new Set(cuts).size).toBeGreaterThan(3);
});

const files = [
  "/feed.xml",
  "/llms.txt",
  "/manifest.webmanifest",
  "/sitemap.xml",
  "/.well-known/security.txt",
];

test.each([...pagePaths, ...missingPaths, ...files])(
  "%s has no word, no drawing's line and no scalloped edge of the first campus",
  async (path) => expectOwn(await (await walk.site.ask(path)).text()),
);

test("neither has any state of a deletion request, nor any mail, its subject too", async () => {
  for (const [state, path] of Object.entries(walk.states)) {
    const answer = await walk.site.ask(path);
    const place = answer.headers.get("location");
    const page = await (place ? await walk.site.ask(place) : answer).text();
    expect(textOf(page), state).toContain(campus.settings.product);
    expectOwn(page, state);
  }
  expect(walk.mails.length).toBeGreaterThan(5);
  for (const { subject, html } of walk.mails) {
    expectOwn(`${subject} ${html}`, subject);
    expect(html).not.toContain("radial-gradient(circle");
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

  test("have no motif of the first", () => {
    for (const name of drawn) {
      expect(foreignIn(readFileSync(join(art, name), "utf8")), name).toEqual([]);
    }
  });
});
