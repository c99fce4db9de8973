import { readFileSync } from "node:fs";
import { join } from "node:path";
import { convert } from "fontverter";
import { Blob, Face, Font, Buffer as Shaping, shape } from "harfbuzzjs";
import { root } from "./loaded-campus.ts";

/** Measures and draws a line of text as paths. */
export type LinePen = Awaited<ReturnType<typeof createPen>>;

const bengali =
  /[\u0964\u0965\u0980-\u09ff\u200c\u200d]+|[^\u0964\u0965\u0980-\u09ff\u200c\u200d]+/g;

/**
 * Creates a pen for lines of Latin letters, or of Bengali with Latin names in them. HarfBuzz shapes
 * them, because the share images' renderer places joined Bengali letters over one another. A letter
 * that neither font has becomes an empty box.
 */
export async function createPen(texts: readonly string[]) {
  const isTall = texts.some((text) => /[\u0980-\u09ff]/.test(text));
  const faces = {
    latin: await openFace("bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2"),
    bengali: await openFace("noto-sans-bengali/files/noto-sans-bengali-bengali-700-normal.woff2"),
  };

  /** Shapes a line into runs of glyphs, each with its place, and measures their ink. */
  function layOut(text: string) {
    const glyphs: { x: number; y: number; scale: number; path: string }[] = [];
    let advance = 0;
    let [left, right] = [Number.POSITIVE_INFINITY, 0];
    for (const [run] of text.matchAll(bengali)) {
      const { font, unit } = /[\u0980-\u09ff]/.test(run) ? faces.bengali : faces.latin;
      const buffer = new Shaping();
      buffer.addText(run);
      buffer.guessSegmentProperties();
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
    /** True for Bengali, which has marks above and below its letters. */
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

/** Opens a face of an installed Fontsource package. */
async function openFace(file: string) {
  const packed = readFileSync(join(root, "node_modules/@fontsource", file));
  const face = new Face(new Blob(await convert(packed, "truetype")));
  return { font: new Font(face), unit: face.upem };
}
