import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Blob, Face, Font, Buffer as Shaping, shape } from "harfbuzzjs";
import subsetFont from "subset-font";
import type { LoadedCampus, WithPosts } from "../campus-reader/campus.ts";
import { CampusError } from "../campus-reader/data-files.ts";
import { signsIn } from "../campus-reader/placeholders.ts";
import { root } from "./loaded-campus.ts";

/**
 * The display face, subset to the characters that a campus writes. The reader's own face draws
 * missing characters; the share images have no other face, so there a missing character ends the
 * build.
 */

const source = "node_modules/@fontsource-variable/bricolage-grotesque/files";
const file = "bricolage-grotesque-latin-wght-normal.woff2";

/**
 * The single weight of the face. A variable face from 600 to 800 is two and a half times as large,
 * and on a slow line everything else waits for it (decision 0010).
 */
const weight = 750;

/** Characters that pages add to their content: digits, marks, arrows. */
const always = `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join("")}‘’“”–—…·•×←→©`;

/** Writes the face for browsers and returns its file, the same one for the same characters. */
export function writeDisplayFace(campus: object): Promise<string> {
  const characters = [...new Set(always + JSON.stringify(campus))].sort().join("");
  const original = readFileSync(join(root, source, file));
  const madeOf = `${weight} ${characters} ${hash("sha256", original)}`;
  return keepFace("display-face/bricolage-grotesque.woff2", madeOf, () =>
    subsetFont(original, characters, {
      targetFormat: "woff2",
      variationAxes: { wght: weight },
      noLayoutClosure: true,
    }),
  );
}

/**
 * Caches a face and returns its file. Concurrent builds can write the same file, and neither reads
 * half of it.
 * @param madeOf input that distinguishes it from others of its name
 */
export async function keepFace(
  place: string,
  madeOf: string | Buffer,
  cut: () => Buffer | Promise<Buffer>,
): Promise<string> {
  const name = hash("sha256", madeOf).slice(0, 12);
  const path = join(root, "node_modules/.cache", dirname(place), name, basename(place));
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const own = `${path}.${process.pid}`;
  writeFileSync(own, await cut());
  renameSync(own, path);
  return path;
}

/**
 * Subsets the face to one static weight for share images, because the picture renderer reads
 * neither variable nor packed fonts.
 * @throws CampusError for a letter without a glyph, which the picture would silently lack
 */
export async function cutShareFace(campus: LoadedCampus): Promise<Buffer> {
  const titles = shareTitles(campus);
  const all = [titles, ...campus.translations.map(shareTitles)].flat();
  const text = [always, ...all.map(({ text }) => text)].join("");
  const face = await subsetFont(readFileSync(join(root, source, file)), text, {
    targetFormat: "truetype",
    variationAxes: { wght: weight },
  });
  const drawn = coveredBy(face);
  const mistakes = titles.flatMap(({ place, text }) => {
    const missing = [...new Set(signsIn(text))].filter(
      (sign) => sign.trim() && [...sign].some((part) => !drawn.has(part.codePointAt(0) ?? 0)),
    );
    if (missing.length === 0) return [];
    const named = missing.map((sign) => `"${sign}"`).join(", ");
    return `campus/${place}: the display face has no ${named}, which would be missing in the share image; write it with Latin or Bengali letters`;
  });
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
  return face;
}

/** Lists the titles of share images, each with its place. */
function shareTitles({ settings, landing, posts }: WithPosts): { place: string; text: string }[] {
  const words = `content/${settings.language}/landing.yaml`;
  return [
    { place: "campus.yaml: product", text: settings.product },
    { place: `${words}: hero.headline`, text: landing.hero.headline },
    { place: `${words}: paint.shareTitle`, text: landing.paint?.shareTitle ?? "" },
    ...posts.map(({ file, title }) => ({ place: `${file}: title`, text: title })),
  ];
}

/** Returns the code points that a face has glyphs for. */
export function coveredBy(face: Buffer): Set<number> {
  return new Set(new Face(new Blob(face)).collectUnicodes());
}

/** Measures and draws a line of text as paths. */
export type LinePen = Awaited<ReturnType<typeof createPen>>;

const bengali =
  /[\u0964\u0965\u0980-\u09ff\u200c\u200d]+|[^\u0964\u0965\u0980-\u09ff\u200c\u200d]+/g;

/**
 * Creates a pen for lines in Latin letters, or in Bengali with Latin names in them, shaped by
 * HarfBuzz: the renderer of the share images neither joins Bengali letters nor falls back to
 * another face.
 * @param latin the display face
 * @throws CampusError for a letter in neither face, in a line with Bengali
 */
export async function createPen(latin: Buffer, texts: readonly string[]) {
  const isTall = texts.some((text) => /[\u0980-\u09ff]/.test(text));
  const open = (data: Uint8Array) => {
    const face = new Face(new Blob(data));
    return { font: new Font(face), unit: face.upem };
  };
  const faces = { latin: open(latin), bengali: isTall ? open(await cutBengali(texts)) : undefined };

  /** Shapes a line into runs of glyphs, each with its place, and measures their ink. */
  function layOut(text: string) {
    const glyphs: { x: number; y: number; scale: number; path: string }[] = [];
    let advance = 0;
    let [left, right] = [Number.POSITIVE_INFINITY, 0];
    for (const [run] of text.matchAll(bengali)) {
      const isBengali = /[\u0980-\u09ff]/.test(run);
      const { font, unit } = (isBengali ? faces.bengali : undefined) ?? faces.latin;
      const buffer = new Shaping();
      buffer.addText(run);
      buffer.guessSegmentProperties();
      shape(font, buffer);
      for (const glyph of buffer.getGlyphInfosAndPositions()) {
        if (glyph.codepoint === 0 && isTall) {
          throw new CampusError(`"${text}": no face of the share images has every letter of it`);
        }
        const { xAdvance = 0, xOffset = 0, yOffset = 0 } = glyph;
        const path = font.glyphToPath(glyph.codepoint);
        if (path) {
          const x = advance + xOffset / unit;
          const { xBearing = 0, width = 0 } = font.glyphExtents(glyph.codepoint) ?? {};
          left = Math.min(left, x + xBearing / unit);
          right = Math.max(right, x + (xBearing + width) / unit);
          glyphs.push({ x, y: yOffset / unit, scale: 1 / unit, path });
        }
        advance += xAdvance / unit;
      }
    }
    return { width: Math.max(0, right - left), glyphs };
  }

  return {
    /** Bengali has marks above and below its letters. */
    isTall,
    measure: (text: string, size: number) => layOut(text).width * size,
    draw: (x: number, y: number, size: number, text: string) =>
      layOut(text)
        .glyphs.map(
          (glyph) =>
            `<path transform="translate(${(x + glyph.x * size).toFixed(2)} ${(y - glyph.y * size).toFixed(2)}) scale(${(glyph.scale * size).toFixed(5)} ${(-glyph.scale * size).toFixed(5)})" d="${glyph.path}"/>`,
        )
        .join(""),
  };
}

function cutBengali(texts: readonly string[]): Promise<Buffer> {
  const file = "noto-sans-bengali/files/noto-sans-bengali-bengali-wght-normal.woff2";
  const packed = readFileSync(join(root, "node_modules/@fontsource-variable", file));
  return subsetFont(packed, texts.join(""), {
    targetFormat: "truetype",
    variationAxes: { wght: weight },
  });
}
