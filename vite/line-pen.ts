import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convert } from "fontverter";
import { Blob, Direction, Face, Font, Buffer as Shaping, shape } from "harfbuzzjs";
import { root } from "./loaded-campus.ts";

/** Measures lines of text and draws them as paths. */
export type LinePen = Awaited<ReturnType<typeof createPen>>;

const bengali = /[\u0964\u0965\u0980-\u09ff\u200c\u200d]/;

/** Character class of letters in right-to-left scripts. */
const leftward = String.raw`\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}`;
const toLeft = new RegExp(`[${leftward}]`, "u");

/** Matches letters and digits of left-to-right scripts, with everything between them. */
const rightward = `[[\\p{L}\\p{Nd}]--[${leftward}]]`;
const runsToRight = new RegExp(`${rightward}(?:[^${leftward}]*${rightward})*`, "gv");

type OpenFace = Awaited<ReturnType<typeof openFace>>;
type Run = { text: string; face: OpenFace; isToLeft: boolean };

/**
 * Creates a pen that draws lines of text in the campus's heading font and in the display fonts for
 * Latin and Bengali. HarfBuzz shapes the lines, because the renderer of share images knows only the
 * machine's fonts.
 * @param texts all strings that the pen will draw
 * @param ownFont path of the campus's heading font
 */
export async function createPen(texts: readonly string[], ownFont?: string) {
  const isTall = texts.some((text) => /[\p{L}--[\p{Script=Latin}\p{Script=Cyrillic}]]/v.test(text));
  const campusFace = ownFont && existsSync(ownFont) ? await openFace(ownFont) : undefined;
  const latin = await openFace(display("bricolage-grotesque", "latin-800"));
  const fallbackFaces = [
    latin,
    await openFace(display("bricolage-grotesque", "latin-ext-800")),
    await openFace(display("noto-sans-bengali", "bengali-700")),
  ];
  const ofBengali = fallbackFaces.at(-1) ?? latin;

  /** Finds a font that contains a character, preferably the campus's font. */
  function faceOf(sign: string): OpenFace | undefined {
    if (campusFace?.has(sign)) return campusFace;
    if (bengali.test(sign)) return ofBengali;
    return fallbackFaces.find((face) => face.has(sign));
  }

  /** Splits a line into runs of one font and one direction, in reading order. */
  function toRuns(line: string, { isToLeft }: { isToLeft: boolean }): Run[] {
    const runs: Run[] = [];
    for (const { text, isLeft } of splitByDirection(line, { isToLeft })) {
      let [run, last]: [string, OpenFace | undefined] = ["", undefined];
      for (const sign of text) {
        const face: OpenFace = faceOf(sign) ?? last ?? latin;
        if (last && face !== last) runs.push({ text: run, face: last, isToLeft: isLeft });
        run = face === last ? run + sign : sign;
        last = face;
      }
      if (last) runs.push({ text: run, face: last, isToLeft: isLeft });
    }
    return runs;
  }

  /** Shapes a line into positioned glyphs and measures their ink. */
  function layOut(line: string) {
    const isToLeft = toLeft.test(line);
    const runs = toRuns(line, { isToLeft });
    const glyphs: { x: number; y: number; scale: number; path: string }[] = [];
    let advance = 0;
    let [left, right] = [Number.POSITIVE_INFINITY, 0];
    for (const { text, face, isToLeft: isLeft } of isToLeft ? runs.toReversed() : runs) {
      const { font, unit } = face;
      const buffer = new Shaping();
      buffer.addText(text);
      buffer.guessSegmentProperties();
      if (isLeft) buffer.setDirection(Direction.RTL);
      shape(font, buffer);
      for (const glyph of buffer.getGlyphInfosAndPositions()) {
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
    /**
     * Whether the strings contain scripts other than Latin and Cyrillic. Letters of other scripts
     * may have marks above and below them.
     */
    isTall,
    /** Returns whether the fonts contain all of a string's letters. */
    canDraw: (text: string) => [...text].every((sign) => /\p{Cf}/u.test(sign) || faceOf(sign)),
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

/**
 * Splits a line wherever its direction changes. In a right-to-left line, left-to-right words and
 * numbers keep their internal order.
 */
function splitByDirection(
  line: string,
  { isToLeft }: { isToLeft: boolean },
): { text: string; isLeft: boolean }[] {
  if (!isToLeft) return [{ text: line, isLeft: false }];
  const parts: { text: string; isLeft: boolean }[] = [];
  let end = 0;
  for (const { 0: text, index } of line.matchAll(runsToRight)) {
    if (index > end) parts.push({ text: line.slice(end, index), isLeft: true });
    parts.push({ text, isLeft: false });
    end = index + text.length;
  }
  if (end < line.length) parts.push({ text: line.slice(end), isLeft: true });
  return parts;
}

/** Returns the path of a font file in an installed Fontsource package. */
function display(font: string, part: string): string {
  return join(root, `node_modules/@fontsource/${font}/files/${font}-${part}-normal.woff2`);
}

/** Opens a WOFF or WOFF2 font file. */
async function openFace(file: string) {
  const face = new Face(new Blob(await convert(readFileSync(file), "truetype")));
  const letters = new Set(face.collectUnicodes());
  return {
    font: new Font(face),
    unit: face.upem,
    has: (sign: string) => letters.has(sign.codePointAt(0) ?? 0),
  };
}
