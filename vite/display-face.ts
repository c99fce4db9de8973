import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import subsetFont from "subset-font";
import type { Campus } from "../campus-reader/campus.ts";
import { CampusError } from "../campus-reader/data-files.ts";
import { signsIn } from "../campus-reader/placeholders.ts";
import type { Post } from "../campus-reader/posts.ts";

/**
 * The display face, cut down to the characters that a campus writes. What it has no sign for is set in the reader's own
 * face; in the share images, which have no other face, it ends the build.
 */

const source = "node_modules/@fontsource-variable/bricolage-grotesque/files";
const file = "bricolage-grotesque-latin-wght-normal.woff2";

/**
 * The one weight that is drawn everywhere. A face with all weights between 600 and 800 is two and a half times as large,
 * and on a slow line everything else waits for it (decision 0010).
 */
const weight = 750;

/** What pages write besides their content: digits, marks, arrows. */
const always = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("")}‘’“”–—…·•×←→©`;

/**
 * Writes the face for browsers and returns its file, the same one for the same characters.
 * @param root the project's folder
 */
export async function writeDisplayFace(root: string, campus: object): Promise<string> {
  const characters = [...new Set(always + JSON.stringify(campus))].sort().join("");
  const original = readFileSync(join(root, source, file));
  const name = createHash("sha256")
    .update(`${weight} ${characters}`)
    .update(original)
    .digest("hex")
    .slice(0, 12);
  const path = join(root, "node_modules/.cache/display-face", name, "bricolage-grotesque.woff2");
  if (existsSync(path)) return path;
  const face = await subsetFont(original, characters, {
    targetFormat: "woff2",
    variationAxes: { wght: weight },
    noLayoutClosure: true,
  });
  writeFace(path, face);
  return path;
}

/** Two builds may write the same file at once, and neither reads half of it. */
export function writeFace(path: string, face: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, face);
  renameSync(own, path);
}

type Titles = Pick<Campus, "settings" | "landing"> & { posts: readonly Post[] };

/** The face as one static weight for share images, because the picture renderer reads no variable or packed fonts. */
export function cutShareFace(root: string, campus: Titles): Promise<Buffer> {
  const text = shareTitles(campus).map(({ text }) => text);
  return subsetFont(readFileSync(join(root, source, file)), [always, ...text].join(""), {
    targetFormat: "truetype",
    variationAxes: { wght: weight },
  });
}

/** Writes what `cutShareFace` made for the picture renderer, which reads fonts from files, and returns its file. */
export function writeShareFace(root: string, face: Buffer): string {
  const name = createHash("sha256").update(face).digest("hex").slice(0, 12);
  const path = join(root, "node_modules/.cache/share-face", `${name}.ttf`);
  if (!existsSync(path)) writeFace(path, face);
  return path;
}

/** Everything that is written into share images, with its place. */
function shareTitles({ settings, landing, posts }: Titles): { place: string; text: string }[] {
  const words = `content/${settings.language}/landing.yaml`;
  return [
    { place: "campus.yaml: product", text: settings.product },
    { place: `${words}: hero.headline`, text: landing.hero.headline },
    { place: `${words}: paint.shareTitle`, text: landing.paint?.shareTitle ?? "" },
    ...posts.map(({ file, title }) => ({ place: `${file}: title`, text: title })),
  ];
}

/**
 * A letter without a sign would be missing in the picture without a word, so it ends the build.
 * @param font what `cutShareFace` made
 */
export function requireGlyphs(font: Buffer, campus: Titles): void {
  const drawn = coveredBy(font);
  const mistakes = shareTitles(campus).flatMap(({ place, text }) => {
    const missing = [...new Set(signsIn(text))].filter(
      (sign) => sign.trim() && [...sign].some((part) => !drawn.has(part.codePointAt(0) ?? 0)),
    );
    if (missing.length === 0) return [];
    const named = missing.map((sign) => `"${sign}"`).join(", ");
    return `campus/${place}: the display face has no ${named}, which would be missing in the share image; write it with Latin or Bengali letters`;
  });
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
}

/** The code points that a TrueType font has signs for, read from its table `cmap`. */
export function coveredBy(font: Buffer): Set<number> {
  const covered = new Set<number>();
  const tables = font.readUInt16BE(4);
  for (let index = 0; index < tables; index++) {
    const entry = 12 + index * 16;
    if (font.toString("latin1", entry, entry + 4) !== "cmap") continue;
    const cmap = font.readUInt32BE(entry + 8);
    for (let sub = 0; sub < font.readUInt16BE(cmap + 2); sub++) {
      const table = cmap + font.readUInt32BE(cmap + 4 + sub * 8 + 4);
      const ranges = font.readUInt16BE(table) === 12 ? readGroups(font, table) : [];
      const segments = font.readUInt16BE(table) === 4 ? readSegments(font, table) : [];
      for (const [first, last] of [...ranges, ...segments]) {
        for (let code = first; code <= last; code++) covered.add(code);
      }
    }
  }
  return covered;
}

/** Format 12: groups of first and last code point. */
function readGroups(font: Buffer, table: number): [number, number][] {
  return Array.from({ length: font.readUInt32BE(table + 12) }, (_, index) => {
    const group = table + 16 + index * 12;
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)];
  });
}

/** Format 4: all last code points, then all first ones. The segment at the end holds no sign. */
function readSegments(font: Buffer, table: number): [number, number][] {
  const length = font.readUInt16BE(table + 6);
  return Array.from({ length: length / 2 }, (_, index): [number, number] => [
    font.readUInt16BE(table + 14 + length + 2 + index * 2),
    font.readUInt16BE(table + 14 + index * 2),
  ]).filter(([first]) => first !== 0xffff);
}
