import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { optimize } from "svgo";
import type { Motifs } from "../campus-reader/choices.ts";
import { root } from "./loaded-campus.ts";

/**
 * Reads drawings. They are SVG files in the plain colors of `art/palette.json`, so any editor can
 * open them. Each of these colors is replaced with the campus's color of the same name.
 */

const artDir = join(root, "art");

/** The drawings' source colors, keyed by name. All are distinct. */
export const palette: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(artDir, "palette.json"), "utf8"),
);

const tokens = new Map(Object.entries(palette).map(([name, hex]) => [hex, `var(--art-${name})`]));

/** Matches a color, but not a reference such as `url(#id)` or `href="#id"`. */
const colour = /(?<!url\(|href=")#[0-9a-f]{6}\b/gi;

/**
 * Cleans up an SVG file and replaces the palette's colors with `var(--art-NAME)`. Other colors stay
 * unchanged.
 * @throws if the text isn't an SVG
 */
export function cleanDrawing(text: string): string {
  const { data } = optimize(text, {
    plugins: [
      {
        name: "preset-default",
        params: {
          overrides: {
            // These plugins would rewrite colors or move the currency sign.
            convertColors: false,
            collapseGroups: false,
            moveGroupAttrsToElems: false,
            convertPathData: { applyTransforms: false },
          },
        },
      },
      "removeScripts",
      "removeDimensions",
    ],
  });
  if (!data.startsWith("<svg")) throw new Error("isn't an SVG file");
  return data.replace(colour, (hex) => tokens.get(hex.toLowerCase()) ?? hex);
}

/**
 * Returns the path of a drawing in the motif set's folder or else in the folder shared by all sets.
 * Returns undefined if there is no such drawing.
 */
function fileOf(set: Motifs, name: string): string | undefined {
  return [join(artDir, set, `${name}.svg`), join(artDir, "plain", `${name}.svg`)].find(existsSync);
}

/** Returns whether every motif set has a drawing with this name. */
export function isDrawn(name: string): boolean {
  return fileOf("plain", name) !== undefined;
}

export function readDrawing(set: Motifs, name: string): string {
  const file = fileOf(set, name);
  if (!file) throw new Error(`art/${set} has no drawing ${name}.svg`);
  return cleanDrawing(readFileSync(file, "utf8"));
}

/** Lists the names of the drawings for posts, without the prefix "post-". */
export function listPostDrawings(): string[] {
  return globSync("*/post-*.svg", { cwd: artDir })
    .map((file) => basename(file, ".svg").replace(/^post-/, ""))
    .filter((name, place, all) => all.indexOf(name) === place)
    .toSorted();
}

/** Muted colors for announced services, each with the palette colors that it replaces. */
const dusty: Record<string, readonly string[]> = {
  line: ["line", "tyre", "hair", "inside"],
  wire: ["wire"],
  0: ["cream", "pane", "metal"],
  1: ["sky", "field"],
  2: ["skin-1", "skin-2", "skin-3", "clay", "wood", "road", "marigold-light"],
  3: ["rani", "jeans", "tyre-far", "brick", "blossom"],
  4: ["peacock", "leaf", "leaf-light", "far", "lawn"],
  5: ["marigold"],
};

const dustyNames = new Map(
  Object.entries(dusty).flatMap(([name, from]) =>
    from.map((source) => [source, `dusty-${name}`] as const),
  ),
);

/** Replaces a drawing's colors with muted ones. */
export function comingSoon(svg: string): string {
  return svg.replace(
    /var\(--art-([\w-]+)\)/g,
    (_, name: string) => `var(--art-${dustyNames.get(name) ?? name})`,
  );
}

/** Currency signs as single strokes, each 22 units wide and 28 high, centered on (0, 0). */
const strokes: Record<string, string> = {
  "৳": "M-8-11q6-3 7 3v11q0 9 8 7q6-2 3-8q-3-3-6 0M-9-1h14",
  "€": "M9-8q-6-6-12-2q-6 5-5 11q1 9 8 10q5 0 9-4M-12-3h16M-12 4h14",
  $: "M7-8q-4-4-9-3q-6 2-5 6q1 4 7 5q7 2 7 6q-1 5-7 5q-5 0-8-4M0-15v30",
  "£": "M8-8q-3-5-8-3q-5 3-2 11q2 8-6 12q5-3 9 0q5 2 8-2M-8 1h13",
  "₹": "M-8-12h17M-8-5h17M-3-12q9 0 9 6q-1 6-12 7l11 12",
  "¥": "M-9-12l9 12l9-12M0 0v13M-8 1h16M-8 6h16",
};

/** A star, for currencies whose sign hasn't been drawn yet. */
const star = "M0-12l3 8h8l-6 5l2 9l-7-5l-7 5l2-9l-6-5h8z";

/** Draws the campus's currency sign in place of each path with the class `currency-sign`. */
export function drawCurrency(svg: string, sign: string): string {
  return svg.replace(/<path\b[^>]*class="currency-sign"[^>]*>/g, (element) =>
    element.replace(/\bd="[^"]*"/, `d="${strokes[sign] ?? star}"`),
  );
}
