import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Blob, Face, Font, Buffer as Shaping, shape } from "harfbuzzjs";
import subsetFont from "subset-font";
import { CampusError } from "../campus-reader/data-files.ts";
import { root } from "./loaded-campus.ts";

/** Measures and draws a line of text, its letters as paths. */
export type LinePen = {
  measure: (text: string, size: number) => number;
  draw: (x: number, y: number, size: number, text: string) => string;
  /** Bengali has marks above and below its letters. */
  isTall: boolean;
};

const bengali =
  /[\u0964\u0965\u0980-\u09ff\u200c\u200d]+|[^\u0964\u0965\u0980-\u09ff\u200c\u200d]+/g;

/**
 * Lines in Latin letters, or in Bengali with Latin names in them, shaped by HarfBuzz: the renderer of the share images
 * neither joins Bengali letters nor takes a missing one from another face.
 * @param latin the display face
 * @throws CampusError, when a line beside Bengali is drawn that has a letter which neither face has
 */
export async function createPen(latin: Buffer, texts: readonly string[]): Promise<LinePen> {
  const isTall = texts.some((text) => /[\u0980-\u09ff]/.test(text));
  const open = (data: Uint8Array) => {
    const face = new Face(new Blob(data));
    return { font: new Font(face), unit: face.upem };
  };
  const faces = { latin: open(latin), bengali: isTall ? open(await cutBengali(texts)) : undefined };

  /** The glyphs of a line in parts of the size of its letters, each with its place, and how wide their ink is. */
  function layOut(text: string): {
    width: number;
    glyphs: { x: number; y: number; scale: number; path: string }[];
  } {
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
    isTall,
    measure: (text, size) => layOut(text).width * size,
    draw: (x, y, size, text) =>
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
    variationAxes: { wght: 750 },
  });
}
